/** Probes of batches (contract 4.1 rule 6): the role is checked once, and each record is judged separately. */
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import { type Operation, recordColumns } from "../../shared/surface/mod.ts";
import { isUnique, type RowId, type SeedRow } from "../rows/mod.ts";
import { ANY, changed, type ExpectedRecord, expectedRecord } from "./expected_record.ts";
import * as plan from "./planning.ts";
import { type Corpus, type Expectation, refused } from "./question.ts";
import * as bodies from "./bodies.ts";
import { batchMoves } from "./moves.ts";
import type { Judgement } from "./writes.ts";
import { madeRecord, noteMade, noteRemoved } from "./made_rows.ts";
import { isTaken, placedOver } from "./writes.ts";
import { replaceableRows, unstamped } from "./writes.ts";
import { replayed } from "./write_variations.ts";

/** Returns batches of rows that succeed and rows that are refused. */
export function batchWrites(
  operation: Operation,
  writing: bodies.RouteWriting,
): readonly plan.Attempt[] {
  const { kind, batch } = operation;
  if (batch === null) return [];
  const { route, table } = writing;
  const size = batch.maxBatchSize;
  const gate = plan.gateRefusal(route, writing);
  if (gate !== null) {
    const because = plan.becauseOf(plan.explainRow(route, undefined, writing), route);
    const send = (purpose: string, body: JsonValue) =>
      request(purpose, body, { expected: refused(gate), because, writing });
    return [
      send("send a batch of another form", { records: "none", ids: 5 }),
      send("send a batch that is no JSON", "{"),
      send("name every row", everyRow(kind, writing)),
    ];
  }
  switch (kind) {
    case "batchCreate":
      return creation(writing, size);
    case "batchDelete":
      return chunked(plan.deletableRows(route, writing), size).map((rows) =>
        deletion(rows, writing)
      );
    case "batchUpdate":
      return [
        ...chunked(plan.keptRows(table, writing), size - 1)
          .map((rows) => change("update", rows, writing)),
        ...batchMoves(operation, writing),
      ];
    default:
      return replacement(writing, size);
  }
}

function request(
  purpose: string,
  body: JsonValue,
  { expected, because, writing }: Judgement,
): plan.Attempt {
  const { route } = writing;
  return {
    purpose,
    request: { method: route.method, path: plan.addressOf(route, {}, writing), body },
    expected,
    because,
  };
}

/** Checks that a refused caller learns nothing about the rows, and changes none. */
function everyRow(kind: Operation["kind"], writing: bodies.RouteWriting): JsonValue {
  const ids = plan.keptRows(writing.table, writing).slice(0, 5).map(({ id }) => id);
  if (kind === "batchDelete") return { ids };
  if (kind === "batchCreate") return { records: [bodies.newBody("create", writing)] };
  return { records: ids.map((id) => ({ id })) };
}

function chunked<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const length = Math.max(1, size);
  return Array.from(
    { length: Math.ceil(items.length / length) },
    (_, at) => items.slice(at * length, (at + 1) * length),
  );
}

interface Item {
  readonly sent: JsonValue;
  readonly refusal: RuntimeCode | null;
  /** Expected record of a success. */
  readonly record: ExpectedRecord;
}

const NOTHING: ExpectedRecord = new Map();

function batchOf(
  purpose: string,
  items: readonly Item[],
  [member, status]: readonly [member: "records" | "ids", whenAllSucceed: number],
  writing: bodies.RouteWriting,
): plan.Attempt {
  const errors = items.flatMap(({ refusal }, index) =>
    refusal === null ? [] : [{ index, code: refusal }]
  );
  const expected: Expectation = {
    kind: "batch",
    status: errors.length === 0 ? status : 207,
    success: items.filter(({ refusal }) => refusal === null).map(({ record }) => record),
    errors,
  };
  const body = { [member]: items.map(({ sent }) => sent) };
  return request(purpose, body, { expected, because: "each record by itself", writing });
}

function change(
  verb: "update" | "upsert",
  rows: readonly SeedRow[],
  writing: bodies.RouteWriting,
): plan.Attempt {
  const { route, resource, table } = writing;
  const columns = recordColumns(table).map(({ name }) => name);
  const items = rows.map((row): Item => {
    const good = bodies.sameBody(verb, row, writing);
    const refusal = verb === "upsert" && isTaken(row, writing)
      ? placedOver(row, good, writing)
      : plan.explainRow(route, row.values, writing).refusal;
    const isBad = bodies.bodyRefusal(verb, good, writing) !== null;
    const { code, body } = refusal === null && Object.keys(good).length === 0
      ? bodies.guardedBodies(verb, {}, writing)[0] ?? { code: null, body: {} }
      : { code: refusal ?? (isBad ? "VALIDATION_ERROR" : null), body: good };
    const record = expectedRecord(resource, row.values, columns, plan.lookingOf(writing));
    return {
      sent: { [table.primaryKey]: row.id, ...body },
      refusal: code,
      record: changed(record, table),
    };
  });
  const missing: Item = {
    sent: { [table.primaryKey]: plan.missingId(table, writing) },
    refusal: plan.explainRow(route, null, writing).refusal,
    record: NOTHING,
  };
  const all = verb === "update" ? [...items, missing] : items;
  return batchOf("write every row as it is", all, ["records", 200], writing);
}

