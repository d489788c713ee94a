/** Probes of restorations (contract 3.1): who may restore which deleted rows, and what the answer shows. */
import { HEADERS } from "../../shared/contract/mod.ts";
import { ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { recordColumns } from "../../shared/surface/mod.ts";
import { changed, expectedRecord } from "./expected_record.ts";
import * as plan from "./planning.ts";
import { type Corpus, type Expectation, refused } from "./question.ts";
import type { SeedRow } from "../rows/mod.ts";
import type { RouteWriting } from "./bodies.ts";

/** Returns restorations of every row that no deletion uses up: most are not deleted, and nobody can restore those. */
export function restorations(writing: RouteWriting): readonly plan.Attempt[] {
  const { route, table } = writing;
  const missing = plan.explainRow(route, null, writing);
  return [
    {
      purpose: "restore a row that is not there",
      request: requestOf(writing, plan.missingId(table, writing)),
      expected: missing.refusal === null ? { kind: "admitted" } : refused(missing.refusal),
      because: plan.becauseOf(missing, route),
    },
    ...plan.keptRows(table, writing).map((row) => restoration(row, writing)),
  ];
}

/** Returns the values of a row after all questions except deletions. */
export function valuesLeft(row: SeedRow, planning: plan.Planning): SeedRow["values"] {
  const isRestored = !planning.reserved.has(row) &&
    ruledRoutesOf(planning.model).some((route) =>
      route.use === "deletedRow" && route.table?.name === row.table.name &&
      plan.explainRow(route, row.values, planning).refusal === null
    );
  return isRestored ? { ...row.values, ...LIVE } : row.values;
}

const LIVE = { deletedAt: null, deletedBy: null };

function restoration(row: SeedRow, writing: RouteWriting): plan.Attempt {
  const { route, resource, table } = writing;
  const explanation = plan.explainRow(route, row.values, writing);
  const { refusal } = explanation;
  const columns = recordColumns(table).map(({ name }) => name);
  const live = { ...row.values, ...LIVE };
  const record = changed(expectedRecord(resource, live, columns, plan.lookingOf(writing)), table);
  if (refusal === null) writing.standing.put(table, live);
  const expected: Expectation = refusal === null
    ? { kind: "record", statuses: route.success, record, included: null }
    : refused(refusal);
  return {
    purpose: `restore the row "${row.variant}"`,
    request: requestOf(writing, row.id),
    expected,
    because: plan.becauseOf(explanation, route),
  };
}

function requestOf(writing: RouteWriting, id: SeedRow["id"]): plan.Attempt["request"] {
  const { route } = writing;
  return { method: route.method, path: plan.addressOf(route, { id }, writing) };
}

/** Yields restorations of rows that differ in the other database; the answers are not predicted. */
export function* restoreVariations(writing: RouteWriting): Corpus {
  const { route, table } = writing;
  const { own, foreign, deleted, missing } = plan.castOf(table, writing);
  for (const id of [foreign, deleted]) {
    yield {
      ...plan.ask("etag", route, { id }, writing),
      headers: { [HEADERS.ifMatch]: '"999"' },
    };
  }
  for (const id of [foreign, missing, own, deleted, own]) {
    yield plan.ask("restore", route, { id }, writing);
  }
}
