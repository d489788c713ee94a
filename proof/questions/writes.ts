/** Probes of single writes (contract 1.3, 4.1): who may write which row, what a body may contain, and what the answer shows. */
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import type { Explanation } from "../../shared/oracle/explain.ts";
import { recordColumns } from "../../shared/surface/mod.ts";
import { isColleagues, type RowId, type SeedRow } from "../rows/mod.ts";
import { changed, expectedRecord } from "./expected_record.ts";
import * as plan from "./planning.ts";
import { type Expectation, refused } from "./question.ts";
import * as bodies from "./bodies.ts";
import { madeRecord, noteMade, noteRemoved } from "./made_rows.ts";
import { changesetMoves, moves, placedBodies, shifts } from "./moves.ts";

/** Returns probes of which row may be written, and of what the answer shows. */
export function singleWrites(
  verb: "create" | "update" | "upsert" | "delete",
  writing: bodies.RouteWriting,
): readonly plan.Attempt[] {
  switch (verb) {
    case "create":
      return creations(writing);
    case "delete":
      return deletions(writing);
    case "upsert":
      return replacements(writing);
    case "update":
      return changes("update", writing);
  }
}

/** Expected answer, with the rule that requires it. */
export interface Judgement {
  readonly expected: Expectation;
  readonly because: plan.Attempt["because"];
  readonly writing: bodies.RouteWriting;
}

function send(
  purpose: string,
  { body, id }: {
    readonly body?: JsonValue;
    readonly id?: RowId;
  },
  { expected, because, writing }: Judgement,
): plan.Attempt {
  const { route } = writing;
  const path = plan.addressOf(route, id === undefined ? {} : { id }, writing);
  return {
    purpose,
    request: { method: route.method, path, ...(body === undefined ? {} : { body }) },
    expected,
    because,
  };
}

/** Returns requests of a caller who is refused with any body. */
function refusedSends(
  what: string,
  id: RowId | undefined,
  judgement: Judgement,
): readonly plan.Attempt[] {
  const named = id === undefined ? {} : { id };
  return [
    send(
      `${what} with a body that guards refuse`,
      { ...named, body: bodies.REFUSED_BODY },
      judgement,
    ),
    send(`${what} with a body that is no JSON`, { ...named, body: bodies.BROKEN_BODY }, judgement),
  ];
}

function creations(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { route, table } = writing;
  const gate = plan.gateRefusal(route, writing);
  if (gate !== null) {
    const because = plan.becauseOf(plan.explainRow(route, undefined, writing), route);
    return refusedSends("create", undefined, { expected: refused(gate), because, writing });
  }
  const body = bodies.newBody("create", writing);
  const isStamped = plan.explainRow(route, undefined, writing).refusal === null;
  const explanation = plan.explainRow(route, bodies.rowMade(body, null, writing), writing);
  const because = plan.becauseOf(explanation, route);
  const field = isStamped ? bodies.bodyRefusal("create", body, writing) : null;
  const success: Expectation = field !== null
    ? refused("VALIDATION_ERROR", `/${field}`)
    : explanation.refusal === null
    ? {
      kind: "record",
      statuses: route.success,
      record: madeRecord(body, writing),
      included: null,
    }
    : refused(explanation.refusal);
  if (field === null && explanation.refusal === null) noteMade(body, null, writing);
  const bad = [
    ...bodies.guardedBodies("create", body, writing),
    ...bodies.invalidBodies("create", body, writing),
    ...(isStamped ? bodies.unreadableBodies("create", body, writing) : []),
  ];
  return [
    ...bad.map((one) => badSend(`create and ${one.purpose}`, one, writing)),
    { ...send("create", { body }, { expected: success, because, writing }), creates: table },
    ...(field === null && isStamped ? placedBodies("create", writing) : []).map((one) =>
      making("create below another row", one, null, writing)
    ),
  ];
}

/** Makes a request that creates a row, with its expected answer. */
function making(
  purpose: string,
  body: bodies.Body,
  id: RowId | null,
  writing: bodies.RouteWriting,
): plan.Attempt {
  const { route, table } = writing;
  const explanation = plan.explainRow(
    { ...route, use: "newRow" },
    bodies.rowMade(body, id, writing),
    writing,
  );
  const because = plan.becauseOf(explanation, route);
  const record = madeRecord(id === null ? body : { ...body, [table.primaryKey]: id }, writing);
  const expected: Expectation = explanation.refusal === null
    ? { kind: "record", statuses: [201], record, included: null }
    : refused(explanation.refusal);
  if (explanation.refusal === null) noteMade(body, id, writing);
  return {
    ...send(purpose, id === null ? { body } : { body, id }, { expected, because, writing }),
    creates: table,
  };
}

