//===- Rocpd.cpp - Dispatches and counters of rocpd databases -------------===//
//
// Schema 3: rocpd_kernel_dispatch.kernel_id is rocpd_info_kernel_symbol.id, and
// counters hang on the event of a dispatch. Tables carry a suffix, views
// without it show them; a database without the views is read by its tables.
// Rows of several processes are told apart by `guid`, where tables have it.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "Database.h"
#include "InputStream.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
/// A table of the schema, as a database calls it, with the columns that it has.
struct Table {
  std::string name; ///< Of the schema.
  std::string sql;  ///< Quoted.
  std::vector<std::string> columns;
  bool has(StringRef column) const {
    return llvm::is_contained(columns, column);
  }
};

/// A database whose schema was checked.
class Rocpd {
public:
  static llvm::Expected<Rocpd> open(StringRef path);

  /// The table \p name, which must have \p columns.
  llvm::Expected<Table> table(StringRef name,
                              llvm::ArrayRef<StringRef> columns) const;
  bool hasTable(StringRef name) const { return !find(name).empty(); }
  const Database &database() const { return base; }

private:
  Rocpd(StringRef path, Database base, std::vector<std::string> names)
      : path(path.str()), base(std::move(base)), names(std::move(names)) {}
  std::vector<std::string> find(StringRef name) const;
  llvm::Error checkVersion() const;

  std::string path;
  Database base;
  std::vector<std::string> names;
};
} // namespace

/// The tables \p name stands for: the view or table of that name, or those with
/// a suffix.
std::vector<std::string> Rocpd::find(StringRef name) const {
  if (llvm::is_contained(names, name))
    return {name.str()};
  std::vector<std::string> found;
  for (const std::string &candidate : names) {
    StringRef suffix = candidate;
    if (suffix.consume_front(name) && suffix.starts_with("_"))
      found.push_back(candidate);
  }
  return found;
}

llvm::Expected<Table> Rocpd::table(StringRef name,
                                   llvm::ArrayRef<StringRef> columns) const {
  Table table;
  table.name = name.str();
  std::vector<std::string> actual = find(name);
  auto list = [](llvm::ArrayRef<std::string> names) {
    return llvm::join(names.take_front(30), ", ") +
           (names.size() > 30 ? ", ..." : "");
  };
  if (actual.empty())
    return fileError(path, "no table " + name + "; found: " +
                               (names.empty() ? "none" : list(names)));
  if (actual.size() > 1)
    return fileError(
        path, "no view " + name +
                  " to choose between its tables; found: " + list(actual));
  table.sql = quoteName(actual.front());
  llvm::Expected<std::vector<std::string>> found = base.columns(actual.front());
  if (!found)
    return found.takeError();
  table.columns = std::move(*found);
  std::string missing;
  for (StringRef column : columns)
    if (!table.has(column))
      missing += (missing.empty() ? "" : ", ") + column.str();
  if (!missing.empty())
    return fileError(path, "the table " + name + " has no column " + missing +
                               "; found: " + llvm::join(table.columns, ", "));
  return table;
}

llvm::Error Rocpd::checkVersion() const {
  if (!hasTable("rocpd_metadata"))
    return llvm::Error::success(); // Its other tables decide.
  llvm::Expected<Table> metadata = table("rocpd_metadata", {"tag", "value"});
  if (!metadata)
    return metadata.takeError();
  return base.query(
      "SELECT value FROM " + metadata->sql + " WHERE tag = 'schema_version'",
      "rocpd_metadata", [&](const QueryRow &row) -> llvm::Error {
        llvm::Expected<std::optional<std::string>> version = row.text(0);
        if (!version)
          return version.takeError();
        std::string found = version->value_or("");
        if (StringRef(found).split('.').first == "3")
          return llvm::Error::success();
        return row.error(0, "schema version '" + found + "', expected 3");
      });
}

llvm::Expected<Rocpd> Rocpd::open(StringRef path) {
  llvm::Expected<Database> base = Database::open(path);
  if (!base)
    return base.takeError();
  llvm::Expected<std::vector<std::string>> names = base->tables();
  if (!names)
    return names.takeError();
  Rocpd rocpd(path, std::move(*base), std::move(*names));
  if (llvm::Error error = rocpd.checkVersion())
    return std::move(error);
  return rocpd;
}

