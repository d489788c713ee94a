/** Turns a foreign schema into a draft: our names, our system columns and tenants, and a line for each thing to decide. */
import { snakeCase } from "../../shared/surface/names.ts";
import type {
  Decision,
  Draft,
  DraftColumn,
  DraftTable,
  ForeignColumn,
  ForeignSchema,
  ForeignTable,
} from "./draft.ts";
import { columnName, requireDistinct, tableKey, tableName } from "./draft_names.ts";

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

/**
 * `references` of the draft lead only to tables of the draft. Throws `DraftError` for names that definitions cannot have, and
 * for two that become one.
 */
export function draftOf({ tables, questions }: ForeignSchema, multiTenant: boolean): Draft {
  const named = tables.map((table) => ({ ...table, key: tableKey(table.name) }));
  const standIns = named.filter(({ key }) => isStandIn(key));
  const kept = named.filter(({ key }) => !isStandIn(key));
  const names = kept.map(({ name }) => [name, tableName(name)] as const);
  requireDistinct(names, "tables");
  const drafted = kept.map((table) => draftTable(table, new Map(names), multiTenant));
  return {
    tables: drafted.map(({ table }) => table),
    decisions: [
      ...GENERAL,
      ...standIns.map(({ name }) => about(null, `Table "${name}" was left out: ${STAND_IN}`)),
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

function draftTable(
  { name: foreign, primaryKey, unique, columns }: ForeignTable,
  names: ReadonlyMap<string, string>,
  multiTenant: boolean,
): { readonly table: DraftTable; readonly decisions: readonly Decision[] } {
  const name = tableName(foreign);
  const decisions: Decision[] = [];
  const decide = (text: string) => void decisions.push(about(name, text));
  const [id] = primaryKey;
  const hasOwnId = primaryKey.length === 1;
  if (!hasOwnId) decide(`it had ${primaryKey.length} columns as its key and has \`id\` now`);
  if (hasOwnId && id !== "id") decide(`its key \`${id}\` is \`id\` now`);

  const tenant = multiTenant
    ? columns.find(({ name, references }) => {
      const key = references ? tableKey(references.table) : "";
      return ORGANIZATION_TABLES.has(key) || TENANT_COLUMN.test(snakeCase(name));
    })
    : undefined;
  if (tenant) decide(`\`${tenant.name}\` became its organization: its values must be ids of ours`);
  else if (multiTenant) {
    decide(
      "it had no organization and has one now: rows of everybody need `firewall: { exception: true }`",
    );
  }
  const plain = columns.filter((column) =>
    column !== tenant && !(hasOwnId && column.name === id) &&
    !SYSTEM_COLUMNS.has(snakeCase(columnName(column.name)))
  );
  const ours: DraftColumn[] = multiTenant ? [ID, ORGANIZATION] : [ID];
  for (const column of plain) {
    if (column.question !== null) decide(`\`${column.name}\`: ${column.question}`);
    const drafted = draftColumn(column, names);
    if (drafted.type.kind === "scope") {
      decide(
        `\`${column.name}\` is stamped with the caller, and others do not see the row: rename it where they should`,
      );
    } else if (column.references && !drafted.references) {
      decide(`\`${column.name}\` refers to "${column.references.table}", which is not here`);
    }
    if (!snakeCase(column.name).includes(snakeCase(drafted.name))) {
      decide(`\`${drafted.name}\` was "${column.name}"`);
    }
    ours.push(drafted);
  }
  const isShared = !ours.some(({ type }) => type.kind === "scope");
  if (isShared) decide("its rows are everybody's who may read at all");
  const spelled = new Map(plain.map((column) => [column.name, columnName(column.name)]));
  requireDistinct([["id", "id"], ...(multiTenant ? [SCOPE_NAMES] : []), ...spelled], "columns");
  const sets = unique.map((set) =>
    set.map((one) => one === tenant?.name ? ORGANIZATION.name : spelled.get(one))
  );
  return {
    table: {
      name,
      columns: ours,
      isShared,
      unique: sets.filter((set): set is string[] => set.every((one) => one !== undefined)),
    },
    decisions: foreign === name || decisions.length === 0
      ? decisions
      : [about(name, `it was "${foreign}"`), ...decisions],
  };
}

const PLAIN = { isRequired: false, isUnique: false, fallback: null, references: null };
const ID: DraftColumn = { ...PLAIN, name: "id", type: { kind: "id" } };
const SCOPE_NAMES = ["organizationId", "organizationId"] as const;
const ORGANIZATION: DraftColumn = {
  ...PLAIN,
  name: "organizationId",
  type: { kind: "scope", of: "organization" },
};

function draftColumn(
  { name, type, isRequired, isUnique, fallback, references }: ForeignColumn,
  names: ReadonlyMap<string, string>,
): DraftColumn {
  const ours = columnName(name);
  const scope = SCOPES.get(ours);
  if (scope) return { ...PLAIN, name: ours, type: scope };
  const table = references ? names.get(references.table) : undefined;
  return {
    name: ours,
    // Ids are text unless `generateId` says otherwise.
    type: table === undefined ? type : { kind: "text" },
    isRequired,
    isUnique,
    fallback: table === undefined ? fallback : null,
    references: table === undefined || !references ? null : { ...references, table },
  };
}
