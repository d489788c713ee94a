/** Accounts that a handler's write names (definitions 3, `q.account()`): judged in the statement itself. */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { columnNamed } from "../../../surface/mod.ts";
import { membersOf, memberSql } from "../members.ts";
import type { Reader, SqlValue } from "../../ports.ts";
import { anyOf, type Fragment, fragment, jsonList } from "../sql.ts";
import type { Scope, Target } from "./scope.ts";

/** The members of one organization, where they stand in another database: this very object is bound until they are known. */
export interface Roster {
  readonly place: Uint8Array;
  /** Null: no statement has asked yet. */
  organizationId: string | null;
}

interface Naming {
  readonly scope: Scope;
  readonly stamps: { readonly now: string };
  /** Null: accounts stand in the same database. */
  readonly roster: Roster | null;
}

/** True where `account` may stand in a row of the organization; null: of the row that is changed. */
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
  // A caller's own credential is the proof of their membership, in their own scope.
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

/** The members that a statement asks for, as they are bound. */
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
