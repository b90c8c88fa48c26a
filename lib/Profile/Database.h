//===- Database.h - Reading SQLite databases --------------------*- C++ -*-===//
//
// What problem: a profile's database may be none, cut, locked, or of another
// schema, and SQLite's columns hold values of any type.
// What idea: a database opened for reading, queries whose rows give values of
// the type that was asked for, or an error with file, table and row.
// What it refuses: writing, and text of more than a few megabytes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_PROFILE_DATABASE_H
#define FLY_LIB_PROFILE_DATABASE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace fly::profile {

/// A row of a query's result, valid until the next one.
class QueryRow {
public:
  /// Column \p column as a whole number from 0; nothing where it is NULL.
  llvm::Expected<std::optional<uint64_t>> number(unsigned column) const;
  /// As a finite number; nothing where it is NULL.
  llvm::Expected<std::optional<double>> real(unsigned column) const;
  /// As text; nothing where it is NULL.
  llvm::Expected<std::optional<std::string>> text(unsigned column) const;
  /// "'file.db': row 7 of rocpd_event, column 'x': " and \p what. A column
  /// that the query calls "table.x" is said to be of that table, where it is
  /// not the one that the query is about.
  llvm::Error error(unsigned column, const llvm::Twine &what) const;

private:
  friend class Database;
  std::string describe(unsigned column) const;
  sqlite3_stmt *statement = nullptr;
  llvm::StringRef file, subject;
  uint64_t index = 0;
};

/// A database that is only read.
class Database {
public:
  static llvm::Expected<Database> open(llvm::StringRef path);

  /// Tables and views, in order of their names.
  llvm::Expected<std::vector<std::string>> tables() const;
  /// The columns of a table or view.
  llvm::Expected<std::vector<std::string>> columns(llvm::StringRef table) const;
  /// Calls \p row with each row of \p sql, which messages say is about
  /// \p subject.
  llvm::Error
  query(llvm::StringRef sql, llvm::StringRef subject,
        llvm::function_ref<llvm::Error(const QueryRow &)> row) const;

private:
  struct Close {
    void operator()(sqlite3 *connection) const;
  };
  llvm::Error failed(llvm::StringRef subject, int code) const;
  std::string path;
  std::unique_ptr<sqlite3, Close> connection;
};

/// \p name as SQL quotes it.
std::string quoteName(llvm::StringRef name);

} // namespace fly::profile

#endif // FLY_LIB_PROFILE_DATABASE_H
