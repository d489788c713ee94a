/**
 * Moves of records whose foreign keys are changed: rules that follow relations are judged on the row before and after, in each
 * verb, and the next read already uses the new key (definitions 4.1, 4.2; docs/decisions/relations.md).
 */
import type { ColumnModel, JsonValue, RowPredicate } from "../../shared/model/mod.ts";
import { compare } from "../../shared/oracle/judge.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { changesetPath, type Operation, recordColumns } from "../../shared/surface/mod.ts";
import { tableNamed } from "../../shared/surface/mod.ts";
import { type Followed, followedIn, HOME, isUnique, ownConditions, tightKey } from "../rows/mod.ts";
import type { SeedRow, SeedValues } from "../rows/mod.ts";
import * as bodies from "./bodies.ts";
import { changed, type ExpectedRecord, expectedRecord } from "./expected_record.ts";
import * as plan from "./planning.ts";
import { type Expectation, refused } from "./question.ts";

/** Change of one row, with its expected result. */
interface Move {
  readonly row: SeedRow;
  readonly change: SeedValues;
  /** Row after the change. */
  readonly after: SeedValues;
  readonly explanation: ReturnType<typeof plan.explainWritten>;
}

/** Returns moves with one request for each step: the change, a read, and the change back. */
export function moves(
  verb: "update" | "upsert",
  writing: bodies.RouteWriting,
): readonly plan.Attempt[] {
  return possibleMoves(verb, writing).flatMap((move) => {
    const { row, change, after } = move;
    const send = (purpose: string, values: SeedValues, own: SeedValues) =>
      attempt(purpose, move, {
        id: row.id,
        body: verb === "update" ? own : bodies.sameBody("upsert", { ...row, values }, writing),
      }, writing);
    const there = send(`let the row "${row.variant}" refer to another`, after, change);
    return [
      there,
      ...thereAndBack(move, writing, (back) => send("move it back", row.values, back)),
    ];
  });
}

/** Returns moves of several rows in one batch, and back. */
export function batchMoves(
  { batch }: Operation,
  writing: bodies.RouteWriting,
): readonly plan.Attempt[] {
  const { route, table } = writing;
  const moved = distinctRows(possibleMoves("update", writing)).slice(0, batch?.maxBatchSize ?? 0);
  if (moved.length === 0) return [];
  const send = (purpose: string, all: readonly Move[], isBack: boolean): plan.Attempt => ({
    purpose,
    request: {
      method: route.method,
      path: plan.addressOf(route, {}, writing),
      body: {
        records: all.map(({ row, change }) => ({
          [table.primaryKey]: row.id,
          ...isBack ? before(row, change) : change,
        })),
      },
    },
    expected: batchExpected(all, isBack, writing),
    because: "each record as it will be",
  });
  const there = send("let rows refer to others", moved, false);
  const gone = moved.filter(({ explanation }) => explanation.refusal === null);
  return gone.length === 0 ? [there] : [there, send("move them back", gone, true)];
}

function batchExpected(
  all: readonly Move[],
  isBack: boolean,
  writing: bodies.RouteWriting,
): Expectation {
  const errors = all.flatMap(({ explanation: { refusal } }, index) =>
    refusal === null || isBack ? [] : [{ index, code: refusal }]
  );
  return {
    kind: "batch",
    status: errors.length === 0 ? 200 : 207,
    success: all.filter(({ explanation }) => isBack || explanation.refusal === null)
      .map(({ row, after }) => recordOf(isBack ? row.values : after, writing)),
    errors,
  };
}

/** Returns the moves as operations of one changeset: the first refusal refuses the whole. */
export function changesetMoves(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { model, resource } = writing;
  if (!model.changeset) return [];
  return possibleMoves("update", writing).flatMap((move) => {
    const { row, change, explanation } = move;
    const send = (purpose: string, data: SeedValues): plan.Attempt => ({
      purpose,
      request: {
        method: "POST",
        path: changesetPath(model),
        body: { operations: [{ op: "update", resource: resource.name, id: row.id, data }] },
      },
      expected: explanation.refusal === null
        ? { kind: "status", status: 200, code: null }
        : refused(explanation.refusal),
      because: plan.becauseOf(explanation, writing.route),
    });
    const there = send(`let the row "${row.variant}" refer to another in a changeset`, change);
    return explanation.refusal === null
      ? [there, send("move it back in a changeset", before(row, change))]
      : [there];
  });
}

