/**
 * Checks accounts that bodies name (definitions 3, `q.account()`), in the writing transaction or, if accounts are in another
 * database, before it.
 */
import { accountOf } from "../../column_types/mod.ts";
import type { ColumnModel, TableModel } from "../../model/mod.ts";
import type { ColumnValues } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import type { RecordScope } from "./record_scope.ts";

type AccountScope = Pick<
  RecordScope,
  "data" | "table" | "caller" | "transaction" | "directory" | "now"
>;

/** Values that a body writes into a row; a null id: the row is new. */
export interface Referring {
  readonly id: SqlValue;
  readonly values: ColumnValues;
}

/** True when a body names accounts: they are looked up before any other read of the transaction. */
export function namesAccounts({ columns }: TableModel, values: ColumnValues): boolean {
  return columns.some(({ name, type }) =>
    accountOf(type) !== null && (values.get(name) ?? null) !== null
  );
}

/** Returns the columns of each body that name an account outside its row's organization. */
export async function strangersIn(
  scope: AccountScope,
  bodies: readonly Referring[],
): Promise<readonly (readonly ColumnModel[])[]> {
  const { data, table, transaction, directory, now } = scope;
  const columns = table.columns.filter(({ name, type }) =>
    accountOf(type) !== null && bodies.some(({ values }) => (values.get(name) ?? null) !== null)
  );
  if (columns.length === 0) return bodies.map(() => []);
  const organizations = await organizationsOf(scope, bodies);
  const reader = directory ?? transaction;
  const members = new Map<string | null, ReadonlySet<SqlValue>>();
  for (
    const [organizationId, at] of Map.groupBy(bodies.keys(), (at) => organizations[at] ?? null)
  ) {
    const ids = at.flatMap((one) =>
      columns.map(({ name }) => bodies[one]?.values.get(name) ?? null)
    );
    const others = ids.filter((id) => id !== null && !isCaller(scope, id, organizationId));
    const query = { organizationId, ids: [...new Set(others)], now };
    // A row without an organization has no members, if the project has organizations.
    const isNobodys = organizationId === null && table.scope.organization !== null;
    members.set(
      organizationId,
      isNobodys ? new Set() : await data.membersAmong(reader, query),
    );
  }
  return bodies.map(({ values }, at) => {
    const organizationId = organizations[at] ?? null;
    return columns.filter(({ name }) => {
      const id = values.get(name) ?? null;
      return id !== null && !isCaller(scope, id, organizationId) &&
        members.get(organizationId)?.has(id) !== true;
    });
  });
}

/** True for the caller's own id: their credential proves their membership. */
function isCaller(
  { caller: { principal } }: AccountScope,
  id: SqlValue,
  organizationId: string | null,
): boolean {
  return id === principal.userId &&
    (organizationId === null || organizationId === principal.organizationId);
}

/**
 * Returns the organization of each body's row; null: none. Rows of other organizations are reachable only for callers whom no
 * predicate restricts to their own.
 */
async function organizationsOf(
  { data, table, caller, transaction }: AccountScope,
  bodies: readonly Referring[],
): Promise<readonly (string | null)[]> {
  const column = table.scope.organization;
  if (column === null) return bodies.map(() => null);
  const firewall = firewallFor(table, caller);
  if (firewall.predicates.some(({ kind }) => kind === "organization")) {
    return bodies.map(() => caller.organizationId);
  }
  const ids = bodies.flatMap(({ id }) => id === null ? [] : [id]);
  const rows = await data.selectStoredRows(transaction, { firewall, ids });
  return bodies.map(({ id }) => {
    const own = rows.get(id)?.get(column);
    return typeof own === "string" ? own : caller.organizationId;
  });
}
