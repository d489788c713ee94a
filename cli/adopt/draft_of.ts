/** Turns a foreign schema into a draft: our names, our system columns and tenants, and a line for each thing to decide. */
import { SYSTEM_FIELDS } from "../../shared/contract/mod.ts";
import { snakeCase } from "../../shared/surface/names.ts";
import type {
  Decision,
  Draft,
  DraftColumn,
  DraftTable,
  ForeignColumn,
  ForeignSchema,
  ForeignTable,
  Reference,
} from "./draft.ts";
import { columnNames, isSpelledAlike, tableKey, tableNames } from "./draft_names.ts";
import { fittingDefault, fittingOnDelete, fittingType } from "./draft_values.ts";

/** Tables that the product's own accounts stand for, by their name in snake case and in the plural. */
const ACCOUNT_TABLES: ReadonlySet<string> = new Set([
  "users",
  "sessions",
  "verifications",
  "verification_tokens",
  "password_reset_tokens",
]);
const ORGANIZATION_TABLES: ReadonlySet<string> = new Set([
  "organizations",
  "organisations",
  "orgs",
  "tenants",
  "workspaces",
]);
const MEMBER_TABLES: ReadonlySet<string> = new Set([
  "members",
  "memberships",
  "organization_members",
  "organization_users",
  "workspace_members",
]);

/** Columns that say whose row it is without a foreign key. */
const TENANT_COLUMN = /^(organi[sz]ation|org|tenant|workspace)_id$/;
const SCOPES: ReadonlyMap<string, DraftColumn["type"]> = new Map([
  ["ownerId", { kind: "scope", of: "owner" }],
  ["teamId", { kind: "scope", of: "team" }],
]);

/** Every table has these under our names. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set([
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "modified_at",
  "modified_by",
  "deleted_at",
  "deleted_by",
]);

/** `references` of the draft lead only to tables of the draft. */
export function draftOf({ tables, questions }: ForeignSchema, multiTenant: boolean): Draft {
  const kept = tables.filter(({ name }) => !isStandIn(tableKey(name)));
  const names = tableNames(kept.map(({ name }) => name));
  const known = new Map(
    kept.map(({ name, primaryKey }, at) => [name, { name: names[at] ?? "", primaryKey }] as const),
  );
  const drafted = kept.map((table, at) =>
    draftTable(table, { name: names[at] ?? "", known, multiTenant })
  );
  return {
    tables: drafted.map(({ table }) => table),
    decisions: [
      ...GENERAL,
      ...tables.filter((table) => !kept.includes(table)).map(({ name }) =>
        about(null, `Table "${name}" was left out: ${STAND_IN}`)
      ),
      ...questions.map((question) => about(null, question)),
      ...drafted.flatMap(({ decisions }) => decisions),
    ],
  };
}

const GENERAL: readonly Decision[] = [
  "Every operation admits nobody: name the roles in each `access`",
  "Ids are made by this API: `generateId` in quickback.config.ts says how, and existing rows keep theirs only as text",
  "`createable` and `updatable` list every column: take out what callers must not write",
  "Only columns with well-known names are masked (a warning lists them): add `masking` for what not everybody who reads a row may see",
].map((text) => about(null, text));

const STAND_IN = "accounts, sessions, organizations and members are the product's own";

function about(table: string | null, text: string): Decision {
  return { table, text };
}

function isStandIn(key: string): boolean {
  return ACCOUNT_TABLES.has(key) || ORGANIZATION_TABLES.has(key) || MEMBER_TABLES.has(key);
}

interface Around {
  /** Its own name here. */
  readonly name: string;
  /** Tables of the draft by their foreign names. */
  readonly known: ReadonlyMap<
    string,
    { readonly name: string; readonly primaryKey: readonly string[] }
  >;
  readonly multiTenant: boolean;
}

interface DraftedTable {
  readonly table: DraftTable;
  readonly decisions: readonly Decision[];
}

function draftTable(foreign: ForeignTable, around: Around): DraftedTable {
  const { name, multiTenant } = around;
  const decisions: Decision[] = [];
  const decide = (text: string) => void decisions.push(about(name, text));
  const key = keyColumnOf(foreign);
  if (foreign.primaryKey.length !== 1) {
    decide(`it had ${foreign.primaryKey.length} columns as its key and has \`id\` now`);
  } else if (key === null) {
    decide(`its key \`${foreign.primaryKey[0]}\` refers to another table, and it has \`id\` now`);
  } else if (key !== "id") decide(`its key \`${key}\` is \`id\` now`);
  const tenant = multiTenant ? tenantColumnOf(foreign) : undefined;
  if (tenant) decide(`\`${tenant.name}\` became its organization: its values must be ids of ours`);
  else if (multiTenant) {
    decide(
      "it had no organization and has one now: rows of everybody need `firewall: { exception: true }`",
    );
  }
  const plain = distinctColumns(foreign.columns).filter((column) =>
    column !== tenant && column.name !== key && !isSystemColumn(column.name)
  );
  const names = columnNames(plain.map((column) => column.name), [
    ...TAKEN_COLUMNS,
    "organizationId",
    ...(multiTenant ? [] : ["teamId"]),
  ]);
  const ours: DraftColumn[] = multiTenant ? [ID, ORGANIZATION] : [ID];
  plain.forEach((column, at) => {
    if (column.question !== null) decide(`\`${column.name}\`: ${column.question}`);
    const drafted = draftColumn(column, names[at] ?? "", around);
    for (const told of changesOf(column, drafted)) decide(told);
    ours.push(drafted);
  });
  const isShared = !ours.some(({ type }) => type.kind === "scope");
  if (isShared) decide("its rows are everybody's who may read at all");
  const spelled = new Map(plain.map((column, at) => [column.name, names[at] ?? ""]));
  if (tenant) spelled.set(tenant.name, ORGANIZATION.name);
  const sets = [...foreign.unique, ...(foreign.primaryKey.length > 1 ? [foreign.primaryKey] : [])];
  const unique = sets.flatMap((set) => fittingSet(set, spelled, ours) ?? []);
  return {
    table: {
      name,
      columns: ours.map((column) =>
        unique.some((set) => set.columns.length === 1 && set.columns[0] === column.name)
          ? { ...column, isUnique: true }
          : column
      ),
      isShared,
      unique: distinctSets(unique.map(({ columns }) => columns).filter((set) => set.length > 1)),
    },
    decisions: isSpelledAlike(foreign.name, name) && decisions.length === 0
      ? decisions
      : [about(name, `it was "${foreign.name}"`), ...decisions],
  };
}