/** Returns rows created below each kind of parent that the caller can name. */
export function placedBodies(
  verb: "create" | "upsert",
  writing: bodies.RouteWriting,
): readonly bodies.Body[] {
  // Parents that accept only one row each are tested elsewhere.
  if (tightKey(writing.table) !== null) return [];
  const route = { ...writing.route, use: "newRow" } as const;
  return keysOf(verb, writing).flatMap((key) => {
    const body = bodies.newBody(verb, writing);
    return kindsOf(namedBy(key, writing), (value) => {
      const made = bodies.rowMade({ ...body, [key.name]: value }, null, writing);
      return plan.explainRow(route, made, writing).refusal;
    }).filter((value) => value !== body[key.name])
      .map((value) => ({ ...bodies.newBody(verb, writing), [key.name]: value }));
  });
}

/** Returns changes of rows that rules of other rows lead to, each with a read of one of those, and the changes back. */
export function shifts(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { model, table } = writing;
  const led = followedIn(model).filter(({ asked }) =>
    asked.relation.table === table.name && asked.relation.direction === "parent"
  );
  return led.flatMap((one) => shift(one, writing));
}

function shift(followed: Followed, writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { from, asked: { relation: { own, related }, of } } = followed;
  const { table, resource, route } = writing;
  const child = plan.rowsOf(tableNamed(from, writing.model), writing)
    .find(({ variant }) => variant === HOME);
  const row = plan.keptRows(table, writing).find(({ values }) =>
    child !== undefined && values[related] === child.values[own]
  );
  const read = ruledRoutesOf(writing.model).find(({ subject, table: target }) =>
    subject.kind === "operation" && subject.operation.kind === "get" && target?.name === from
  );
  if (!child || !row || !read || plan.explainRow(route, row.values, writing).refusal !== null) {
    return [];
  }
  const columns = bodies.writableBy("update", resource, table).filter(({ name, references }) =>
    references === null && !isUnique(name, table) &&
    !Object.hasOwn(resource.transitions, name) &&
    ownConditions(of).some(({ column }) => column === name)
  );
  return columns.flatMap((column) => {
    const value = turningValue(column, row, of, writing);
    if (value === undefined) return [];
    const change = { [column.name]: value };
    const move = moveOf(row, change, writing);
    if (!isReversible(move, writing)) return [];
    const send = (purpose: string, body: SeedValues) =>
      attempt(purpose, move, { id: row.id, body }, writing);
    const there = send(`change what "${from}" is let through by`, change);
    if (move.explanation.refusal !== null) return [there];
    writing.standing.put(table, move.after);
    const seen = readOf(read, child, writing);
    writing.standing.put(table, row.values);
    return [
      there,
      seen,
      send("change it back", before(row, change)),
      readOf(read, child, writing),
    ];
  });
}

/** Returns a value, taken from another row, that changes whether the rule is met; undefined: there is none. */
function turningValue(
  { name, nullable }: ColumnModel,
  { values }: SeedRow,
  rule: RowPredicate,
  writing: bodies.RouteWriting,
): JsonValue | undefined {
  const caller = plan.actingCaller(writing);
  const holds = (row: SeedValues) => compare(rule, caller, row, writing.standing.world).holds;
  return plan.rowsOf(writing.table, writing).map((row) => row.values[name] ?? null).find((value) =>
    (value !== null || nullable) && holds({ ...values, [name]: value }) !== holds(values)
  );
}

/** Returns moves that can be undone, one for each kind of answer, of the first row that the caller may write. */
function possibleMoves(verb: "update" | "upsert", writing: bodies.RouteWriting): readonly Move[] {
  const { route, table } = writing;
  const rows = plan.keptRows(table, writing).filter((row) =>
    plan.isInReach(row, writing) && plan.explainRow(route, row.values, writing).refusal === null &&
    bodies.bodyRefusal(verb, bodies.sameBody(verb, row, writing), writing) === null
  ).slice(0, ROWS_MAX);
  return keysOf(verb, writing).flatMap((key) =>
    rows.flatMap((row) =>
      kindsOf(
        namedBy(key, writing),
        (value) => moveOf(row, { [key.name]: value }, writing).explanation.refusal,
      ).filter((value) => value !== row.values[key.name])
        .map((value) => moveOf(row, { [key.name]: value }, writing))
        .filter((move) => isReversible(move, writing))
    )
  );
}

/** Maximum number of rows of each table that are moved. */
const ROWS_MAX = 2;

function moveOf(row: SeedRow, change: SeedValues, writing: bodies.RouteWriting): Move {
  const after = { ...row.values, ...change };
  return { row, change, after, explanation: plan.explainWritten(writing.route, after, writing) };
}

/** True when nothing is moved, or the caller can move it back. */
function isReversible(
  { row, change, after, explanation }: Move,
  writing: bodies.RouteWriting,
): boolean {
  const { route } = writing;
  return explanation.refusal !== null ||
    (plan.explainRow(route, after, writing).refusal === null &&
      plan.explainWritten(route, row.values, writing).refusal === null &&
      bodies.bodyRefusal("update", before(row, change), writing) === null);
}

