/** Accounts that bodies name (definitions 3, `q.account()`), judged in the writing transaction or, where they stand elsewhere, beside it. */
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

/** What a body writes into a row; an id of null: the row is new. */
export interface Referring {
  readonly id: SqlValue;
  readonly values: ColumnValues;
}

/** True where a body names accounts: they are looked up before anything else of the transaction is asked. */
export function namesAccounts({ columns }: TableModel, values: ColumnValues): boolean {
  return columns.some(({ name, type }) =>
    accountOf(type) !== null && (values.get(name) ?? null) !== null
  );
}

/** The columns of each body that name nobody of its row's organization. */
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
    // A row of no organization, where there are some, has no members.
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

/** A caller's own credential is the proof of their membership. */
function isCaller(
  { caller: { principal } }: AccountScope,
  id: SqlValue,
  organizationId: string | null,
): boolean {
  return id === principal.userId &&
    (organizationId === null || organizationId === principal.organizationId);
}

/** The organization of each body's row; null: of none. Rows of others are only within reach of whom no predicate holds to their own. */
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
