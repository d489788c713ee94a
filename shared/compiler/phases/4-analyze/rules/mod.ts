/** Rules that need the whole project, in the order of their diagnostics. */
import { scopeOf } from "../../../../column_types/mod.ts";
import { RESERVED_PARAMETERS } from "../../../../contract/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { columnPredicates, type FirewallPredicate } from "../../../../model/mod.ts";
import { columnsAsked, kebabCase } from "../../../../surface/mod.ts";
import { type Analysis, sqlNameOf } from "../tables/analysis.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import { olderScopeColumn } from "../tables/predicates.ts";
import { primaryKeyOf, primaryTableOf } from "../tables/draft.ts";
import { accounts } from "./accounts.ts";
import { cascadeWithinFirewall, restrictOfSoftDeleted } from "./cascade_within_firewall.ts";
import { childIncludes } from "./child_includes.ts";
import { columnPatterns } from "./column_patterns.ts";
import { fileSegments } from "./file_segments.ts";
import { reservedColumns, reservedTables } from "./reserved_names.ts";
import { roleNarrows } from "./role_narrows.ts";
import { searchTables } from "./search_tables.ts";
import { foreignKeysWithinHome } from "./tenancy.ts";
import type { Rule, Subject } from "./rule.ts";
import { rollups } from "./rollups.ts";
import { sequences } from "./sequences.ts";
import { vectors } from "./vectors.ts";