function badSend(
  purpose: string,
  { body, code, pointer }: bodies.BadBody,
  writing: bodies.RouteWriting,
  id?: RowId,
): plan.Attempt {
  const because = code.startsWith("GUARD_")
    ? "guards"
    : pointer !== null && code === "VALIDATION_ERROR"
    ? `what "${pointer.slice(1)}" may hold`
    : "validation";
  const sent = id === undefined ? { body } : { body, id };
  return send(purpose, sent, { expected: refused(code, pointer), because, writing });
}

/**
 * Explains a PUT that might create its row: a caller whose scope cannot stamp a row is refused, whichever row the PUT names.
 */
export function unstamped(writing: bodies.RouteWriting): Explanation {
  return plan.explainRow({ ...writing.route, use: "newRow" }, undefined, writing);
}

function replacements(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { route, table } = writing;
  const { refusal, ...explanation } = unstamped(writing);
  if (refusal === null) return [...changes("upsert", writing), ...placements(writing)];
  const expected = refused(refusal);
  const because = plan.becauseOf({ refusal, ...explanation }, route);
  return [
    ...replaceableRows(writing).map(({ variant, id }) => ({
      what: `replace the row "${variant}"`,
      id,
    })),
    { what: "place a new row", id: writing.newId(table) },
  ].flatMap(({ what, id }) => refusedSends(what, id, { expected, because, writing }));
}

/**
 * Returns the rows that a PUT may replace: not those whose hidden values later questions need, because a PUT overwrites them
 * all; and not those of another database, because their ids are free in the caller's own.
 */
export function replaceableRows(writing: bodies.RouteWriting): readonly SeedRow[] {
  const { table, ...planning } = writing;
  return plan.keptRows(table, planning).filter((row) =>
    !isColleagues(row) && plan.isInReach(row, writing)
  );
}

/** Returns updates and replacements of existing rows. */
function changes(verb: "update" | "upsert", writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { route, table } = writing;
  const rows = verb === "upsert" ? replaceableRows(writing) : plan.keptRows(table, writing);
  const admitted = rows.filter(({ values }) =>
    plan.explainRow(route, values, writing).refusal === null
  );
  const [first] = admitted;
  return [
    ...rows.filter((row) => !admitted.includes(row)).flatMap((row) => {
      if (verb === "upsert" && isTaken(row, writing)) return [takenPlace(row, writing)];

      const explanation = plan.explainRow(route, row.values, writing);
      if (explanation.refusal === null) return [];
      const expected = refused(explanation.refusal);
      const because = plan.becauseOf(explanation, route);
      return refusedSends(`change the row "${row.variant}"`, row.id, {
        expected,
        because,
        writing,
      });
    }),
    ...missingChange(writing, verb),
    ...(first ? badChanges(verb, first, writing) : []),
    ...admitted.map((row) => goodChange(verb, row, writing)),
    ...moves(verb, writing),
    ...(verb === "update" ? [...shifts(writing), ...changesetMoves(writing)] : []),
  ];
}

/** Judges a PUT of a foreign row as the creation of a new row; it is refused because the id is taken (definitions 7). */
export function placedOver(
  row: SeedRow,
  body: bodies.Body,
  writing: bodies.RouteWriting,
): RuntimeCode {
  if (bodies.bodyRefusal("upsert", body, writing) !== null) return "VALIDATION_ERROR";
  const made = { ...writing.route, use: "takenRow" } as const;
  return plan.explainRow(made, bodies.rowMade(body, row.id, writing), writing).refusal ??
    "DB_UNIQUE_VIOLATION";
}

/** True when more than its deletion hides the row from the caller. */
export function isTaken({ table, values }: SeedRow, writing: bodies.RouteWriting): boolean {
  return plan.gateRefusal(writing.route, writing) === null &&
    plan.hiding(table, values, writing).some(({ kind }) => kind !== "notDeleted");
}

function takenPlace(row: SeedRow, writing: bodies.RouteWriting): plan.Attempt {
  const body = bodies.sameBody("upsert", row, writing);
  const expected = refused(placedOver(row, body, writing));
  return send(`place a row over "${row.variant}"`, { id: row.id, body }, {
    expected,
    because: "a row that the caller cannot see is not theirs to replace",
    writing,
  });
}

/** Returns a change of a missing row: it is answered as a foreign row is. */
function missingChange(
  writing: bodies.RouteWriting,
  verb: "update" | "upsert",
): readonly plan.Attempt[] {
  const { route, table } = writing;
  const { refusal, ...explanation } = plan.explainRow(route, null, writing);
  if (refusal === null || verb === "upsert") return [];
  const because = plan.becauseOf({ refusal, ...explanation }, route);
  const id = plan.missingId(table, writing);
  return refusedSends("change a row that is not there", id, {
    expected: refused(refusal),
    because,
    writing,
  });
}

