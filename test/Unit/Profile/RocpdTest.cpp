//===- RocpdTest.cpp - Dispatches and counters of rocpd databases ---------===//
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sqlite3.h>

#include "DatabaseText.h"
#include "DispatchRows.h"
#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

TEST(Rocpd, ReadsDatabasesByViewsAndByTables) {
  for (const std::string &sql :
       {databaseText("_00001"), databaseText("_00001", /*views=*/false),
        databaseText("")}) {
    ScratchFolder scratch;
    std::string path = makeDatabase(scratch, sql);
    Dispatches result = read(path);
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(result.rows.size(), 1u);
    const Dispatch &row = result.rows.front();
    EXPECT_EQ(row.kernel, "gemm");
    EXPECT_EQ(row.chip, "gfx942");
    EXPECT_EQ(row.id, 3u);
    EXPECT_EQ(row.resources.accumVgprs, 128u);
    EXPECT_EQ(row.resources.sgprs, 96u);
    EXPECT_EQ((*row.resources.workgroup)[0], 256u);
    Counters counters = readCounterFile(path);
    EXPECT_EQ(counters.error, "");
    ASSERT_EQ(counters.rows.size(), 2u);
    EXPECT_EQ(counters.rows[1].second.value, 50.0);
  }
}

TEST(Rocpd, NamesWhatADatabaseLacks) {
  ScratchFolder scratch;
  auto errorAfter = [&](const std::string &change) {
    return read(makeDatabase(scratch, databaseText("") + change)).error;
  };
  EXPECT_TRUE(contains(errorAfter("DROP TABLE rocpd_info_kernel_symbol;"),
                       "no table rocpd_info_kernel_symbol"));
  EXPECT_TRUE(
      contains(errorAfter("ALTER TABLE rocpd_kernel_dispatch RENAME COLUMN "
                          "kernel_id TO kernel_symbol_id;"),
               "the table rocpd_kernel_dispatch has no column "
               "kernel_id; found: id, guid, agent_id, "
               "kernel_symbol_id"));
  EXPECT_TRUE(contains(errorAfter("UPDATE rocpd_metadata SET value = '4.1';"),
                       "schema version '4.1', expected 3"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET kernel_id = 6;"),
               "row 1 of rocpd_kernel_dispatch, column 'kernel_id': "
               "no row of rocpd_info_kernel_symbol has the id 6"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET start = 'soon';"),
               "column 'start': expected a whole number from 0, found "
               "the text 'soon'"));
  EXPECT_TRUE(contains(
      errorAfter("UPDATE rocpd_kernel_dispatch SET start = -4;"), "found -4"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET \"end\" = NULL;"),
               "column 'end': is NULL, expected a number"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET \"end\" = 10;"),
               "the dispatch ends at 10, before it starts at 1000"));
  EXPECT_TRUE(contains(
      errorAfter("UPDATE rocpd_info_kernel_symbol SET sgpr_count = 1.5;"),
      "column 'sgpr_count' of its rocpd_info_kernel_symbol: expected a whole "
      "number"));
  EXPECT_TRUE(contains(errorAfter("DELETE FROM rocpd_kernel_dispatch;"),
                       "holds no dispatch"));
  EXPECT_TRUE(contains(
      readCounterFile(makeDatabase(scratch, databaseText("") +
                                                "UPDATE rocpd_pmc_event SET "
                                                "value = 'x' WHERE id = 2;"))
          .error,
      "row 2 of rocpd_pmc_event, column 'value': expected a "
      "finite number, found the text 'x'"));
  EXPECT_TRUE(contains(
      readCounterFile(makeDatabase(scratch, databaseText("") +
                                                "DELETE FROM rocpd_pmc_event;"))
          .error,
      "holds no counter of a dispatch"));
}

namespace {
/// What the reader of dispatches, or that of counters, needs of a database.
struct NeededColumn {
  const char *table, *column;
  bool isOfCounters = false;
};
constexpr NeededColumn neededColumns[] = {
    {"rocpd_metadata", "tag"},
    {"rocpd_metadata", "value"},
    {"rocpd_info_agent", "id"},
    {"rocpd_info_kernel_symbol", "id"},
    {"rocpd_info_kernel_symbol", "kernel_name"},
    {"rocpd_info_kernel_symbol", "arch_vgpr_count"},
    {"rocpd_info_kernel_symbol", "accum_vgpr_count"},
    {"rocpd_info_kernel_symbol", "sgpr_count"},
    {"rocpd_kernel_dispatch", "dispatch_id"},
    {"rocpd_kernel_dispatch", "agent_id"},
    {"rocpd_kernel_dispatch", "kernel_id"},
    {"rocpd_kernel_dispatch", "event_id"},
    {"rocpd_kernel_dispatch", "start"},
    {"rocpd_kernel_dispatch", "end"},
    {"rocpd_kernel_dispatch", "private_segment_size"},
    {"rocpd_kernel_dispatch", "group_segment_size"},
    {"rocpd_kernel_dispatch", "workgroup_size_x"},
    {"rocpd_kernel_dispatch", "workgroup_size_y"},
    {"rocpd_kernel_dispatch", "workgroup_size_z"},
    {"rocpd_kernel_dispatch", "grid_size_x"},
    {"rocpd_kernel_dispatch", "grid_size_y"},
    {"rocpd_kernel_dispatch", "grid_size_z"},
    {"rocpd_info_pmc", "id", true},
    {"rocpd_info_pmc", "name", true},
    {"rocpd_pmc_event", "event_id", true},
    {"rocpd_pmc_event", "pmc_id", true},
    {"rocpd_pmc_event", "value", true}};

/// The error of a whole database after a change.
std::string errorAfter(const std::string &change, bool isOfCounters,
                       StringRef suffix = "") {
  ScratchFolder scratch;
  std::string path =
      makeDatabase(scratch, databaseText(suffix, /*views=*/false) + change);
  return isOfCounters ? readCounterFile(path).error : read(path).error;
}

/// The column in SQL.
std::string quoted(const NeededColumn &needed) {
  return std::string("\"") + needed.column + "\"";
}
} // namespace