/** Each by its name, in the order of their diagnostics. */
const BY_NAME: Readonly<Record<string, Rule>> = {
  /** No two tables with one name in SQL, which does not tell upper from lower case; the same words would also be one URL segment (definitions 1). */
  uniqueNames({ analysis }) {
    const inFileOrder = [...analysis.tables].sort((a, b) => a.file < b.file ? -1 : 1);
    const tables = new Map<string, TableDraft>();
    for (const table of inFileOrder) {
      const sqlName = table.sqlName.toLowerCase();
      const first = tables.get(sqlName);
      if (first === undefined) {
        tables.set(sqlName, table);
        continue;
      }
      const [wrong, right] = isNamesake(table) && !isNamesake(first)
        ? [first, table]
        : [table, first];
      const details = { table: wrong.name, other: right.name, file: right.file };
      analysis.report.add("TABLE_TWICE", wrong.namePlace, details);
      tables.set(sqlName, right);
    }
  },

  reservedTables,

  /** A resource is addressed by `id` (contract 2.1), and its key is made as the project says (definitions 2). */
  keyOfResource({ analysis, subjects }) {
    const { generateId } = analysis.config.model.database;
    for (const { firewall: { table } } of subjects) {
      const key = primaryKeyOf(table);
      if (table.options && key && key.name !== "id") {
        analysis.report.add("PRIMARY_KEY_NAME", key.place, { column: key.name });
      }
      if (key?.keyStorage === "text" && generateId === "serial") {
        analysis.report.add("PRIMARY_KEY_STORAGE", key.place, { column: key.name });
      }
    }
  },

  /** No two columns of a table with one name in SQL, which does not tell upper from lower case (definitions 1). */
  columnNamesInSql({ analysis, subjects }) {
    for (const { firewall: { table } } of subjects) {
      const names = new Map<string, string>();
      for (const column of table.columns.values()) {
        const sqlName = sqlNameOf(column, analysis);
        const other = names.get(sqlName.toLowerCase());
        if (other !== undefined) {
          const details = { column: column.name, other, sqlName };
          analysis.report.add("COLUMN_TWICE", column.place, details);
        }
        names.set(sqlName.toLowerCase(), other ?? column.name);
      }
    }
  },

  reservedColumns,

  sequences,

  rollups,

  /** A column that shares its name with a query parameter cannot be filtered by it alone (contract 4.3). */
  parameterNames({ analysis, subjects }) {
    for (const { firewall: { table }, resource } of subjects) {
      if (!resource?.read) continue;
      for (const { name, place } of table.columns.values()) {
        if (!RESERVED_PARAMETERS.some((parameter) => parameter === name)) continue;
        analysis.report.add("COLUMN_IS_PARAMETER", place, { column: name });
      }
    }
  },

  /** A row belongs to one organization, one owner, one team; it has one revision (contract 2.2, definitions 3). */
  oneColumnPerScope({ analysis, subjects }) {
    for (const { firewall: { table } } of subjects) {
      const seen = new Map<string, string>();
      for (const column of table.columns.values()) {
        const role = serviceRole(column);
        if (role === null) continue;
        const other = seen.get(role);
        if (other === undefined) seen.set(role, column.name);
        else analysis.report.add("SCOPE_TWICE", column.place, { column: column.name, other, role });
      }
    }
  },

  /** Without organizations nobody is in one, or in a team of one (definitions 2, `features.organizations`). */
  scopesNeedOrganizations({ analysis, subjects }) {
    if (analysis.config.model.multiTenant) return;
    for (const subject of subjects) {
      const { firewall } = subject;
      const columns = [...firewall.table.columns.values()].filter(({ type }) => {
        const scope = scopeOf(type);
        return scope !== null && scope !== "owner";
      });
      for (const { name, place } of columns) {
        analysis.report.add("SCOPE_WITHOUT_TENANTS", place, { name });
      }
      const predicate = columnPredicates(firewall.predicates).find((candidate) =>
        (candidate.kind === "organization" || candidate.kind === "team") &&
        !columns.some((column) => column.name === candidate.column)
      );
      if (predicate) {
        analysis.report.add("SCOPE_WITHOUT_TENANTS", firewall.place, { name: predicate.column });
      }
    }
  },

  /** No table is open by accident: somebody's rows are told from others', or the author says otherwise (definitions 4.1). */
  isolation({ analysis, subjects }) {
    for (const { firewall } of subjects) {
      const { table, place, isComplete, exception, predicates } = firewall;
      const isInternal = table.options === null;
      if (isInternal && !analysis.config.model.multiTenant) continue;
      if (!isComplete || !isKnown(table) || exception) continue;
      if (
        columnPredicates(predicates).some(({ operand }) =>
          operand.kind === "context" || operand.kind === "contextList"
        )
      ) continue;
      if (!analysis.config.model.multiTenant && predicates.some(isolatesByRelation)) continue;
      if (isInternal && mayStillInherit(table, analysis)) continue;
      const userColumn = olderScopeColumn(table, "owner");
      analysis.report.add("ISOLATION_MISSING", place, {
        table: table.name,
        isInternal,
        userColumn,
      });
    }
  },

  /** `exception: true` says that nothing isolates; a scope column, or a scope beside it, says the opposite (definitions 4.1). */
  exceptionWithoutScope({ analysis, subjects }) {
    for (const { firewall } of subjects) {
      const { table, exception, predicates } = firewall;
      if (!exception) continue;
      const scoped = [...table.columns.values()].find(({ type }) => scopeOf(type) !== null);
      const predicate = predicates.find((candidate) => candidate.kind !== "notDeleted");
      const column = scoped?.name ??
        (predicate?.kind === "rule" ? columnsAsked(predicate.predicate)[0] : predicate?.column);
      if (column === undefined) continue;
      analysis.report.add("EXCEPTION_WITH_SCOPE", exception, { table: table.name, column });
    }
  },

  /** `onDelete: "set null"` needs a column that may be null (definitions 3). */
  setNullNeedsNullable({ analysis, subjects }) {
    for (const { firewall: { table } } of subjects) {
      for (const { name, required, references } of table.columns.values()) {
        if (!required || references?.onDelete !== "set null") continue;
        const place = references.onDeletePlace ?? references.place;
        analysis.report.add("SET_NULL_REQUIRED", place, { column: name });
      }
    }
  },

  cascadeWithinFirewall,
  restrictOfSoftDeleted,
  roleNarrows,

  childIncludes,

  columnPatterns,
  vectors,

  fileSegments,

  /** A required column without default must be one that some create may set (definitions 4.3). */
  requiredColumnsCreateable({ analysis, subjects }) {
    for (const subject of subjects) {
      const { table } = subject.firewall;
      const unset = unsettable(subject);
      const [first] = unset;
      if (!first) continue;
      if (table.options?.entries.has("guards")) {
        for (const { name, place } of unset) {
          analysis.report.add("REQUIRED_NOT_CREATEABLE", place, { column: name });
        }
        continue;
      }
      // Without any guards there is one mistake, not one per column.
      const columns = unset.map((column) => column.name).join(", ");
      analysis.report.add("GUARDS_MISSING", table.namePlace, { table: table.name, columns });
    }
  },

  /** PUT needs ids that the client chooses and records that it may write whole (contract 4.1 rule 3, definitions 2). */
  upsertNeedsOpenRecords({ analysis, subjects }) {
    for (const { firewall: { table }, resource } of subjects) {
      if (!resource?.upsert || !table.options) continue;
      const isClientKeyed = analysis.config.model.database.generateId === false;
      if (isClientKeyed && resource.guards === null) continue;
      // The key itself, at the top or under `crud`.
      const options = table.options;
      const crud = options.entries.get("crud")?.value;
      const entries = [
        ...options.entries.values(),
        ...(crud?.kind === "object" ? crud.entries : []),
      ];
      const entry = entries.find(({ key }) => key === "upsert" || key === "put");
      const place = entry?.keyPlace ?? options.place;
      const missing = [
        ...(isClientKeyed ? [] : ["generateId: false"]),
        ...(resource.guards === null ? [] : ["guards: false"]),
      ].join(" and ");
      analysis.report.add("UPSERT_NOT_POSSIBLE", place, { table: table.name, missing });
    }
  },

  foreignKeysWithinHome,
  accounts,
  searchTables,
};

