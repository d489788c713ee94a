/**
 * Converts one foreign table to a table of the draft: quickback's names and system columns, the tenant's column, and an outcome
 * for each clause.
 */
import { SYSTEM_FIELDS } from "../../shared/contract/mod.ts";
import { camelCase, snakeCase } from "../../shared/surface/names.ts";
import type { DraftColumn, DraftColumnType, DraftTable } from "./draft.ts";
import { type Checked, withCheck } from "./draft_checks.ts";
import { expressionText } from "./draft_expressions.ts";
import { keyedColumns } from "./draft_keys.ts";
import { columnNames, isSpelledAlike } from "./draft_names.ts";
import { fittingDefault, fittingOnDelete, fittingType } from "./draft_values.ts";
import type { ForeignColumn, ForeignTable, Relation } from "./foreign_schema.ts";
import type { Ledger } from "./ledger.ts";
import { referringColumns } from "./tenancy.ts";

export interface Around {
  /** Name of the table in the draft. */
  readonly name: string;
  /** Tables of the draft by their foreign names. */
  readonly known: ReadonlyMap<string, { readonly name: string; readonly key: string | null }>;
  /** Foreign names, in lower case, of tables that quickback's accounts replace. */
  readonly accounts: ReadonlySet<string>;
  /** Foreign names, in lower case, of tables whose key is the id of an account. */
  readonly profiles: ReadonlySet<string>;
  readonly multiTenant: boolean;
  readonly tenant: ForeignTable | null;
  readonly ledger: Ledger;
}

export interface DraftedTable {
  readonly foreign: ForeignTable;
  readonly table: DraftTable;
  /** Draft's column names by those of the source in lower case. */
  readonly names: ReadonlyMap<string, string>;
}

/** System columns that every table has, by their names in other systems. */
const SYSTEM_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["created_at", "createdAt"],
  ["created_by", "createdBy"],
  ["updated_at", "modifiedAt"],
  ["modified_at", "modifiedAt"],
  ["updated_by", "modifiedBy"],
  ["modified_by", "modifiedBy"],
  ["deleted_at", "deletedAt"],
  ["deleted_by", "deletedBy"],
]);

/** Names of columns that contain the row's tenant without a foreign key. */
const TENANT_COLUMN = /^(organi[sz]ation|org|tenant|workspace)_id$/;

export function draftTable(foreign: ForeignTable, around: Around): DraftedTable {
  const { ledger, name, multiTenant } = around;
  if (isSpelledAlike(foreign.name, name)) ledger.carry(foreign.clause);
  else ledger.change(foreign.clause, "it has another name here");
  const key = around.known.get(foreign.name)?.key ?? null;
  const tenant = multiTenant ? tenantColumnOf(foreign, around) : null;
  const columns = distinctColumns(foreign, ledger);
  const plain = columns.filter((column) =>
    column.name !== tenant && column.name !== key && !SYSTEM_COLUMNS.has(snakeCase(column.name))
  );
  const names = namesOf(foreign, plain, around);
  const spelled = new Map(plain.map((column, at) => [column.name.toLowerCase(), names[at] ?? ""]));
  for (const column of columns.filter((one) => !plain.includes(one))) {
    spelled.set(column.name.toLowerCase(), settleOwn(column, { key, tenant }, ledger));
  }
  settleKey(foreign, key, ledger);
  const checked = checkedColumns(foreign, plain, ledger);
  const drafted = plain.map((column) => {
    const at = spelled.get(column.name.toLowerCase()) ?? "";
    return draftColumn(column, at, { foreign, checked, spelled, around });
  });
  const own: DraftColumn[] = multiTenant ? [ID, ORGANIZATION, ...drafted] : [ID, ...drafted];
  settleRelations(foreign, tenant, around);
  const { unique, indexes, columns: keyed } = keyedColumns({ foreign, key, own, spelled, ledger });
  return {
    foreign,
    names: spelled,
    table: {
      name,
      description: descriptionOf(foreign.comment, ledger),
      columns: keyed,
      unique,
      indexes,
      rules: [],
    },
  };
}

