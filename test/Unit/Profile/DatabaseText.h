//===- DatabaseText.h - A rocpd database for tests --------------*- C++ -*-===//
#ifndef FLY_TEST_UNIT_PROFILE_DATABASETEXT_H
#define FLY_TEST_UNIT_PROFILE_DATABASETEXT_H

#include <sqlite3.h>

#include "ScratchFolder.h"

/// Statements that make a database of schema 3 as rocprofv3 does: tables with
/// a suffix, views without.
inline std::string databaseText(llvm::StringRef suffix, bool views = true) {
  std::pair<const char *, const char *> tables[] = {
      {"rocpd_metadata", "tag TEXT, value TEXT"},
      {"rocpd_info_agent", "id INTEGER PRIMARY KEY, guid TEXT, name TEXT"},
      {"rocpd_info_kernel_symbol",
       "id INTEGER PRIMARY KEY, guid TEXT, kernel_name TEXT, display_name "
       "TEXT, sgpr_count INTEGER, arch_vgpr_count INTEGER, accum_vgpr_count "
       "INTEGER"},
      {"rocpd_info_pmc", "id INTEGER PRIMARY KEY, guid TEXT, name TEXT"},
      {"rocpd_pmc_event",
       "id INTEGER PRIMARY KEY, guid TEXT, event_id INTEGER, pmc_id INTEGER, "
       "value REAL"},
      {"rocpd_kernel_dispatch",
       "id INTEGER PRIMARY KEY, guid TEXT, agent_id INTEGER, kernel_id "
       "INTEGER, dispatch_id INTEGER, start INTEGER, \"end\" INTEGER, "
       "private_segment_size INTEGER, group_segment_size INTEGER, "
       "workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z "
       "INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z "
       "INTEGER, event_id INTEGER"}};
  std::string sql;
  for (auto [name, columns] : tables) {
    std::string whole = name + suffix.str();
    sql += "CREATE TABLE " + whole + " (" + columns + ");";
    if (views && !suffix.empty())
      sql += std::string("CREATE VIEW ") + name + " AS SELECT * FROM " + whole +
             ";";
  }
  auto insert = [&](llvm::StringRef table, llvm::StringRef values) {
    sql +=
        ("INSERT INTO " + table + suffix + " VALUES (" + values + ");").str();
  };
  insert("rocpd_metadata", "'schema_version', '3'");
  insert("rocpd_info_agent", "2, 'g', 'gfx942'");
  insert("rocpd_info_kernel_symbol", "5, 'g', 'gemm', 'gemm', 96, 124, 128");
  insert("rocpd_info_pmc", "1, 'g', 'TCC_HIT'");
  insert("rocpd_kernel_dispatch",
         "1, 'g', 2, 5, 3, 1000, 5000, 0, 65536, 256, 1, 1, 65536, 2, 1, 9");
  insert("rocpd_pmc_event", "1, 'g', 9, 1, 40.0");
  insert("rocpd_pmc_event", "2, 'g', 9, 1, 50.0");
  return sql;
}

inline std::string makeDatabase(const ScratchFolder &scratch,
                                const std::string &sql) {
  std::string path = scratch.path("results.db");
  (void)llvm::sys::fs::remove(path);
  sqlite3 *connection = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  char *problem = nullptr;
  std::string whole = "PRAGMA synchronous = OFF; BEGIN;" + sql + "COMMIT;";
  EXPECT_EQ(sqlite3_exec(connection, whole.c_str(), nullptr, nullptr, &problem),
            SQLITE_OK)
      << problem;
  sqlite3_close(connection);
  return path;
}

#endif // FLY_TEST_UNIT_PROFILE_DATABASETEXT_H
