/** All rules, in the order of their diagnostics. */
import { cascadeWithinFirewall } from "./cascade_within_firewall.ts";
import { columnNamesInSql } from "./column_names_in_sql.ts";
import { exceptionWithoutScope } from "./exception_without_scope.ts";
import { isolation } from "./isolation.ts";
import { keyOfResource } from "./key_of_resource.ts";
import { oneColumnPerScope } from "./one_column_per_scope.ts";
import { parameterNames } from "./parameter_names.ts";
import { requiredColumnsCreateable } from "./required_columns_createable.ts";
import { reservedNames } from "./reserved_names.ts";
import type { Rule } from "./rule.ts";
import { scopesNeedOrganizations } from "./scopes_need_organizations.ts";
import { setNullNeedsNullable } from "./set_null_needs_nullable.ts";
import { uniqueNames } from "./unique_names.ts";
import { upsertNeedsOpenRecords } from "./upsert_needs_open_records.ts";

export const RULES: readonly Rule[] = [
  uniqueNames,
  reservedNames,
  keyOfResource,
  columnNamesInSql,
  parameterNames,
  oneColumnPerScope,
  scopesNeedOrganizations,
  isolation,
  exceptionWithoutScope,
  setNullNeedsNullable,
  cascadeWithinFirewall,
  requiredColumnsCreateable,
  upsertNeedsOpenRecords,
];
