/** Scope of a handler's database (contract 4.4 rule 3, definitions 7 "smaller answers"). */
import type { ScopeKind } from "../../../contract/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { serviceTables } from "../../../model/mod.ts";
import type { PredicateKind, ProjectModel, TableModel } from "../../../model/mod.ts";
import {
  type Firewall,
  type FirewallCaller,
  firewallFor,
} from "../../layers/3-firewall/firewall.ts";
import type { Reader } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { firewallSql } from "../conditions.ts";
import { BESIDE_KEYS, namesRows, ROW } from "../projection.ts";
import { type Fragment, fragment } from "../sql.ts";

/** The declared `unsafe` of an action or a job. */
export interface UnsafeScope {
  readonly crossTenant: boolean;
  /** Scopes that `scopeTo` accepts; undefined: all that `crossTenant` allows. */
  readonly targetScope?: "organization" | "all" | undefined;
}

/** Argument of `unsafeDb.scopeTo`. */
export interface NamedScope {
  readonly organizationId?: string;
  readonly userId?: string;
  readonly teamId?: string;
}

/** Returns the firewall of a table, which is made on first use and shared by equal tables. */
export interface Scope {
  readonly firewallOf: (table: TableModel) => Firewall;
  /** True for a scope column that the handler may name another value for. */
  readonly isFree: (kind: ScopeKind) => boolean;
  /** A scope whose organization must exist; null: it is the caller's own. */
  readonly unproven: UnprovenScope | null;
}

/** A table of a statement with its firewall. */
export interface Target {
  readonly table: TableModel;
  readonly firewall: Firewall;
}

const LIFTED: readonly PredicateKind[] = ["owner", "notDeleted"];
const LIFTED_CROSS_TENANT: readonly PredicateKind[] = [...LIFTED, "organization", "team"];

export function callerScope(caller: FirewallCaller): Scope {
  return scopeOf(caller);
}

/** Makes the scope of `unsafeDb`. Without `crossTenant` the tenant stays; owners and deletion do not count. */
export function unsafeScope(caller: FirewallCaller, { crossTenant }: UnsafeScope): Scope {
  const lifted = crossTenant ? LIFTED_CROSS_TENANT : LIFTED;
  // Nobody's relations bind where none bound before.
  const rules = (caller.lifted ?? []).filter((kind) => kind === "rule");
  return scopeOf({ ...caller, lifted: [...lifted, ...rules] });
}

/** Makes an explicit scope with the complete firewall. Refuses one that the action may not name. */
export function namedScope(caller: FirewallCaller, unsafe: UnsafeScope, named: NamedScope): Scope {
  const { principal, organizationId } = caller;
  const isForeign = named.organizationId !== undefined && named.organizationId !== organizationId;
  const reachesAll = unsafe.crossTenant && unsafe.targetScope !== "organization";
  if (isForeign && !reachesAll) refuse("FIREWALL_ORG_ISOLATION");
  const isOtherUser = named.userId !== undefined && named.userId !== principal.userId;
  // Without an organization the user is the tenant.
  if (isOtherUser && organizationId === null && !reachesAll) refuse("FIREWALL_USER_ISOLATION");
  const organization = named.organizationId ?? organizationId;
  const isOwnTeam = named.teamId === undefined ||
    (named.teamId === principal.teamId && !isForeign);
  const unproven = {
    organizationId: isForeign ? organization : null,
    userId: isOtherUser ? named.userId ?? null : null,
    teamId: isOwnTeam ? null : named.teamId ?? null,
    teamOf: organization,
  };
  const target = {
    // A job reaches the rows of every owner until it names one. Relations of a caller do not apply where there was none.
    ...(caller.lifted
      ? {
        lifted: named.userId === undefined
          ? caller.lifted
          : caller.lifted.filter((kind) => kind === "rule"),
      }
      : {}),
    organizationId: organization,
    principal: {
      ...principal,
      organizationId: organization,
      userId: named.userId ?? principal.userId,
      teamId: named.teamId ?? (isForeign ? null : principal.teamId),
      // Roles are held in one organization.
      roles: isForeign ? [] : principal.roles,
    },
  };
  const isOwn = !isForeign && !isOtherUser && isOwnTeam;
  return scopeOf(target, isOwn ? null : unproven);
}

