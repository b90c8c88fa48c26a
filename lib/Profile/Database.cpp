//===- Database.cpp - Reading SQLite databases, through libsqlite3 --------===//
//
// The one file that calls libsqlite3.
//
//===----------------------------------------------------------------------===//
#include "Database.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <sqlite3.h>

#include "InputStream.h"

using namespace fly;
using namespace fly::profile;
using llvm::StringRef;

static constexpr int maxTextBytes = 1 << 22;

std::string fly::profile::quoteName(StringRef name) {
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"')
      quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

llvm::Error QueryRow::error(unsigned column, const llvm::Twine &what) const {
  const char *label = sqlite3_column_name(statement, int(column));
  auto [table, name] = StringRef(label ? label : "?").split('.');
  if (name.empty())
    std::swap(table, name);
  // A row may come with those of other tables that belong to it.
  bool isOther = !table.empty() && table != subject;
  return fileError(file, "row " + llvm::Twine(index) + " of " + subject +
                             ", column '" + name + "'" +
                             (isOther ? " of its " + table : "") + ": " + what);
}

std::string QueryRow::describe(unsigned column) const {
  switch (sqlite3_column_type(statement, int(column))) {
  case SQLITE_INTEGER:
    return std::to_string(sqlite3_column_int64(statement, int(column)));
  case SQLITE_FLOAT:
    return llvm::formatv("{0}", sqlite3_column_double(statement, int(column)))
        .str();
  case SQLITE_TEXT: {
    const unsigned char *text = sqlite3_column_text(statement, int(column));
    StringRef value(reinterpret_cast<const char *>(text),
                    size_t(sqlite3_column_bytes(statement, int(column))));
    std::string result = "the text '";
    llvm::raw_string_ostream os(result);
    llvm::printEscapedString(value.take_front(40), os);
    os << (value.size() > 40 ? "...'" : "'");
    return result;
  }
  case SQLITE_NULL:
    return "NULL";
  default:
    return "a blob";
  }
}

llvm::Expected<std::optional<uint64_t>>
QueryRow::number(unsigned column) const {
  int type = sqlite3_column_type(statement, int(column));
  if (type == SQLITE_NULL)
    return std::nullopt;
  int64_t value = sqlite3_column_int64(statement, int(column));
  if (type == SQLITE_INTEGER && value >= 0)
    return uint64_t(value);
  return error(column,
               "expected a whole number from 0, found " + describe(column));
}

llvm::Expected<std::optional<double>> QueryRow::real(unsigned column) const {
  int type = sqlite3_column_type(statement, int(column));
  if (type == SQLITE_NULL)
    return std::nullopt;
  double value = sqlite3_column_double(statement, int(column));
  if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !std::isfinite(value))
    return error(column, "expected a finite number, found " + describe(column));
  if (!isMeasurement(value))
    return error(column, "is no measurement: expected 0 or a number of 1e-90 "
                         "to 1e90, found " +
                             describe(column));
  return value;
}

llvm::Expected<std::optional<std::string>>
QueryRow::text(unsigned column) const {
  int type = sqlite3_column_type(statement, int(column));
  if (type == SQLITE_NULL)
    return std::nullopt;
  if (type != SQLITE_TEXT)
    return error(column, "expected text, found " + describe(column));
  const unsigned char *text = sqlite3_column_text(statement, int(column));
  if (!text)
    return error(column, "no memory for its text");
  return std::string(reinterpret_cast<const char *>(text),
                     size_t(sqlite3_column_bytes(statement, int(column))));
}

//===----------------------------------------------------------------------===//
// The database
//===----------------------------------------------------------------------===//

void Database::Close::operator()(sqlite3 *connection) const {
  sqlite3_close_v2(connection);
}

llvm::Error Database::failed(StringRef subject, int code) const {
  switch (code & 0xff) {
  case SQLITE_NOTADB:
    return fileError(path, "is no SQLite database; expected what rocprofv3 "
                           "writes with --output-format rocpd");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return fileError(path, "is locked by a program that writes it; wait for "
                           "it, or read a copy");
  case SQLITE_CORRUPT:
    return fileError(path, "is a damaged SQLite database (while reading " +
                               subject + "); is it cut?");
  case SQLITE_TOOBIG:
    return fileError(path, "holds a value of more than " +
                               llvm::Twine(maxTextBytes) + " bytes in " +
                               subject);
  default:
    return fileError(path, "cannot read " + subject + ": " +
                               sqlite3_errmsg(connection.get()));
  }
}

llvm::Expected<Database> Database::open(StringRef path) {
  Database database;
  database.path = path.str();
  if (!llvm::sys::fs::exists(path)) // SQLite says only that it can not open it.
    return fileError(path, "does not exist");
  sqlite3 *connection = nullptr;
  int code = sqlite3_open_v2(database.path.c_str(), &connection,
                             SQLITE_OPEN_READONLY, nullptr);
  database.connection.reset(connection);
  if (code != SQLITE_OK)
    return database.failed("it", code);
  // What a file's schema may do is kept to what reading needs.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, maxTextBytes);
  return database;
}

llvm::Error
Database::query(StringRef sql, StringRef subject,
                llvm::function_ref<llvm::Error(const QueryRow &)> row) const {
  sqlite3_stmt *statement = nullptr;
  int code = sqlite3_prepare_v2(connection.get(), sql.data(), int(sql.size()),
                                &statement, nullptr);
  auto finalize = [](sqlite3_stmt *statement) { sqlite3_finalize(statement); };
  std::unique_ptr<sqlite3_stmt, decltype(finalize)> owner(statement, finalize);
  if (code != SQLITE_OK)
    return failed(subject, code);
  QueryRow current;
  current.statement = statement;
  current.file = path;
  current.subject = subject;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    ++current.index;
    if (llvm::Error error = row(current))
      return error;
  }
  return code == SQLITE_DONE ? llvm::Error::success() : failed(subject, code);
}

static llvm::Expected<std::vector<std::string>>
readNames(const Database &database, StringRef sql, StringRef subject) {
  std::vector<std::string> names;
  llvm::Error error =
      database.query(sql, subject, [&](const QueryRow &row) -> llvm::Error {
        auto name = row.text(0);
        if (!name)
          return name.takeError();
        if (*name)
          names.push_back(std::move(**name));
        return llvm::Error::success();
      });
  if (error)
    return std::move(error);
  return names;
}

llvm::Expected<std::vector<std::string>> Database::tables() const {
  return readNames(*this,
                   "SELECT name FROM sqlite_master WHERE type IN ('table', "
                   "'view') ORDER BY name",
                   "its list of tables");
}

llvm::Expected<std::vector<std::string>>
Database::columns(StringRef table) const {
  return readNames(*this,
                   "SELECT name FROM pragma_table_info(" +
                       // A name in quotes of SQL's strings.
                       ("'" + llvm::join(llvm::split(table, "'"), "''") + "'") +
                       ")",
                   table);
}
