/**
 * Rows that requests create and delete: the expected answers, and that later questions take the rows into account (contract
 * 4.1).
 */
import { rulesOf } from "../../shared/column_types/mod.ts";
import { recordColumns } from "../../shared/surface/mod.ts";
import { type RowId, type SeedRow, timeText } from "../rows/mod.ts";
import * as bodies from "./bodies.ts";
import { ANY, type ExpectedRecord, expectedRecord } from "./expected_record.ts";
import * as plan from "./planning.ts";

/** Returns the record that a create must answer; values that the service generates are not compared, except for the scope. */
export function madeRecord(body: bodies.Body, writing: bodies.Writing): ExpectedRecord {
  const { resource, table } = writing;
  const values = bodies.rowMade(body, null, writing);
  const columns = recordColumns(table).map(({ name }) => name);
  const record = expectedRecord(resource, values, columns, plan.lookingOf(writing));
  const ownId = Object.hasOwn(body, table.primaryKey);
  const isMadeNow = (name: string) => {
    const column = table.columns.find((one) => one.name === name);
    if (column === undefined || Object.hasOwn(body, name)) return false;
    const made = column.default?.kind === "made" ? column.default.value.kind : null;
    // Every caller here is known.
    if (made !== null) return made !== "userId";
    return rulesOf(column.type).isInstant && values[name] !== null;
  };
  return new Map(
    [...record].map(([name, field]) => [
      name,
      (name === table.primaryKey && !ownId) || isMadeNow(name) || name.startsWith("modified")
        ? ANY
        : field,
    ]),
  );
}

/** Records that a request creates a row: it exists from then on. */
export function noteMade(body: bodies.Body, id: RowId | null, writing: bodies.Writing): void {
  writing.standing.put(writing.table, bodies.rowMade(body, id, writing));
}

/** Records that a request deletes a row. */
export function noteRemoved(
  { values }: SeedRow,
  { resource, table, standing, now }: bodies.Writing,
) {
  if (resource.delete?.mode === "soft") {
    standing.put(table, { ...values, deletedAt: timeText(now) });
  } else standing.remove(table, values);
}