const PLAIN = {
  isRequired: false,
  isUnique: false,
  isIndexed: false,
  fallback: null,
  description: null,
  clause: null,
};
const ID: DraftColumn = { ...PLAIN, name: "id", type: { kind: "id" } };
const ORGANIZATION: DraftColumn = {
  ...PLAIN,
  name: "organizationId",
  type: { kind: "scope", of: "organization" },
};

/** Returns the columns. If a source defines a column twice, the last definition counts. */
function distinctColumns({ columns }: ForeignTable, ledger: Ledger): readonly ForeignColumn[] {
  const last = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  for (const column of columns) {
    if (last.get(column.name.toLowerCase()) === column) continue;
    for (const part of partsOf(column)) ledger.leaveOut(part, "a later column has its name");
  }
  return [...last.values()];
}

function partsOf({ clause, length, fallback, generated, comment }: ForeignColumn) {
  return [clause, ...[length, fallback, generated, comment].flatMap((part) => part?.clause ?? [])];
}

/** Returns the column with the tenant's id. */
function tenantColumnOf(table: ForeignTable, { tenant }: Around): string | null {
  const referring = tenant === null ? [] : referringColumns(table, tenant);
  const required = referring.find((name) =>
    table.columns.find((column) => column.name === name)?.isRequired
  );
  const named = table.columns.find(({ name }) => TENANT_COLUMN.test(snakeCase(name)))?.name;
  return required ?? referring[0] ?? named ?? null;
}

/** Returns the column names. Scope columns have fixed names, so that a key of another table needs a different one. */
function namesOf(
  table: ForeignTable,
  columns: readonly ForeignColumn[],
  { multiTenant, known, accounts, profiles }: Around,
): readonly string[] {
  const wished = columns.map(({ name }) => {
    const relation = relationOf(name, table);
    const isKey = relation !== undefined && known.has(relation.table) &&
      !profiles.has(relation.table.toLowerCase());
    if (snakeCase(name) === "id" && relation) {
      return accounts.has(relation.table.toLowerCase()) || !isKey
        ? "user_id"
        : `${snakeCase(relation.table)}_id`;
    }
    const scope = camelCase(name);
    const isTaken = scope === "organizationId" || (scope === "teamId" && (!multiTenant || isKey)) ||
      (scope === "ownerId" && isKey);
    return isTaken ? `its_${snakeCase(name)}` : name;
  });
  return columnNames(wished, ["id", ...SYSTEM_FIELDS, "organizationId"]);
}

/** Settles columns that the service provides itself. */
function settleOwn(
  column: ForeignColumn,
  { key, tenant }: { readonly key: string | null; readonly tenant: string | null },
  ledger: Ledger,
): string {
  const { name, clause, isRequired } = column;
  const [, ...parts] = partsOf(column);
  const settled = (ours: string, reason: string | null) => {
    if (reason === null) ledger.carry(clause);
    else ledger.change(clause, reason);
    for (const part of parts) ledger.carry(part);
    return ours;
  };
  if (name === key) return settled("id", name === "id" ? null : "the key is called `id`");
  if (name === tenant) {
    return settled(
      "organizationId",
      isRequired
        ? "it is the organization's id"
        : "it is the organization's id, which every row has",
    );
  }
  const system = SYSTEM_COLUMNS.get(snakeCase(name)) ?? "";
  const isSame = snakeCase(system) === snakeCase(name);
  return settled(system, isSame ? null : `it is \`${system}\`, which the service stamps`);
}

function settleKey({ key }: ForeignTable, own: string | null, ledger: Ledger): void {
  if (!key) return;
  if (own === "id") ledger.carry(key.clause);
  else if (own !== null) ledger.change(key.clause, "the key is called `id`");
  else ledger.change(key.clause, "the key is `id`, and the columns are unique together");
}

