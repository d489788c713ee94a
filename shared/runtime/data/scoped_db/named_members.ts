/** Checks the accounts that a handler's write names (definitions 3, `q.account()`), inside the statement itself. */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { columnNamed } from "../../../surface/mod.ts";
import { membersOf, memberSql } from "../members.ts";
import type { Reader, SqlValue } from "../../ports.ts";
import { anyOf, type Fragment, fragment, jsonList } from "../sql.ts";
import type { Scope, Target } from "./scope.ts";

/**
 * Members of one organization that are stored in another database. The statement binds this very object, which is filled in
 * before it runs.
 */
export interface Roster {
  readonly place: Uint8Array;
  /** Null: no statement has needed the members yet. */
  organizationId: string | null;
}

interface Naming {
  readonly scope: Scope;
  readonly stamps: { readonly now: string };
  /** Null: accounts are in the same database. */
  readonly roster: Roster | null;
}

/** Returns SQL that is true if a row of the organization may name `account`; null organization: that of the changed row. */
export function namedMemberSql(
  { scope, stamps: { now }, roster }: Naming,
  { table, firewall }: Target,
  { account, organization }: { readonly account: string; readonly organization: Fragment | null },
): Fragment {
  const { principal } = firewall;
  const scoped = table.scope.organization;
  const own = scoped === null ? null : organization ?? fragment(
    `${sqlIdentifier(table.sqlName)}.${sqlIdentifier(columnNamed(scoped, table).sqlName)}`,
  );
  // A caller's own credential proves their membership in their own scope.
  const isCaller = scope.unproven !== null || principal.userId === null ? [] : [
    own === null ? fragment(`${account} = ?`, principal.userId) : fragment(
      `(${account} = ? AND ${own.sql} = ?)`,
      principal.userId,
      ...own.args,
      principal.organizationId,
    ),
  ];
  if (roster === null || own === null) {
    return anyOf([
      ...isCaller,
      memberSql({ account: fragment(account), organization: own, now }),
    ]);
  }
  roster.organizationId = firewall.organizationId;
  return anyOf([
    ...isCaller,
    fragment(`${account} IN (SELECT value FROM json_each(?))`, roster.place),
  ]);
}

/** Returns the members that a statement needs, in the form in which they are bound. */
export async function rosterAt(
  roster: Roster | null,
  directory: Reader | undefined,
  { now }: Naming["stamps"],
): Promise<readonly (readonly [Uint8Array, SqlValue])[]> {
  if (roster === null || roster.organizationId === null) return [];
  if (!directory) throw new Error("The accounts stand in no database");
  const { organizationId, place } = roster;
  return [[place, jsonList(await membersOf(directory, { organizationId, now }))]];
}