/// `a."x" AS "rocpd_t.x"`, which messages take apart.
static std::string select(StringRef alias, StringRef column, StringRef table) {
  return (alias + "." + quoteName(column) + " AS " +
          quoteName((table + "." + column).str()))
      .str();
}

/// " LEFT JOIN t AS a ON a.id = key", by process where both tables tell it.
static std::string join(const Table &table, StringRef alias, StringRef key,
                        const Table &from, StringRef fromAlias) {
  std::string sql = (" LEFT JOIN " + table.sql + " AS " + alias + " ON " +
                     alias + ".id = " + key)
                        .str();
  if (table.has("guid") && from.has("guid"))
    sql += (" AND " + alias + ".guid = " + fromAlias + ".guid").str();
  return sql;
}

static constexpr StringRef dispatchColumns[] = {"dispatch_id",
                                                "agent_id",
                                                "kernel_id",
                                                "event_id",
                                                "start",
                                                "end",
                                                "private_segment_size",
                                                "group_segment_size",
                                                "workgroup_size_x",
                                                "workgroup_size_y",
                                                "workgroup_size_z",
                                                "grid_size_x",
                                                "grid_size_y",
                                                "grid_size_z"};

namespace {
/// The part of a query that gives dispatches, and how its rows are read.
struct DispatchQuery {
  std::string columns; ///< Of the SELECT, from column 0.
  std::string joins;   ///< The dispatch is `d`.
  Table dispatches;

  static llvm::Expected<DispatchQuery> create(const Rocpd &rocpd);
  llvm::Expected<Dispatch> read(const QueryRow &row) const;
  static constexpr unsigned columnCount = 20;
};
} // namespace

/// What tells the process of a dispatch `d`, as far as the table does: `guid`
/// is one for each process that recorded, `pid` may be of several nodes.
static std::string processOf(const Table &dispatches) {
  std::string sql = "''"; // Text, whatever the columns hold.
  for (StringRef column : {"guid", "nid", "pid"})
    if (dispatches.has(column))
      sql += (" || '/' || COALESCE(d." + column + ", '')").str();
  return sql;
}

llvm::Expected<DispatchQuery> DispatchQuery::create(const Rocpd &rocpd) {
  DispatchQuery query;
  llvm::Expected<Table> dispatches =
      rocpd.table("rocpd_kernel_dispatch", dispatchColumns);
  if (!dispatches)
    return dispatches.takeError();
  query.dispatches = std::move(*dispatches);
  llvm::Expected<Table> symbols = rocpd.table(
      "rocpd_info_kernel_symbol", {"id", "kernel_name", "arch_vgpr_count",
                                   "accum_vgpr_count", "sgpr_count"});
  if (!symbols)
    return symbols.takeError();
  query.joins = join(*symbols, "s", "d.kernel_id", query.dispatches, "d");
  std::string chip = "NULL";
  if (rocpd.hasTable("rocpd_info_agent")) {
    llvm::Expected<Table> agents = rocpd.table("rocpd_info_agent", {"id"});
    if (!agents)
      return agents.takeError();
    if (agents->has("name")) {
      chip = select("a", "name", agents->name);
      query.joins += join(*agents, "a", "d.agent_id", query.dispatches, "d");
    }
  }
  // Messages name the table that a column is of.
  auto take = [&](StringRef alias, const Table &table,
                  llvm::ArrayRef<StringRef> columns) {
    for (StringRef column : columns)
      query.columns += select(alias, column, table.name) + ", ";
  };
  take("d", query.dispatches, {"dispatch_id", "kernel_id"});
  take("s", *symbols, {"kernel_name"});
  take("d", query.dispatches, {"agent_id"});
  query.columns += chip + ", ";
  take("d", query.dispatches, {"start", "end"});
  take("s", *symbols, {"arch_vgpr_count", "accum_vgpr_count", "sgpr_count"});
  take("d", query.dispatches,
       {"group_segment_size", "private_segment_size", "workgroup_size_x",
        "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y",
        "grid_size_z", "event_id"});
  query.columns += processOf(query.dispatches) + " AS process";
  return query;
}