/** Returns the columns with the types that their lengths and checks give. */
function checkedColumns(
  { checks, key }: ForeignTable,
  columns: readonly ForeignColumn[],
  ledger: Ledger,
): ReadonlyMap<string, Checked> {
  let checked: ReadonlyMap<string, Checked> = new Map(columns.map((column) => {
    const type = fittingType(column.type);
    const max = column.length?.max;
    const isLong = type.kind === "text" && type.enum === null && max !== undefined && max >= 1;
    // A column of the key cannot be null.
    const isRequired = column.isRequired || key?.columns.includes(column.name) === true;
    return [column.name, { type: isLong ? { ...type, maxLength: max } : type, isRequired }];
  }));
  for (const { clause, condition } of checks) {
    const narrowed = condition && withCheck(condition, checked);
    if (narrowed) {
      checked = narrowed;
      ledger.carry(clause);
    } else ledger.leaveOut(clause, "no type says it: `before*` hooks of records can refuse");
  }
  return checked;
}

interface ColumnAround {
  readonly foreign: ForeignTable;
  readonly checked: ReadonlyMap<string, Checked>;
  readonly spelled: ReadonlyMap<string, string>;
  readonly around: Around;
}

function draftColumn(column: ForeignColumn, name: string, within: ColumnAround): DraftColumn {
  const { around: { ledger }, foreign, checked } = within;
  const { type, isRequired } = checked.get(column.name) ?? column;
  if (column.question === null) ledger.carry(column.clause);
  else ledger.change(column.clause, column.question);
  if (!isSpelledAlike(column.name, name)) ledger.change(column.clause, "it has another name here");
  if (type.kind !== column.type.kind && type.kind === "text") {
    ledger.change(column.clause, "a set of values without words became text");
  }
  const relation = relationOf(column.name, foreign);
  const special = scopeType(name, within) ??
    (relation && keyType(relation, isRequired, within.around));
  const description = descriptionOf(column.comment, ledger);
  if (special) {
    const fallback = special.kind === "account" ? callerDefault(column, ledger) : null;
    settleUnused(column, ledger);
    const isScope = special.kind === "scope";
    if (isScope) {
      ledger.change(
        column.clause,
        "it is stamped with the caller, and others do not see the row: rename it where they should",
      );
      if (relation) ledger.carry(relation.clause);
    }
    return {
      ...PLAIN,
      name,
      type: special,
      isRequired: isRequired && !isScope,
      fallback,
      description,
    };
  }
  if (column.length && type.kind === "text") ledger.carry(column.length.clause);
  else if (column.length) {
    ledger.leaveOut(column.length.clause, "the values of the column have no length");
  }
  const computed = computedType(column, within, type);
  if (computed) {
    if (column.fallback) ledger.leaveOut(column.fallback.clause, "nobody writes a computed column");
    return {
      ...PLAIN,
      name,
      type: computed,
      description,
      clause: column.generated?.clause ?? null,
    };
  }
  return {
    ...PLAIN,
    name,
    type: { kind: "plain", of: type },
    isRequired,
    fallback: defaultOf(column, type, within.around),
    description,
    clause: patternClause(column.name, type, foreign),
  };
}

/** Returns the description; null if there is none. */
function descriptionOf(comment: ForeignTable["comment"], ledger: Ledger): string | null {
  if (!comment) return null;
  const text = comment.text.trim();
  const isWritable = text !== "" && text.isWellFormed() && !text.includes("\0");
  if (isWritable) ledger.carry(comment.clause);
  else ledger.leaveOut(comment.clause, "it is no text that a file can hold");
  return isWritable ? text : null;
}

/** Returns the clause of the check that the column's pattern expresses, because the compiler may refuse the pattern. */
function patternClause(name: string, type: Checked["type"], { checks }: ForeignTable) {
  if (type.kind !== "text" || type.pattern === undefined) return null;
  return checks.find(({ condition }) => condition?.kind === "pattern" && condition.column === name)
    ?.clause ?? null;
}

/** Returns the only default that an account column can have. */
function callerDefault({ fallback }: ForeignColumn, ledger: Ledger): DraftColumn["fallback"] {
  if (fallback?.value.kind !== "userId") return null;
  ledger.carry(fallback.clause);
  return { kind: "userId" };
}

