/** Lists the rules that need the whole project, in the order of their diagnostics. */
import { accounts } from "./accounts.ts";
import { cascadeWithinFirewall, restrictOfSoftDeleted } from "./cascade_within_firewall.ts";
import { childIncludes } from "./child_includes.ts";
import { columnNamesInSql } from "./column_names_in_sql.ts";
import { columnPatterns } from "./column_patterns.ts";
import { exceptionWithoutScope } from "./exception_without_scope.ts";
import { fileSegments } from "./file_segments.ts";
import { isolation } from "./isolation.ts";
import { keyOfResource } from "./key_of_resource.ts";
import { oneColumnPerScope } from "./one_column_per_scope.ts";
import { parameterNames } from "./parameter_names.ts";
import { requiredColumnsCreateable } from "./required_columns_createable.ts";
import { reservedColumns, reservedTables } from "./reserved_names.ts";
import { roleNarrows } from "./role_narrows.ts";
import { rollups } from "./rollups.ts";
import { scopesNeedOrganizations } from "./scopes_need_organizations.ts";
import { searchTables } from "./search_tables.ts";
import { sequences } from "./sequences.ts";
import { setNullNeedsNullable } from "./set_null_needs_nullable.ts";
import { foreignKeysWithinHome } from "./tenancy.ts";
import { uniqueNames } from "./unique_names.ts";
import { upsertNeedsOpenRecords } from "./upsert_needs_open_records.ts";
import { vectors } from "./vectors.ts";
import type { Rule } from "./rule.ts";

export const RULES: readonly Rule[] = [
  uniqueNames,
  reservedTables,
  keyOfResource,
  columnNamesInSql,
  reservedColumns,
  sequences,
  rollups,
  parameterNames,
  oneColumnPerScope,
  scopesNeedOrganizations,
  isolation,
  exceptionWithoutScope,
  setNullNeedsNullable,
  cascadeWithinFirewall,
  restrictOfSoftDeleted,
  roleNarrows,
  childIncludes,
  columnPatterns,
  vectors,
  fileSegments,
  requiredColumnsCreateable,
  upsertNeedsOpenRecords,
  foreignKeysWithinHome,
  accounts,
  searchTables,
];
