/**
 * Adapts predictions for writes around which the author's code runs (definitions 6, hooks of records): that code may change the
 * outcome.
 */
import type { ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { updateHooks } from "../../shared/surface/mod.ts";
import type { Expectation, Probe } from "./question.ts";

/** Returns the columns that code around updates may set. */
export function setByHooks(table: TableModel, model: ProjectModel): readonly string[] {
  if (updateHooks(table.name, model) === null) return [];
  return table.columns.filter(({ manager }) => manager !== "scope" && manager !== "id")
    .map(({ name }) => name);
}

/** True if code of the author may refuse a deletion. */
export function isHookedDelete({ name }: TableModel, { authored }: ProjectModel): boolean {
  const { recordHooks = [] } = authored;
  return recordHooks.some(({ table, hooks }) =>
    table === name && (hooks.includes("beforeDelete") || hooks.includes("afterDelete"))
  );
}

const SUCCESSES: ReadonlySet<Expectation["kind"]> = new Set(["record", "body", "batch"]);

/**
 * Returns the probe as hooks allow it: an admitted caller is not refused for their identity, and some caller succeeds; the code
 * may refuse the write, or set columns of it.
 */
export function asHooked(probe: Probe, hooked: ReadonlyMap<string, unknown>): Probe {
  if (!hooked.has(probe.operationId) || !SUCCESSES.has(probe.expected.kind)) return probe;
  return { ...probe, expected: { kind: "admitted" }, isTrial: true };
}