function replacement(writing: bodies.RouteWriting, size: number): readonly plan.Attempt[] {
  const { route, table } = writing;
  const whole = unstamped(writing);
  const rows = replaceableRows(writing);
  if (whole.refusal === null) {
    return chunked(rows, size).map((some) => change("upsert", some, writing));
  }
  const records = rows.slice(0, size).map((row) => ({
    [table.primaryKey]: row.id,
    ...bodies.sameBody("upsert", row, writing),
  }));
  return [request("replace several", { records }, {
    expected: refused(whole.refusal),
    because: plan.becauseOf(whole, route),
    writing,
  })];
}

function creation(writing: bodies.RouteWriting, size: number): readonly plan.Attempt[] {
  const { route, table } = writing;
  const whole = plan.explainRow(route, undefined, writing);
  const good = bodies.newBody("create", writing);
  if (whole.refusal !== null) {
    return [request("create several", { records: [good] }, {
      expected: refused(whole.refusal),
      because: plan.becauseOf(whole, route),
      writing,
    })];
  }
  const refusal = bodies.bodyRefusal("create", good, writing) !== null
    ? "VALIDATION_ERROR"
    : plan.explainRow(route, bodies.rowMade(good, null, writing), writing).refusal;
  if (refusal === null && bodies.hasRoom(good, writing)) noteMade(good, null, writing);
  const bad = [
    ...bodies.guardedBodies("create", bodies.newBody("create", writing), writing).slice(0, 2),
    ...bodies.unreadableBodies("create", bodies.newBody("create", writing), writing),
  ];
  const items: readonly Item[] = [
    ...(bodies.hasRoom(good, writing)
      ? [{ sent: good, refusal, record: madeRecord(good, writing) }]
      : []),
    ...bad.map(({ body, code }) => ({ sent: body, refusal: code, record: NOTHING })),
  ];
  return chunked(items, size).map((some) => ({
    ...batchOf("create several", some, ["records", 201], writing),
    creates: table,
  }));
}

function deletion(rows: readonly SeedRow[], writing: bodies.RouteWriting): plan.Attempt {
  const { route, resource, table } = writing;
  const items = rows.map((row): Item => {
    const { refusal } = plan.explainRow(route, row.values, writing);
    const { id } = row;
    if (refusal === null) noteRemoved(row, writing);
    const stamps = resource.delete?.mode === "soft"
      ? [["deletedAt", ANY] as const, ["deletedBy", ANY] as const]
      : [];
    const record: ExpectedRecord = new Map([
      [table.primaryKey, { kind: "value", value: id } as const],
      ...stamps,
    ]);
    return { sent: id, refusal, record };
  });
  return batchOf("delete every row", items, ["ids", 200], writing);
}

/**
 * Yields batches whose answers are not predicted: records that succeed, together with refused, foreign, missing or taken ones.
 */
export function* batchVariations({ kind, batch }: Operation, writing: bodies.RouteWriting): Corpus {
  const { route, resource } = writing;
  const [first, ...others] = mixedBatches(kind, writing);
  if (first === undefined || batch === null) return;
  const send = (body: bodies.Body) => plan.ask("batch", route, { body }, writing);
  yield send(first);
  if (!plan.isLetIn(route, writing)) return;
  for (const body of others) yield send(body);
  if (batch.allowFailFast) yield send({ ...first, options: { failFast: true } });
  yield* replayed(send(first), `${kind}-${resource.name}`, {});
}

function mixedBatches(
  kind: Operation["kind"],
  writing: bodies.RouteWriting,
): readonly bodies.Body[] {
  const { table } = writing;
  const { own, others: [one, two], foreign, deleted, missing } = plan.castOf(table, writing);
  const named = (id: RowId, body: bodies.Body = {}): bodies.Body => ({
    [table.primaryKey]: id,
    ...body,
  });
  const broken: bodies.Body = { nobodyKnowsThis: 1 };
  switch (kind) {
    case "batchCreate": {
      const body = () => bodies.newBody("create", writing);
      const taken = bodies.conflictingBody("create", writing);
      return [
        { records: [body(), body()] },
        { records: [body(), broken, {}] },
        ...(taken === null ? [] : [{ records: [taken] }]),
      ];
    }
    case "batchUpdate": {
      // One field that may be equal in several rows.
      const entry = Object.entries(bodies.harmless(bodies.newBody("update", writing), writing))
        .find(([name]) => !isUnique(name, table));
      const body = entry === undefined ? {} : Object.fromEntries([entry]);
      const taken = bodies.conflictingBody("update", writing);
      return [
        { records: [named(one, body), named(own, body)] },
        { records: [foreign, deleted, missing, two].map((id) => named(id, body)) },
        { records: [named(two, broken), named(one, { createdAt: "now" })] },
        ...(taken === null ? [] : [{ records: [named(two, taken)] }]),
      ];
    }
    case "batchUpsert": {
      const body = () => bodies.newBody("upsert", writing);
      return [
        { records: [named(writing.newId(table), body()), named(one, body())] },
        { records: [named(foreign, body()), named(two)] },
      ];
    }
    case "batchDelete":
      return [{ ids: [two, foreign, missing] }, { ids: [deleted] }];
    default:
      return [];
  }
}
