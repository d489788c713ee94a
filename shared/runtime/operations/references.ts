/**
 * Foreign keys of a write body: each must name a row that the caller's own firewall lets them see (definitions 7,
 * traps). Missing, foreign, private and deleted rows are refused alike, with `VALIDATION_ERROR`.
 */
import type { ColumnModel } from "../../model/column.ts";
import type { StoredValue } from "../../surface/query.ts";
import type { Call, Caller } from "../context.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { pointerTo, refuse } from "../refusal.ts";

const MESSAGE = "Must be the id of an existing record";

export async function requireReferences(
  call: Call,
  caller: Caller,
  values: ReadonlyMap<string, StoredValue>,
): Promise<void> {
  const columns = call.plan.table.columns.filter((column) =>
    column.references !== null && (values.get(column.name) ?? null) !== null
  );
  const missing: string[] = [];
  for (const column of columns) {
    const id = values.get(column.name) ?? null;
    if (!await isReadable(call, caller, { column, id })) missing.push(column.name);
  }
  const [first] = missing;
  if (first === undefined) return;
  refuse("VALIDATION_ERROR", {
    details: { fields: Object.fromEntries(missing.map((name) => [name, MESSAGE])) },
    pointer: pointerTo(first),
  });
}

async function isReadable(
  { request: { app } }: Call,
  caller: Caller,
  { column, id }: { readonly column: ColumnModel; readonly id: StoredValue },
): Promise<boolean> {
  const target = app.tables.get(column.references?.table ?? "");
  if (!target) throw new Error(`Column "${column.name}" refers to no table of the model`);
  const firewall = firewallFor(target, caller);
  const readable = await app.data.readableIds(app.ports.database, { firewall, ids: [id] });
  return readable.has(id);
}
