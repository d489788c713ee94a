/**
 * Foreign keys of write bodies: each must name a row that the caller's own firewall lets them see (definitions 7,
 * traps 4). Missing, foreign, private and deleted rows are refused alike, with `VALIDATION_ERROR`. Judged in the writing
 * transaction: a target that is deleted meanwhile would else leave an orphan.
 */
import { pointerTo } from "../../lib/json.ts";
import type { ColumnModel } from "../../model/mod.ts";
import type { ColumnValues } from "../data/types.ts";
import type { SqlValue } from "../ports.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { Refusal } from "../refusal.ts";
import { type Referring, strangersIn } from "./named_accounts.ts";
import type { RecordScope } from "./record_scope.ts";

const NO_RECORD = "Must be the id of an existing record";
const NO_MEMBER = "Must be the id of a member of the record's organization";
const NO_ACCOUNT = "Must be the id of an account";

/** The caller whose foreign keys are judged, and the transaction. */
export type ReferenceScope = Pick<
  RecordScope,
  "data" | "tables" | "table" | "caller" | "transaction" | "directory" | "now"
>;

export async function requireReferences(
  scope: ReferenceScope,
  body: Referring,
): Promise<void> {
  const [refusal] = await referenceRefusals(scope, [body]);
  if (refusal) throw refusal;
}

/** The refusal of each body; null: none. One query per table that they refer to. */
export async function referenceRefusals(
  scope: ReferenceScope,
  bodies: readonly Referring[],
): Promise<readonly (Refusal | null)[]> {
  const columns = scope.table.columns.filter((column) =>
    column.references !== null && bodies.some(({ values }) => idIn(values, column) !== null)
  );
  const targets = new Set(columns.map(targetOf));
  const found = await Promise.all([...targets].map(async (target) => {
    const ids = columns.filter((column) => targetOf(column) === target)
      .flatMap((column) => bodies.map(({ values }) => idIn(values, column)));
    const table = scope.tables.get(target);
    if (!table) throw new Error(`The model has no table "${target}"`);
    const asked = [...new Set(ids)].filter((id) => id !== null);
    const seen = await scope.data.readableIds(scope.transaction, {
      firewall: firewallFor(table, scope.caller),
      ids: asked,
    });
    return [target, new Set(asked.filter((id) => seen.has(id)))] as const;
  }));
  const readable: ReadonlyMap<string, ReadonlySet<SqlValue>> = new Map(found);
  const strangers = await strangersIn(scope, bodies);
  return bodies.map(({ values }, at) => {
    const missing = columns.filter((column) => {
      const id = idIn(values, column);
      return id !== null && readable.get(targetOf(column))?.has(id) !== true;
    });
    const isOrganizations = scope.table.scope.organization !== null;
    const faults = [
      ...missing.map(({ name }) => [name, NO_RECORD] as const),
      ...(strangers[at] ?? []).map(({ name }) =>
        [name, isOrganizations ? NO_MEMBER : NO_ACCOUNT] as const
      ),
    ];
    const [first] = faults;
    if (!first) return null;
    return new Refusal("VALIDATION_ERROR", {
      details: { fields: Object.fromEntries(faults) },
      pointer: pointerTo(first[0]),
    });
  });
}

function idIn(values: ColumnValues, { name }: ColumnModel): SqlValue {
  return values.get(name) ?? null;
}

function targetOf({ name, references }: ColumnModel): string {
  if (references === null) throw new Error(`Column "${name}" refers to no table`);
  return references.table;
}
