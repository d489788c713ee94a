/** Turns a foreign schema into a draft: quickback's names and system columns, one tenant, and a line for each decision. */
import type { Decision, Draft, DraftTable } from "./draft.ts";
import { tableNames } from "./draft_names.ts";
import { type Named, NO_WORDS, rulesOfTable } from "./draft_rules.ts";
import { type Around, type DraftedTable, draftTable } from "./draft_table.ts";
import { keyColumnOf } from "./draft_keys.ts";
import { clausesOf, type ForeignSchema, type ForeignTable } from "./foreign_schema.ts";
import type { Ledger } from "./ledger.ts";
import { isAccountPart, isAccountTable, isInvitation } from "./stand_ins.ts";
import { isMembership, type Tenancy } from "./tenancy.ts";

interface DraftOptions {
  /** False: rows belong to no organization. */
  readonly multiTenant: boolean;
  readonly tenancy: Tenancy;
  /** Names of tables that the project has already. */
  readonly taken: readonly string[];
}

/**
 * Makes the draft. Its keys refer only to tables of the draft. Every clause of the schema's ledger has an outcome afterwards.
 */
export function draftOf(
  schema: ForeignSchema,
  { multiTenant, tenancy, taken }: DraftOptions,
): Draft {
  const { tables, ledger } = schema;
  const standIns = new Map(tables.flatMap((table) => {
    const reason = standInFor(table, tables, multiTenant ? tenancy.tenant : null);
    return reason === null ? [] : [[table, reason] as const];
  }));
  for (const [table, reason] of standIns) {
    for (const clause of clausesOf(table)) ledger.leaveOut(clause, reason);
  }
  const kept = tables.filter((table) => !standIns.has(table));
  const names = tableNames(kept.map(({ name }) => name), taken);
  const known: Around["known"] = new Map(
    kept.map((table, at) =>
      [table.name, { name: names[at] ?? "", key: keyColumnOf(table, tables) }] as const
    ),
  );
  const accounts = new Set([
    ...tables.filter(isAccountTable).map(({ name }) => name.toLowerCase()),
    "auth.users",
  ]);
  const around = {
    known,
    accounts,
    profiles: new Set(
      kept.filter((table) => isProfile(table, accounts)).map(({ name }) => name.toLowerCase()),
    ),
    multiTenant,
    tenant: tenancy.tenant,
    ledger,
  };
  const drafted = kept.map((table, at) => draftTable(table, { ...around, name: names[at] ?? "" }));
  const ruled = withRules(drafted, [...standIns.keys()], {
    ledger,
    tenant: multiTenant ? tenancy.tenant : null,
  });
  return {
    tables: ruled,
    ledger,
    decisions: [
      ...GENERAL,
      ...(multiTenant ? tenancyDecisions(tenancy, drafted) : []),
      ...sharedDecisions(ruled),
      ...ruleDecisions(ruled),
      ...policyDecisions(ledger),
    ],
  };
}

/** True for a table with one row for each account, whose key is the account's id. */
function isProfile({ key, relations }: ForeignTable, accounts: ReadonlySet<string>): boolean {
  const [only, ...others] = key?.columns ?? [];
  return others.length === 0 &&
    relations.some(({ columns, table }) =>
      columns.length === 1 && columns[0] === only && accounts.has(table.toLowerCase())
    );
}

/** Returns the reason why a table is left out; null: it is drafted. */
function standInFor(
  table: ForeignTable,
  tables: readonly ForeignTable[],
  tenant: ForeignTable | null,
): string | null {
  if (isAccountPart(table)) {
    return "accounts, sessions and proofs are the product's own: what else they hold needs a table";
  }
  if (tenant === null) return null;
  if (table === tenant) {
    return "organizations are the product's own: what else they hold needs a table";
  }
  const isMembers = isMembership(table, tenant, tables) && !/invit/i.test(table.name);
  if (isMembers) return "members and their roles are the product's own";
  return isInvitation(table) ? "invitations are the product's own" : null;
}

function withRules(
  drafted: readonly DraftedTable[],
  standIns: readonly ForeignTable[],
  { ledger, tenant }: Pick<Around, "ledger" | "tenant">,
): readonly DraftTable[] {
  const tables: ReadonlyMap<string, Named> = new Map(
    drafted.map((one) => [one.foreign.name.toLowerCase(), one]),
  );
  const memberships = new Set(
    standIns.filter((table) => !isAccountPart(table) && table !== tenant).map(({ name }) =>
      name.toLowerCase()
    ),
  );
  const around = { tables, memberships, tenant: tenant?.name.toLowerCase() ?? null, ledger };
  return drafted.map((one) => (
    { ...one.table, rules: rulesOfTable(one, around) }
  ));
}

const GENERAL: readonly Decision[] = [
  "Every operation admits nobody: name the roles in each `access`",
  "Ids are made by this API: `generateId` in quickback.config.ts says how, and existing rows keep theirs only as text",
  "`createable` and `updatable` list every column: take out what callers must not write",
  "Only columns with well-known names are masked (a warning lists them): add `masking` for what not everybody who reads a row may see",
].map((text) => ({ text, places: [] }));

function tenancyDecisions(
  { tenant, reason, second }: Tenancy,
  drafted: readonly DraftedTable[],
): readonly Decision[] {
  const chosen = tenant === null
    ? `Organizations stand for no table: ${reason}. \`--tenant <table>\` chooses one`
    : `Organizations stand for "${tenant.name}": ${reason}. \`--tenant <table>\` chooses another, \`--tenant none\` none`;
  const without = drafted.filter(({ names }) => ![...names.values()].includes("organizationId"));
  return [
    { text: chosen, places: [] },
    ...(second === null ? [] : [{
      text:
        `There are two levels: "${second.name}" and "${tenant?.name}". One of them is the organization; the other is a table, or teams`,
      places: [],
    }]),
    ...(without.length === 0 ? [] : [{
      text:
        "Tables that had no organization and have one now: rows of everybody need `firewall: { exception: true }`",
      places: without.map(({ table }) => table.name),
    }]),
  ];
}

function sharedDecisions(tables: readonly DraftTable[]): readonly Decision[] {
  const shared = tables.filter(({ columns }) => !columns.some(({ type }) => type.kind === "scope"));
  if (shared.length === 0) return [];
  const text = "Tables whose rows are everybody's who may read at all: nothing isolates them";
  return [{ text, places: shared.map(({ name }) => name) }];
}

/** Adds decisions for missing policies: roles that a person names in their place would see more than before. */
function policyDecisions(ledger: Ledger): readonly Decision[] {
  const places = ledger.entries().filter(({ kind, outcome, reason }) =>
    kind === "policy" && outcome === "left out" && reason === NO_WORDS
  ).map(({ place }) => place);
  if (places.length === 0) return [];
  const text = "Policies without words here: say what they say before you name roles there";
  return [{ text, places }];
}

function ruleDecisions(tables: readonly DraftTable[]): readonly Decision[] {
  const places = tables.flatMap(({ name, rules }) =>
    rules.map(({ operation }) => `${name}.${operation}`)
  );
  if (places.length === 0) return [];
  const text = "Conditions drafted from policies: name the roles that they admit";
  return [{ text, places }];
}