function scopeOf(caller: FirewallCaller, unproven: UnprovenScope | null = null): Scope {
  const firewalls = new Map<string, Firewall>();
  return {
    firewallOf(table) {
      const known = firewalls.get(table.name);
      if (known) return known;
      const firewall = firewallFor(table, caller);
      firewalls.set(table.name, firewall);
      return firewall;
    },
    isFree: (kind) => caller.lifted?.includes(kind) ?? false,
    unproven,
  };
}

/** Checks scopes that a handler names beyond its caller's context. */
interface UnprovenScope {
  readonly organizationId: string | null;
  readonly userId: string | null;
  readonly teamId: string | null;
  /** The organization whose team it must be; null: any. */
  readonly teamOf: string | null;
}

/**
 * Refuses a scope that does not exist (contract 4.4 rule 3), because it would reach rows that belong to nobody. Refuses with
 * `FIREWALL_ORG_ISOLATION` and `FIREWALL_USER_ISOLATION`.
 */
export async function requireExistingScope(
  reader: Reader,
  { organizationId, userId, teamId, teamOf }: UnprovenScope,
): Promise<void> {
  const { rows: [found] } = await reader.run(fragment(
    `SELECT EXISTS (SELECT 1 FROM auth_organization WHERE id = ?),
      EXISTS (SELECT 1 FROM auth_user WHERE id = ?),
      EXISTS (SELECT 1 FROM auth_team WHERE id = ? AND organization_id = coalesce(?, organization_id))`,
    organizationId,
    userId,
    teamId,
    teamOf,
  ));
  const isThere = (at: number, id: string | null) => id === null || found?.[at] === 1;
  if (!isThere(0, organizationId) || !isThere(2, teamId)) refuse("FIREWALL_ORG_ISOLATION");
  if (!isThere(1, userId)) refuse("FIREWALL_USER_ISOLATION");
}

/** Tables by their SQL names in lower case. */
export interface TableIndex {
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly serviceTables: ReadonlySet<string>;
  /** SQL names of all their columns, lower case. */
  readonly columns: ReadonlySet<string>;
}

/**
 * Tables as a statement sees them. A common table expression with each table's name contains the rows behind the caller's
 * firewall. SQLite resolves names to those first, in joins, subqueries, compounds, other expressions and RETURNING. Only a
 * schema's name would bypass them, and none is allowed.
 */
export function tableIndexOf(project: ProjectModel): TableIndex {
  return {
    tables: new Map(project.tables.map((table) => [table.sqlName.toLowerCase(), table])),
    serviceTables: new Set(serviceTables(project).map(({ name }) => name.toLowerCase())),
    columns: new Set(
      project.tables.flatMap((table) => table.columns.map(({ sqlName }) => sqlName.toLowerCase())),
    ),
  };
}

/** Makes the common table expressions. A table without predicates needs none. `listed` comes from `listedColumns`. */
export function scopedForms(
  firewalls: Iterable<Firewall>,
  listed: ReadonlySet<string>,
): readonly Fragment[] {
  return [...firewalls]
    .filter((firewall) => firewall.predicates.length > 0)
    .map((firewall) => {
      const name = sqlIdentifier(firewall.table.sqlName);
      const where = firewallSql(
        firewall,
        hasListedKeys(firewall.table, listed) ? BESIDE_KEYS : ROW,
      );
      return {
        sql:
          `${name} AS NOT MATERIALIZED (SELECT * FROM main.${name} AS ${ROW} WHERE ${where.sql})`,
        args: where.args,
      };
    });
}

/** True where keys of its rows or of their parents are among the listed columns. */
export function hasListedKeys(table: TableModel, listed: ReadonlySet<string>): boolean {
  return listed.size > 0 && table.columns.some((column) =>
    namesRows(table, column) &&
    listed.has(`${table.sqlName}.${column.sqlName}`.toLowerCase())
  );
}

/** Returns `WITH …` with all of them, or nothing. */
export function withClause(forms: readonly Fragment[]): Fragment {
  if (forms.length === 0) return { sql: "", args: [] };
  return {
    sql: `WITH ${forms.map((form) => form.sql).join(", ")} `,
    args: forms.flatMap((form) => form.args),
  };
}
