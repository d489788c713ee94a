/** Probes of single reads (contract 4.1 rule 4, 4.3): every row, its fields, its embeds, and its entity tag. */
import { HEADERS } from "../../shared/contract/mod.ts";
import { mayAdmit } from "../../shared/oracle/judge.ts";
import { embeddablesOf, parametersOf } from "../../shared/surface/mod.ts";
import type { RowId, SeedRow } from "../rows/mod.ts";
import { expectedRecord } from "./expected_record.ts";
import { columnsOf, includedOf } from "./lists.ts";
import type { Reading } from "./reading.ts";
import * as plan from "./planning.ts";
import { type Channel, type Corpus, headerOf, refused } from "./question.ts";

/** Returns reads of every row by its id, and of a missing one. */
export function singleReads(reading: Reading): readonly plan.Attempt[] {
  const { route, operation, table } = reading;
  const columns = columnsOf(reading);
  const looking = plan.lookingOf(reading);
  const rows = plan.keptRows(table, reading);
  const of = (row: SeedRow): plan.Attempt => {
    const explanation = plan.explainRow(route, row.values, reading);
    const { refusal } = explanation;
    const record = expectedRecord(operation.resource, row.values, columns, looking);
    return {
      purpose: `read the row "${row.variant}"`,
      request: { method: "GET", path: plan.addressOf(route, { id: row.id }, reading) },
      expected: refusal === null
        ? { kind: "record", statuses: route.success, record, included: null }
        : refused(refusal),
      because: plan.becauseOf(explanation, route),
    };
  };
  const refusal = plan.gateRefusal(route, reading);
  const [home] = rows;
  if (refusal !== null && home) return [of(home), missing(reading), ...rows.slice(1, 3).map(of)];
  return [
    ...rows.map(of),
    missing(reading),
    ...maskedFields(rows, reading),
    ...includedReads(rows, reading),
  ];
}

function missing(reading: Reading): plan.Attempt {
  const { route, table } = reading;
  const explanation = plan.explainRow(route, null, reading);
  return {
    purpose: "read a row that is not there",
    request: {
      method: "GET",
      path: plan.addressOf(route, { id: plan.missingId(table, reading) }, reading),
    },
    expected: explanation.refusal === null ? { kind: "admitted" } : refused(explanation.refusal),
    because: plan.becauseOf(explanation, route),
  };
}

function maskedFields(rows: readonly SeedRow[], reading: Reading): readonly plan.Attempt[] {
  const { route, operation: { resource } } = reading;
  const columns = columnsOf(reading).filter((name) => Object.hasOwn(resource.masks, name));
  const row = rows.find(({ values }) => plan.explainRow(route, values, reading).refusal === null);
  if (!row || columns.length === 0) return [];
  const query = { fields: columns.join(",") };
  const record = expectedRecord(resource, row.values, columns, plan.lookingOf(reading));
  return [{
    purpose: "ask for masked columns alone",
    request: { method: "GET", path: plan.addressOf(route, { id: row.id, query }, reading) },
    expected: { kind: "record", statuses: route.success, record, included: null },
    because: "a projection does not lift a mask",
  }];
}

function includedReads(rows: readonly SeedRow[], reading: Reading): readonly plan.Attempt[] {
  const { route, operation, model, world: { caller } } = reading;
  const visible = rows.filter(({ values }) =>
    plan.explainRow(route, values, reading).refusal === null
  );
  return embeddablesOf(operation, model).flatMap((relation) => {
    const { name, direction, column, resource } = relation;
    const holder = direction === "parent" ? operation.resource : resource;
    if (Object.hasOwn(holder.masks, column.name)) return [];
    const isRefused = resource.read !== null && !mayAdmit(resource.read.access, caller);
    const key = direction === "parent" ? column.name : operation.resource.table;
    const parents = new Map(visible.map((row) => [row.values[key] ?? row.id, row]));
    return [...parents.values()].map((row): plan.Attempt => {
      const included = includedOf([row], relation, reading);
      const { values } = row;
      const record = expectedRecord(
        operation.resource,
        values,
        columnsOf(reading),
        plan.lookingOf(reading),
      );
      return {
        purpose: `include "${name}" of the row "${row.variant}"`,
        request: {
          method: "GET",
          path: plan.addressOf(route, { id: row.id, query: { include: name } }, reading),
        },
        expected: isRefused
          ? refused("ACCESS_ROLE_REQUIRED")
          : { kind: "record", statuses: route.success, record, included },
        because: "an embed is a read of its target",
      };
    });
  });
}

/**
 * Yields reads of the same rows with their entity tags, by masked columns, and with everything they can embed; answers are not
 * predicted.
 */
export function* singleVariations(reading: Reading): Corpus {
  const { route, operation, table, model } = reading;
  const { own, others, known, foreign, deleted, missing: none } = plan.castOf(table, reading);
  const get = (channel: Channel, id: RowId, query: plan.Query = {}) =>
    plan.ask(channel, route, { id, query }, reading);
  for (const id of [own, ...others, known, foreign, deleted, none]) yield get("get", id);
  if (!plan.isLetIn(route, reading)) return;
  const [seen] = others;
  for (const id of [own, seen]) {
    const tag = headerOf(yield get("etag", id), HEADERS.etag);
    for (const sent of [tag ?? '"1"', 'W/"0"']) {
      yield { ...get("etag", id), headers: { [HEADERS.ifNoneMatch]: sent } };
    }
    yield { ...get("etag", id), method: "HEAD" };
  }
  for (const { column: { name } } of plan.hiddenIn(table.name, reading)) {
    yield { ...get("fields", seen, { fields: name }), column: `${table.name}.${name}` };
  }
  for (const { name, use } of parametersOf(operation, model)) {
    if (use.kind === "include") {
      for (const column of use.columns) yield get("include", seen, { include: column });
    }
    if (use.kind === "embeddedFields") {
      yield get("include", seen, { include: use.column, [name]: use.fields.join(",") });
    }
  }
}
