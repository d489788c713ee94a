/** Probes of histories of records (definitions 4, `audit`): who may read which ones, and what masks hide in them. */
import * as plan from "./planning.ts";
import { type Corpus, type Expectation, headerOf, recordIn, refused } from "./question.ts";
import type { Reading } from "./reading.ts";
import { HEADERS } from "../../shared/contract/mod.ts";
import { isJsonObject } from "../../shared/lib/json.ts";

/** Returns reads of the history of every row and of a missing one; the content of a history is not predicted. */
export function historyReads(reading: Reading): readonly plan.Attempt[] {
  const { route, table } = reading;
  const page: Expectation = {
    kind: "page",
    view: null,
    records: new Map(),
    key: "id",
    isExact: false,
    aggregations: null,
    included: null,
  };
  const missing = {
    variant: "that is not there",
    id: plan.missingId(table, reading),
    values: null,
  };
  return [...plan.keptRows(table, reading), missing].map(({ variant, id, values }) => {
    const explanation = plan.explainRow(route, values, reading);
    const { refusal } = explanation;
    return {
      purpose: `read the history of the row "${variant}"`,
      request: { method: route.method, path: plan.addressOf(route, { id }, reading) },
      expected: refusal !== null ? refused(refusal) : values === null ? { kind: "admitted" } : page,
      because: plan.becauseOf(explanation, route),
    };
  });
}

/** Yields reads of histories of rows that differ in the other database, page by page, after other callers wrote them. */
export function* historyVariations(reading: Reading): Corpus {
  const { route, table } = reading;
  const { own, others, known, foreign, deleted, untouched, missing } = plan.castOf(table, reading);
  for (const id of new Set([own, ...others, known, foreign, deleted, untouched, missing])) {
    const heard = yield plan.ask("history", route, { id }, reading);
    const { pagination } = recordIn(
      yield plan.ask("history", route, { id, query: { limit: "1" } }, reading),
    );
    const next = isJsonObject(pagination) ? pagination["nextCursor"] : null;
    if (typeof next === "string") {
      const query = { limit: "1", starting_after: next };
      yield plan.ask("history", route, { id, query }, reading);
    }
    const tag = headerOf(heard, HEADERS.etag);
    if (tag === null) continue;
    const headers = { [HEADERS.ifNoneMatch]: tag };
    yield { ...plan.ask("history", route, { id }, reading), headers };
  }
}