TEST(Rocpd, NamesEachTableAndColumnThatADatabaseLacks) {
  for (const NeededColumn &needed : neededColumns) {
    std::string table = needed.table;
    // Tables that the reader can do without.
    bool isOptional = table == "rocpd_metadata" || table == "rocpd_info_agent";
    for (const std::string &change :
         {"DROP TABLE " + table + ";",
          "ALTER TABLE " + table + " RENAME TO kept_" + table + ";"}) {
      std::string error = errorAfter(change, needed.isOfCounters);
      if (isOptional)
        EXPECT_EQ(error, "");
      else
        EXPECT_TRUE(contains(error, "no table " + table + "; found: "));
    }
    EXPECT_TRUE(contains(errorAfter("CREATE TABLE " + table + "_2 (x);",
                                    needed.isOfCounters, "_1"),
                         "no view " + table +
                             " to choose between its tables; found: " + table +
                             "_1, " + table + "_2"));
    EXPECT_TRUE(contains(errorAfter("ALTER TABLE " + table + " RENAME COLUMN " +
                                        quoted(needed) + " TO other;",
                                    needed.isOfCounters),
                         "the table " + table + " has no column " +
                             needed.column + "; found: "));
  }
}

TEST(Rocpd, NamesTheTableOfEachValueThatIsNone) {
  // Columns that join tables find no row then.
  llvm::StringSet<> joining = {"id",  "event_id", "pmc_id",
                               "tag", "agent_id", "kernel_id"};
  for (bool counters : {false, true})
    for (const NeededColumn &needed : neededColumns) {
      if (joining.contains(needed.column) || (needed.isOfCounters && !counters))
        continue;
      std::string table = needed.table,
                  subject = table == "rocpd_metadata" ? table
                            : counters                ? "rocpd_pmc_event"
                                                      : "rocpd_kernel_dispatch",
                  error = errorAfter("UPDATE " + table + " SET " +
                                         quoted(needed) + " = x'00';",
                                     counters);
      std::string place = "row 1 of " + subject + ", column '" + needed.column +
                          "'" + (subject == table ? "" : " of its " + table) +
                          ": ";
      EXPECT_TRUE(contains(error, place)) << error;
    }
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_info_pmc SET name = NULL;", true),
               "row 1 of rocpd_pmc_event, column 'name' of its rocpd_info_pmc: "
               "is NULL"));
  EXPECT_TRUE(contains(
      errorAfter("UPDATE rocpd_info_kernel_symbol SET sgpr_count = NULL;",
                 false),
      "row 1 of rocpd_kernel_dispatch, column 'sgpr_count' of its "
      "rocpd_info_kernel_symbol: is NULL, expected a number"));
}

TEST(Rocpd, RefusesDatabasesThatCanNotBeRead) {
  ScratchFolder scratch;
  std::string path = makeDatabase(scratch, databaseText(""));
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  std::string bytes = (*file)->getBuffer().str();

  EXPECT_TRUE(contains(
      read(scratch.write("cut.db", StringRef(bytes).take_front(5000))).error,
      "cut.db'"));
  EXPECT_TRUE(
      contains(message(readDatabaseDispatches(
                   scratch.write("n.db", std::string(5000, 'x')), {},
                   [](const Dispatch &) { return llvm::Error::success(); })),
               "is no SQLite database"));
  EXPECT_TRUE(
      contains(message(readDatabaseDispatches(
                   scratch.path("none.db"), {},
                   [](const Dispatch &) { return llvm::Error::success(); })),
               "does not exist"));

  sqlite3 *writer = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_TRUE(
      contains(read(path).error, "is locked by a program that writes it"));
  sqlite3_close(writer);
}

TEST(Rocpd, RefusesDatabasesCutAtEachSixteenth) {
  ScratchFolder scratch;
  // Rows enough for tables of many pages.
  std::string more;
  for (unsigned i = 2; i < 2000; ++i)
    more += "INSERT INTO rocpd_kernel_dispatch SELECT " + std::to_string(i) +
            ", guid, agent_id, kernel_id, " + std::to_string(i + 2) +
            ", start, \"end\", private_segment_size, group_segment_size, "
            "workgroup_size_x, 1, 1, grid_size_x, 1, 1, event_id FROM "
            "rocpd_kernel_dispatch WHERE id = 1;";
  auto file = llvm::MemoryBuffer::getFile(
      makeDatabase(scratch, databaseText("") + more));
  ASSERT_TRUE(bool(file));
  StringRef bytes = (*file)->getBuffer();
  ASSERT_EQ(read(scratch.write("whole.db", bytes)).rows.size(), 1999u);
  for (unsigned part = 0; part < 16; ++part) {
    std::string path =
        scratch.write("cut.db", bytes.take_front(bytes.size() * part / 16));
    for (const std::string &error :
         {read(path).error, readCounterFile(path).error})
      EXPECT_TRUE(contains(error, "cut.db'")) << part;
  }
}