export const RULES: readonly Rule[] = Object.values(BY_NAME);

/** Without organizations rows may belong to whoever reaches what they refer to. */
function isolatesByRelation(predicate: FirewallPredicate): boolean {
  if (predicate.kind !== "rule" || predicate.roles.length > 0) return false;
  const { predicate: rule } = predicate;
  return rule.kind === "related" || (rule.kind === "context" && rule.of.kind === "related");
}

function serviceRole({ type, manager }: ColumnDraft): string | null {
  const scope = scopeOf(type);
  if (scope !== null) return `${scope} scope`;
  return manager === "revision" ? "revision" : null;
}

/** The file bears the table's name, so of two with that name it is the other that took it. */
function isNamesake({ file, name }: TableDraft): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  return kebabCase(base) === kebabCase(name);
}

/** A column that could not be read may be the one that isolates. */
function isKnown({ isComplete, columns }: TableDraft): boolean {
  return isComplete && [...columns.values()].every((column) => column.type !== null);
}

/** The table whose scope it would have could not be read. */
function mayStillInherit({ feature }: TableDraft, { tables, brokenFiles }: Analysis): boolean {
  const folder = `quickback/features/${feature}/`;
  if ([...brokenFiles].some((file) => file.startsWith(folder))) return true;
  const primary = primaryTableOf(feature, tables);
  return primary !== null && !isKnown(primary);
}

/** A create that an action carries out may set what it likes. */
function unsettable({ firewall, resource }: Subject): readonly ColumnDraft[] {
  const { table } = firewall;
  if (!resource?.create || resource.create.action !== null || !resource.guards) return [];
  const guards = table.options?.entries.get("guards")?.value;
  if (guards !== undefined && guards.kind !== "object") return [];
  const { createable } = resource.guards;
  return [...table.columns.values()].filter((column) =>
    column.manager === "client" && column.type !== null && column.required &&
    column.default === null && !createable.includes(column.name) &&
    !isMisspelt(column.name, table)
  );
}

/** Listed under a name that was reported as unknown. */
function isMisspelt(name: string, { options, columns }: TableDraft): boolean {
  const guards = options?.entries.get("guards")?.value;
  if (guards?.kind !== "object") return false;
  const lists = guards.entries.filter(({ key }) => key === "createable" || key === "immutable");
  const words = lists.flatMap(({ value }) => value.kind === "array" ? value.items : []);
  return words.some((word) =>
    word.kind === "string" && !columns.has(word.value) &&
    nearest(word.value, columns.keys()) === name
  );
}