/** Returns the keys that rules follow and that a body may contain. */
function keysOf(verb: bodies.BodyVerb, writing: bodies.RouteWriting): readonly ColumnModel[] {
  const { model, resource, table } = writing;
  const led = followedIn(model).flatMap(({ from, asked: { relation } }) =>
    from === table.name && relation.direction === "parent" ? [relation.own] : []
  );
  return bodies.writableBy(verb, resource, table).filter(({ name, references }) =>
    references !== null && led.includes(name) && !isUnique(name, table)
  );
}

/** Returns the values of a key that the caller can name, and null. */
function namedBy(
  { references, nullable }: ColumnModel,
  writing: bodies.RouteWriting,
): readonly JsonValue[] {
  if (references === null) return [];
  const parent = tableNamed(references.table, writing.model);
  const seen = plan.keptRows(parent, writing).filter(({ values }) =>
    plan.isVisible(parent, values, writing)
  );
  return [
    ...seen.map(({ values }) => values[references.column] ?? null),
    ...(nullable ? [null] : []),
  ];
}

/** Returns two values of each kind, and always null. */
function kindsOf(
  values: readonly JsonValue[],
  kindOf: (value: JsonValue) => string | null,
): readonly JsonValue[] {
  const kinds = Map.groupBy(values, (value) => value === null ? "null" : kindOf(value));
  return [...kinds.values()].flatMap((all) => all.slice(0, 2));
}

/**
 * Returns one move for each row. Every second row gets a refused one, if there is one: a refused move must not undo the others.
 */
function distinctRows(all: readonly Move[]): readonly Move[] {
  const rows = [...Map.groupBy(all, ({ row }) => row).values()];
  return rows.flatMap((moves, at) => {
    const wanted = moves.find(({ explanation: { refusal } }) =>
      (refusal !== null) === (at % 2 === 0)
    );
    return wanted ?? moves.slice(0, 1);
  });
}

function before(row: SeedRow, change: SeedValues): SeedValues {
  return Object.fromEntries(Object.keys(change).map((name) => [name, row.values[name] ?? null]));
}

function attempt(
  purpose: string,
  { row, after, explanation }: Move,
  { id, body }: { readonly id: SeedRow["id"]; readonly body: bodies.Body },
  writing: bodies.RouteWriting,
): plan.Attempt {
  const { route } = writing;
  const isBack = purpose.endsWith("back");
  const expected: Expectation = isBack || explanation.refusal === null
    ? {
      kind: "record",
      statuses: [200],
      record: recordOf(isBack ? row.values : after, writing),
      included: null,
    }
    : refused(explanation.refusal);
  return {
    purpose,
    request: { method: route.method, path: plan.addressOf(route, { id }, writing), body },
    expected,
    because: plan.becauseOf(explanation, route),
  };
}

/** Returns a read of the moved row, and the move back; nothing if the move is refused. */
function thereAndBack(
  { row, change, after, explanation }: Move,
  writing: bodies.RouteWriting,
  back: (values: SeedValues) => plan.Attempt,
): readonly plan.Attempt[] {
  const { model, table, standing } = writing;
  if (explanation.refusal !== null) return [];
  const read = ruledRoutesOf(model).find(({ subject, table: target }) =>
    subject.kind === "operation" && subject.operation.kind === "get" && target?.name === table.name
  );
  standing.put(table, after);
  const seen = read ? [readOf(read, { ...row, values: after }, writing)] : [];
  standing.put(table, row.values);
  return [...seen, back(before(row, change))];
}

function readOf(route: RuledRoute, row: SeedRow, writing: bodies.RouteWriting): plan.Attempt {
  const explanation = plan.explainRow(route, row.values, writing);
  const { refusal } = explanation;
  const { subject } = route;
  const resource = subject.kind === "operation" ? subject.operation.resource : writing.resource;
  return {
    purpose: `read the row "${row.variant}" after a move`,
    request: { method: "GET", path: plan.addressOf(route, { id: row.id }, writing) },
    expected: refusal === null
      ? {
        kind: "record",
        statuses: [200],
        record: recordOf(row.values, { ...writing, resource, table: row.table }),
        included: null,
      }
      : refused(refusal),
    because: plan.becauseOf(explanation, route),
  };
}

function recordOf(values: SeedValues, writing: bodies.Writing): ExpectedRecord {
  const { resource, table } = writing;
  const columns = recordColumns(table).map(({ name }) => name);
  return changed(expectedRecord(resource, values, columns, plan.lookingOf(writing)), table);
}