/** Settles properties that a column of a scope or a key does not have in the draft. */
function settleUnused({ length, fallback, generated }: ForeignColumn, ledger: Ledger): void {
  const reason = "ids are the service's own";
  for (const part of [length, fallback, generated]) {
    if (part && ledger.outcomeOf(part.clause) === null) ledger.leaveOut(part.clause, reason);
  }
}

function scopeType(
  name: string,
  { around: { multiTenant } }: ColumnAround,
): DraftColumnType | null {
  if (name === "ownerId") return { kind: "scope", of: "owner" };
  return name === "teamId" && multiTenant ? { kind: "scope", of: "team" } : null;
}

/** Returns the relation of one column; a second one of the same column is left out. */
function relationOf(name: string, { relations }: ForeignTable): Relation | undefined {
  return relations.find(({ columns }) => columns.length === 1 && columns[0] === name);
}

/** Returns the type of a key; null: the column stays as it is. */
function keyType(
  { table, targets, clause, onDelete, question }: Relation,
  isRequired: boolean,
  { known, accounts, profiles, ledger }: Around,
): DraftColumnType | null {
  const isProfile = profiles.has(table.toLowerCase());
  if (accounts.has(table.toLowerCase()) || isProfile) {
    if (isProfile) ledger.change(clause, "the key of a row of an account is the account's id");
    else if (onDelete === "cascade" || onDelete === "set null") {
      ledger.change(clause, "a row stays as it is when its account goes");
    } else ledger.carry(clause);
    return { kind: "account" };
  }
  const target = known.get(table);
  const [only, ...others] = targets ?? [];
  const isKey = target !== undefined && others.length === 0 &&
    (only === undefined || only === target.key);
  if (!target || !isKey) return null;
  const rule = fittingOnDelete(onDelete, isRequired);
  if (question !== null) ledger.change(clause, question);
  else if (rule !== onDelete) ledger.change(clause, "nothing sets a required column to null");
  else ledger.carry(clause);
  return { kind: "key", table: target.name, onDelete: rule };
}

function computedType(
  { generated }: ForeignColumn,
  { spelled, around: { ledger } }: ColumnAround,
  type: Checked["type"],
): DraftColumnType | null {
  if (!generated) return null;
  const read = generated.expression && expressionText(generated.expression, spelled);
  const isComputable = COMPUTABLE.has(type.kind);
  if (!read || !isComputable || read.sources.includes("id")) {
    ledger.leaveOut(
      generated.clause,
      "its expression has no words here: callers write it, or your code",
    );
    return null;
  }
  ledger.carry(generated.clause);
  return { kind: "computed", of: type, ...read };
}

const COMPUTABLE = new Set(["int", "real", "decimal", "text", "bool", "date", "timestamp"]);

function defaultOf(
  { fallback }: ForeignColumn,
  type: Checked["type"],
  { ledger, multiTenant }: Around,
) {
  if (!fallback) return null;
  const fitting = fittingDefault(type, fallback.value);
  if (!fitting) {
    const { value } = fallback;
    const reason = value.kind === "unknown"
      ? "only that database can work it out"
      : "it is no value that the column takes";
    ledger.leaveOut(fallback.clause, reason);
    return null;
  }
  const isSame = fitting.made === null || (fitting.fallback.kind === "sequence" && !multiTenant);
  if (isSame) ledger.carry(fallback.clause);
  else ledger.change(fallback.clause, fitting.made ?? "");
  return fitting.fallback;
}

/** Settles relations that no column's type expresses. */
function settleRelations(
  { relations }: ForeignTable,
  tenant: string | null,
  { ledger }: Around,
): void {
  for (const { clause, columns } of relations) {
    const [only, ...others] = columns;
    const isToTenant = only === tenant && others.length === 0;
    // "Carried" or "changed" stays only if no worse outcome is recorded.
    if (ledger.outcomeOf(clause) !== null) continue;
    if (isToTenant) {
      ledger.carry(clause);
      continue;
    }
    const reason = columns.length > 1
      ? "a key of several columns is none here: its columns stay"
      : "it leads to a column that is no key here, or to a table that is not: the value stays";
    ledger.leaveOut(clause, reason);
  }
}
