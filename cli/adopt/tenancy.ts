/** Guesses the tenancy of a draft: which table of a foreign schema organizations replace, with the reason. */
import { snakeCase } from "../../shared/surface/names.ts";
import { tableKey } from "./draft_names.ts";
import type { ForeignSchema, ForeignTable } from "./foreign_schema.ts";
import { isAccountTable } from "./stand_ins.ts";

export interface Tenancy {
  /** Table of the tenants; null: there is none. */
  readonly tenant: ForeignTable | null;
  /** Reason for `DECIDE.md`. */
  readonly reason: string;
  /** Second level of tenants below or above it. */
  readonly second: ForeignTable | null;
}

/** Clear guess, or the tables between which a person must choose. */
export type Guess =
  | { readonly kind: "clear"; readonly tenancy: Tenancy }
  | { readonly kind: "unclear"; readonly candidates: readonly string[] };

export const NO_TENANT: Tenancy = {
  tenant: null,
  reason: "no table is one that others belong to",
  second: null,
};

/** Returns the tenancy that the user named; null: there is no such table. `none`: no table is a tenant. */
export function tenancyNamed({ tables }: ForeignSchema, named: string): Tenancy | null {
  if (named === "none") return { ...NO_TENANT, reason: "--tenant none says so" };
  const tenant = tables.find(({ name }) => name === named) ??
    tables.find(({ name }) => tableKey(name) === tableKey(named));
  if (!tenant) return null;
  return { tenant, reason: `--tenant ${named} says so`, second: secondLevel(tables, tenant) };
}

export function guessTenancy({ tables }: ForeignSchema): Guess {
  const candidates = tables.flatMap((table) => candidateOf(table, tables) ?? [])
    .sort((one, other) => other.score - one.score);
  const [best, ...others] = candidates;
  if (!best) return { kind: "clear", tenancy: NO_TENANT };
  const upper = others.find((other) =>
    refersTo(best.table, other.table) && other.score >= best.score / 2
  );
  const chosen = upper ?? best;
  const rival = others.find((other) =>
    other !== chosen && other.score >= best.score - 1 && other.isJoined && chosen.isJoined &&
    !refersTo(other.table, chosen.table) && !refersTo(chosen.table, other.table)
  );
  if (rival) {
    return { kind: "unclear", candidates: [chosen, rival].map(({ table }) => table.name) };
  }
  const { table: tenant, reason } = chosen;
  return { kind: "clear", tenancy: { tenant, reason, second: secondLevel(tables, tenant) } };
}

interface Candidate {
  readonly table: ForeignTable;
  readonly score: number;
  readonly isJoined: boolean;
  readonly reason: string;
}

const CERTAIN = /^(organi[sz]ations?|orgs?|tenants?|workspaces?)$/;
const LIKELY =
  /^(teams?|companies|company|spaces?|accounts?|businesses|agencies|clinics?|shops?|stores?|schools?|households?|merchants?)$/;

function candidateOf(table: ForeignTable, tables: readonly ForeignTable[]): Candidate | null {
  const key = tableKey(table.name);
  const isCertain = CERTAIN.test(key);
  if ((!isCertain && !LIKELY.test(key)) || isAccountTable(table)) return null;
  const members = tables.filter((other) => isMembership(other, table, tables));
  const referring = tables.filter((other) => other !== table && refersTo(other, table)).length;
  const isJoined = members.length > 0;
  // Shops and companies are often ordinary records.
  if (!isCertain && !isJoined) return null;
  const said = [
    `its name is "${table.name}"`,
    ...(isJoined ? [`"${members[0]?.name}" says who belongs to it`] : []),
    ...(referring > 0 ? [`${referring} tables refer to it`] : []),
  ];
  const score = (isCertain ? 5 : 2) + (isJoined ? 4 : 0) + Math.min(referring, 10) / 5;
  return { table, score, isJoined, reason: said.join(", ") };
}

/** True for a table of the memberships of accounts in the tenant. */
export function isMembership(
  table: ForeignTable,
  tenant: ForeignTable,
  tables: readonly ForeignTable[],
): boolean {
  if (table === tenant || isAccountTable(table)) return false;
  const toTenant = referringColumns(table, tenant);
  const toAccounts = accountColumns(table, tables);
  if (toTenant.length === 0 || toAccounts.length === 0) return false;
  if (/member|collaborator/.test(tableKey(table.name))) return true;
  const pair = [...toTenant, ...toAccounts];
  const isPair = (columns: readonly string[]) =>
    columns.length === 2 && columns.every((column) => pair.includes(column));
  return [...table.unique, ...(table.key ? [table.key] : [])].some(({ columns }) =>
    isPair(columns)
  );
}

/** Returns the columns with the tenant's id: by a relation, or else by their name. */
export function referringColumns(table: ForeignTable, tenant: ForeignTable): readonly string[] {
  const related = table.relations.filter((relation) =>
    relation.table === tenant.name && relation.columns.length === 1
  ).flatMap(({ columns }) => columns);
  if (related.length > 0) return related;
  const named = `${singularKey(tenant.name)}_id`;
  return table.columns.filter(({ name }) => snakeCase(name) === named).map(({ name }) => name);
}

/** Returns the columns with the id of an account. */
export function accountColumns(
  table: ForeignTable,
  tables: readonly ForeignTable[],
): readonly string[] {
  const accounts = tables.filter(isAccountTable).map(({ name }) => name);
  const related = table.relations.filter((relation) =>
    accounts.includes(relation.table) || /(^|\.)auth\.users$/i.test(relation.table)
  ).flatMap(({ columns }) => columns);
  if (related.length > 0) return related;
  return table.columns.filter(({ name }) =>
    /^(user|account|member|profile)_id$/.test(snakeCase(name))
  )
    .map(({ name }) => name);
}

function refersTo(table: ForeignTable, other: ForeignTable): boolean {
  return table !== other && referringColumns(table, other).length > 0;
}

function secondLevel(
  tables: readonly ForeignTable[],
  tenant: ForeignTable,
): ForeignTable | null {
  return tables.find((table) => {
    const isLevel = CERTAIN.test(tableKey(table.name)) || LIKELY.test(tableKey(table.name));
    return isLevel && !isAccountTable(table) &&
      (refersTo(table, tenant) || refersTo(tenant, table)) &&
      !isMembership(table, tenant, tables);
  }) ?? null;
}

function singularKey(name: string): string {
  const key = tableKey(name);
  return key.endsWith("ies") ? `${key.slice(0, -3)}y` : key.replace(/s$/, "");
}