/** The column that `id` stands for; null: the table has none, or it says to which row of another table it belongs. */
function keyColumnOf({ primaryKey, columns }: ForeignTable): string | null {
  const [only, ...others] = primaryKey;
  if (only === undefined || others.length > 0) return null;
  return columns.find(({ name }) => name === only)?.references ? null : only;
}

function tenantColumnOf({ columns }: ForeignTable): ForeignColumn | undefined {
  return columns.find(({ name, references }) =>
    (references !== null && ORGANIZATION_TABLES.has(tableKey(references.table))) ||
    TENANT_COLUMN.test(snakeCase(name))
  );
}

function isSystemColumn(name: string): boolean {
  return SYSTEM_COLUMNS.has(snakeCase(name));
}

/** A source that names a column twice means the last of them. */
function distinctColumns(columns: readonly ForeignColumn[]): readonly ForeignColumn[] {
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

/** The columns of a unique set here, without the tenant's; null: one of them is not here, or cannot be compared. */
function fittingSet(
  set: readonly string[],
  spelled: ReadonlyMap<string, string>,
  columns: readonly DraftColumn[],
): { readonly columns: readonly string[] } | null {
  const ours = set.map((one) => spelled.get(one));
  const types = ours.map((one) => columns.find(({ name }) => name === one)?.type.kind);
  if (types.some((kind) => kind === undefined || kind === "json" || kind === "id")) return null;
  const own = [...new Set(ours.filter((one) => one !== undefined && one !== ORGANIZATION.name))];
  return own.length === 0 ? null : { columns: own.filter((one) => one !== undefined) };
}

/** Each once, whatever the order of its columns. */
function distinctSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(sets.map((set) => [[...set].sort().join(), set])).values()];
}

const PLAIN = { isRequired: false, isUnique: false, fallback: null, references: null };
const ID: DraftColumn = { ...PLAIN, name: "id", type: { kind: "id" } };
const ORGANIZATION: DraftColumn = {
  ...PLAIN,
  name: "organizationId",
  type: { kind: "scope", of: "organization" },
};
/** Columns that every table has. */
const TAKEN_COLUMNS = ["id", ...SYSTEM_FIELDS];

function draftColumn(
  { type: written, isRequired, isUnique, fallback, references }: ForeignColumn,
  name: string,
  { known }: Around,
): DraftColumn {
  const type = fittingType(written);
  const scope = SCOPES.get(name);
  if (scope) return { ...PLAIN, name, type: scope };
  const table = references ? known.get(references.table) : undefined;
  if (!references || !table || !refersToKey(references, table.primaryKey)) {
    const kept = fittingDefault(type, fallback);
    // JSON is not compared.
    return {
      name,
      type,
      isRequired,
      isUnique: isUnique && type.kind !== "json",
      fallback: kept,
      references: null,
    };
  }
  const onDelete = fittingOnDelete(references.onDelete, isRequired);
  return {
    name,
    // Ids are text unless `generateId` says otherwise.
    type: { kind: "text" },
    isRequired,
    isUnique,
    fallback: null,
    references: { table: table.name, column: null, onDelete },
  };
}

/** A key of ours is one column. */
function refersToKey({ column }: Reference, primaryKey: readonly string[]): boolean {
  return column === null || (primaryKey.length === 1 && primaryKey[0] === column);
}

/** One sentence for each thing that is not as it was. */
function changesOf(column: ForeignColumn, drafted: DraftColumn): readonly string[] {
  const { name, references, fallback } = column;
  const renamed = isSpelledAlike(name, drafted.name) ? [] : [`\`${drafted.name}\` was "${name}"`];
  if (drafted.type.kind === "scope") {
    return [
      `\`${name}\` is stamped with the caller, and others do not see the row: rename it where they should`,
    ];
  }
  const said: string[] = [...renamed];
  if (references && !drafted.references) {
    const what = references.column === null ? "" : `, column "${references.column}"`;
    said.push(`\`${name}\` refers to "${references.table}"${what}, which is no key here`);
  }
  if (references?.onDelete === "set null" && drafted.references?.onDelete === null) {
    said.push(`\`${name}\` is required, so that nothing sets it to null`);
  }
  if (fallback !== null && drafted.fallback === null) {
    said.push(`\`${name}\` has no default any more: its own is no value that it takes`);
  }
  return said;
}