llvm::Expected<Dispatch> DispatchQuery::read(const QueryRow &row) const {
  Dispatch dispatch;
  DispatchResources &held = dispatch.resources;
  std::optional<uint64_t> kernel, agent;
  std::array<std::optional<uint64_t>, 3> workgroup, grid;
  std::pair<unsigned, std::optional<uint64_t> *> numbers[] = {
      {0, &dispatch.id},     {1, &kernel},
      {3, &agent},           {5, &dispatch.startNs},
      {6, &dispatch.endNs},  {7, &held.archVgprs},
      {8, &held.accumVgprs}, {9, &held.sgprs},
      {10, &held.ldsBytes},  {11, &held.scratchBytes},
      {12, &workgroup[0]},   {13, &workgroup[1]},
      {14, &workgroup[2]},   {15, &grid[0]},
      {16, &grid[1]},        {17, &grid[2]}};
  for (auto [column, field] : numbers) {
    llvm::Expected<std::optional<uint64_t>> value = row.number(column);
    if (!value)
      return value.takeError();
    *field = *value;
  }
  llvm::Expected<std::optional<std::string>> name = row.text(2);
  if (!name)
    return name.takeError();
  if (!*name)
    return row.error(1, kernel ? "no row of rocpd_info_kernel_symbol has the "
                                 "id " +
                                     llvm::Twine(*kernel) + " and a kernel_name"
                               : "is NULL, expected a kernel's id");
  dispatch.kernel = std::move(**name);
  llvm::Expected<std::optional<std::string>> chip = row.text(4);
  if (!chip)
    return chip.takeError();
  dispatch.chip = chip->value_or("");
  llvm::Expected<std::optional<std::string>> process = row.text(19);
  if (!process)
    return process.takeError();
  dispatch.process = process->value_or("");
  if (agent)
    dispatch.agent = "Agent " + std::to_string(*agent);
  if (workgroup[0] && workgroup[1] && workgroup[2])
    held.workgroup = {*workgroup[0], *workgroup[1], *workgroup[2]};
  if (grid[0] && grid[1] && grid[2])
    held.grid = {*grid[0], *grid[1], *grid[2]};
  if (dispatch.startNs && dispatch.endNs && *dispatch.endNs < *dispatch.startNs)
    return row.error(6, "the dispatch ends at " + llvm::Twine(*dispatch.endNs) +
                            ", before it starts at " +
                            llvm::Twine(*dispatch.startNs));
  return dispatch;
}

/// An error for the first value that the reader needs and the row lacks.
static llvm::Error checkNeeds(const QueryRow &row, const Dispatch &dispatch,
                              const DispatchNeeds &needs) {
  const DispatchResources &held = dispatch.resources;
  std::tuple<bool, bool, unsigned> values[] = {
      {needs.times, bool(dispatch.startNs), 5},
      {needs.times, bool(dispatch.endNs), 6},
      {needs.registers, bool(held.archVgprs), 7},
      {needs.registers, bool(held.accumVgprs), 8},
      {needs.registers, bool(held.sgprs), 9},
      {needs.shape, bool(held.ldsBytes), 10},
      {needs.shape, bool(held.workgroup), 12},
      {needs.shape, bool(held.grid), 15}};
  for (auto [isNeeded, isThere, column] : values)
    if (isNeeded && !isThere)
      return row.error(column, "is NULL, expected a number");
  return llvm::Error::success();
}