function badChanges(
  verb: "update" | "upsert",
  row: SeedRow,
  writing: bodies.RouteWriting,
): readonly plan.Attempt[] {
  const good = bodies.sameBody(verb, row, writing);
  return [
    ...bodies.guardedBodies(verb, good, writing),
    ...bodies.invalidBodies(verb, good, writing),
    ...bodies.unreadableBodies(verb, good, writing),
  ].map((one) => badSend(`change a row and ${one.purpose}`, one, writing, row.id));
}

function goodChange(
  verb: "update" | "upsert",
  row: SeedRow,
  writing: bodies.RouteWriting,
): plan.Attempt {
  const { route, resource, table } = writing;
  const body = bodies.sameBody(verb, row, writing);
  const because = plan.becauseOf(plan.explainRow(route, row.values, writing), route);
  if (Object.keys(body).length === 0) {
    const [guarded] = bodies.guardedBodies(verb, {}, writing);
    if (guarded) {
      return badSend(`change the row "${row.variant}"`, guarded, writing, row.id);
    }
  }
  const columns = recordColumns(table).map(({ name }) => name);
  const record = changed(
    expectedRecord(resource, row.values, columns, plan.lookingOf(writing)),
    table,
  );
  const field = bodies.bodyRefusal(verb, body, writing);
  const expected: Expectation = field === null
    ? { kind: "record", statuses: [200], record, included: null }
    : refused("VALIDATION_ERROR", `/${field}`);
  return send(`write the row "${row.variant}" as it is`, { id: row.id, body }, {
    expected,
    because,
    writing,
  });
}

/** Returns PUTs of missing rows, which create them (contract 4.1). */
function placements(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { route, table, newId } = writing;
  const id = newId(table);
  const body = bodies.newBody("upsert", writing);
  const made = { ...route, use: "newRow" } as const;
  const explanation = plan.explainRow(made, bodies.rowMade(body, id, writing), writing);
  const record = madeRecord({ ...body, [table.primaryKey]: id }, writing);
  const field = bodies.bodyRefusal("upsert", body, writing);
  const expected: Expectation = field !== null
    ? refused("VALIDATION_ERROR", `/${field}`)
    : explanation.refusal === null
    ? { kind: "record", statuses: [201], record, included: null }
    : refused(explanation.refusal);
  if (field === null && explanation.refusal === null) noteMade(body, id, writing);
  const because = plan.becauseOf(explanation, route);
  return [
    { ...send("place a new row", { id, body }, { expected, because, writing }), creates: table },
    ...(field === null ? placedBodies("upsert", writing) : []).map((one) =>
      making("place a new row below another", one, newId(table), writing)
    ),
  ];
}

/** Returns deletions. A row that may be deleted has a copy, which is deleted in its place. */
function deletions(writing: bodies.RouteWriting): readonly plan.Attempt[] {
  const { route, table } = writing;
  const deleted: Expectation = { kind: "body", status: 200, body: { success: true } };
  const missing = plan.explainRow(route, null, writing);
  return [
    ...plan.deletableRows(route, writing).map((row) => {
      const explanation = plan.explainRow(route, row.values, writing);
      const { refusal } = explanation;
      if (refusal === null) noteRemoved(row, writing);
      return send(`delete the row "${row.variant}"`, { id: row.id }, {
        expected: refusal === null ? deleted : refused(refusal),
        because: plan.becauseOf(explanation, route),
        writing,
      });
    }),
    ...keptByChildren(writing).map((row) =>
      send(`delete the row "${row.variant}", to which others refer`, { id: row.id }, {
        expected: refused("DB_REFERENCE_VIOLATION"),
        because: 'delete: { children: "refuse" }',
        writing,
      })
    ),
    ...(missing.refusal === null ? [] : [
      send("delete a row that is not there", { id: plan.missingId(table, writing) }, {
        expected: refused(missing.refusal),
        because: plan.becauseOf(missing, route),
        writing,
      }),
    ]),
  ];
}

/** Returns deletions of rows that the caller could delete if no living rows referred to them. */
function keptByChildren(
  { route, resource, table, ...planning }: bodies.RouteWriting,
): readonly SeedRow[] {
  if (resource.delete?.children !== "refuse") return [];
  const writing = { ...planning, resource, table };
  const keys = planning.model.tables.flatMap((child) =>
    child.columns.flatMap(({ name, references }) =>
      references?.table === table.name && references.onDelete !== "set null"
        ? [{ child, name, own: references.column }]
        : []
    )
  );
  return plan.keptRows(table, writing).filter((row) =>
    plan.explainRow(route, row.values, writing).refusal === null &&
    keys.some(({ child, name, own }) =>
      plan.keptRows(child, writing).some(({ id, values }) =>
        values[name] === row.values[own] && (values["deletedAt"] ?? null) === null &&
        (child.name !== table.name || id !== row.id)
      )
    )
  );
}