llvm::Error fly::profile::readDatabaseDispatches(StringRef path,
                                                 const DispatchNeeds &needs,
                                                 DispatchCallback callback) {
  llvm::Expected<Rocpd> rocpd = Rocpd::open(path);
  if (!rocpd)
    return rocpd.takeError();
  llvm::Expected<DispatchQuery> query = DispatchQuery::create(*rocpd);
  if (!query)
    return query.takeError();
  uint64_t rows = 0;
  llvm::Error error = rocpd->database().query(
      "SELECT " + query->columns + " FROM " + query->dispatches.sql + " AS d" +
          query->joins,
      "rocpd_kernel_dispatch", [&](const QueryRow &row) -> llvm::Error {
        ++rows;
        llvm::Expected<Dispatch> dispatch = query->read(row);
        if (!dispatch)
          return dispatch.takeError();
        if (llvm::Error error = checkNeeds(row, *dispatch, needs))
          return error;
        return callback(*dispatch);
      });
  if (error)
    return error;
  if (rows == 0)
    return fileError(path, "holds no dispatch; run rocprofv3 with "
                           "--kernel-trace on a program that launches kernels");
  return llvm::Error::success();
}

llvm::Error fly::profile::readDatabaseCounters(StringRef path,
                                               CounterCallback callback) {
  llvm::Expected<Rocpd> rocpd = Rocpd::open(path);
  if (!rocpd)
    return rocpd.takeError();
  llvm::Expected<DispatchQuery> query = DispatchQuery::create(*rocpd);
  if (!query)
    return query.takeError();
  llvm::Expected<Table> events =
      rocpd->table("rocpd_pmc_event", {"event_id", "pmc_id", "value"});
  if (!events)
    return events.takeError();
  llvm::Expected<Table> counters =
      rocpd->table("rocpd_info_pmc", {"id", "name"});
  if (!counters)
    return counters.takeError();
  // Counters of what is no dispatch (samples, processes) are others' business.
  std::string sql = "SELECT " + query->columns + ", " +
                    select("p", "name", counters->name) + ", " +
                    select("e", "value", events->name) + " FROM " +
                    events->sql + " AS e JOIN " + query->dispatches.sql +
                    " AS d ON d.event_id = e.event_id";
  if (events->has("guid") && query->dispatches.has("guid"))
    sql += " AND d.guid = e.guid";
  sql += query->joins + join(*counters, "p", "e.pmc_id", *events, "e");
  uint64_t rows = 0;
  llvm::Error error = rocpd->database().query(
      sql, "rocpd_pmc_event", [&](const QueryRow &row) -> llvm::Error {
        ++rows;
        llvm::Expected<Dispatch> dispatch = query->read(row);
        if (!dispatch)
          return dispatch.takeError();
        if (!dispatch->id)
          return row.error(0, "is NULL, expected a number");
        CounterValue counter;
        llvm::Expected<std::optional<std::string>> name =
            row.text(DispatchQuery::columnCount);
        if (!name)
          return name.takeError();
        llvm::Expected<std::optional<double>> value =
            row.real(DispatchQuery::columnCount + 1);
        if (!value)
          return value.takeError();
        if (!*name || !*value)
          return row.error(DispatchQuery::columnCount + (*name ? 1 : 0),
                           "is NULL, expected a value");
        counter.counter = std::move(**name);
        counter.value = **value;
        return callback(*dispatch, counter);
      });
  if (error)
    return error;
  if (rows == 0)
    return fileError(path, "holds no counter of a dispatch; name some with "
                           "--pmc, or in the input file that fly-report "
                           "capture-config writes");
  return llvm::Error::success();
}

llvm::Expected<bool> fly::profile::holdsCounters(StringRef path) {
  llvm::Expected<Rocpd> rocpd = Rocpd::open(path);
  if (!rocpd)
    return rocpd.takeError();
  if (!rocpd->hasTable("rocpd_pmc_event"))
    return false;
  llvm::Expected<Table> events = rocpd->table("rocpd_pmc_event", {"event_id"});
  if (!events)
    return events.takeError();
  llvm::Expected<Table> dispatches =
      rocpd->table("rocpd_kernel_dispatch", {"event_id"});
  if (!dispatches)
    return dispatches.takeError();
  bool isThere = false;
  if (llvm::Error error = rocpd->database().query(
          "SELECT 1 FROM " + events->sql + " AS e JOIN " + dispatches->sql +
              " AS d ON d.event_id = e.event_id LIMIT 1",
          "rocpd_pmc_event", [&](const QueryRow &) -> llvm::Error {
            isThere = true;
            return llvm::Error::success();
          }))
    return std::move(error);
  return isThere;
}
