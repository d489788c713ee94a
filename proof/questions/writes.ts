/** Probes of single writes (contract 1.3, 4.1): who may write which row, what a body may carry, and what is shown of it afterwards. */
import { rulesOf } from "../../shared/column_types/mod.ts";
import type { RuntimeCode } from "../../shared/contract/codes.ts";
import type { JsonValue } from "../../shared/model/table.ts";
import { hidingPredicates } from "../../shared/oracle/judge.ts";
import type { Explanation } from "../../shared/oracle/explain.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { RowId } from "../rows/row_ids.ts";
import { isColleagues, type SeedRow } from "../rows/seed_rows.ts";
import { ANY, changed, type ExpectedRecord, expectedRecord } from "./expected_record.ts";
import {
  actingCaller,
  addressOf,
  type Attempt,
  becauseOf,
  deletableRows,
  explainRow,
  gateRefusal,
  keptRows,
  lookingOf,
  missingId,
} from "./planning.ts";
import { type Expectation, refused } from "./question.ts";
import {
  type BadBody,
  type Body,
  bodyRefusal,
  BROKEN_BODY,
  guardedBodies,
  invalidBodies,
  newBody,
  REFUSED_BODY,
  rowMade,
  sameBody,
  unreadableBodies,
  type Writing,
} from "./bodies.ts";

export interface RouteWriting extends Writing {
  readonly route: RuledRoute;
}

/** Questions of which row may be written, and what is shown of it afterwards. */
export function singleWrites(
  verb: "create" | "update" | "upsert" | "delete",
  writing: RouteWriting,
): readonly Attempt[] {
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

interface RequestParts {
  readonly body?: JsonValue;
  readonly id?: RowId;
}

function send(
  purpose: string,
  { body, id }: RequestParts,
  { expected, because, writing }: {
    readonly expected: Expectation;
    readonly because: Attempt["because"];
    readonly writing: RouteWriting;
  },
): Attempt {
  const { route } = writing;
  const path = addressOf(route, id === undefined ? {} : { id }, writing);
  return {
    purpose,
    request: { method: route.method, path, ...(body === undefined ? {} : { body }) },
    expected,
    because,
  };
}

/** Requests of a caller who is refused whatever the body is. */
function refusedSends(
  what: string,
  id: RowId | undefined,
  judgement: {
    readonly expected: Expectation;
    readonly because: Attempt["because"];
    readonly writing: RouteWriting;
  },
): readonly Attempt[] {
  const named = id === undefined ? {} : { id };
  return [
    send(`${what} with a body that guards refuse`, { ...named, body: REFUSED_BODY }, judgement),
    send(`${what} with a body that is no JSON`, { ...named, body: BROKEN_BODY }, judgement),
  ];
}

function creations(writing: RouteWriting): readonly Attempt[] {
  const { route, table } = writing;
  const gate = gateRefusal(route, writing);
  if (gate !== null) {
    const because = becauseOf(explainRow(route, undefined, writing), route);
    return refusedSends("create", undefined, { expected: refused(gate), because, writing });
  }
  const body = newBody("create", writing);
  const isStamped = explainRow(route, undefined, writing).refusal === null;
  const explanation = explainRow(route, rowMade(body, null, writing), writing);
  const because = becauseOf(explanation, route);
  const field = isStamped ? bodyRefusal("create", body, writing) : null;
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
  const bad = [
    ...guardedBodies("create", body, writing),
    ...invalidBodies("create", body, writing),
    ...(isStamped ? unreadableBodies("create", body, writing) : []),
  ];
  return [
    ...bad.map((one) => badSend(`create and ${one.purpose}`, one, { writing })),
    { ...send("create", { body }, { expected: success, because, writing }), creates: table },
  ];
}

function badSend(
  purpose: string,
  { body, code, pointer }: BadBody,
  { writing, id }: { readonly writing: RouteWriting; readonly id?: RowId },
): Attempt {
  const because = code.startsWith("GUARD_")
    ? "guards"
    : pointer !== null && code === "VALIDATION_ERROR"
    ? `what "${pointer.slice(1)}" may hold`
    : "validation";
  const sent = id === undefined ? { body } : { body, id };
  return send(purpose, sent, { expected: refused(code, pointer), because, writing });
}

/** The record that a create must answer; values that the service makes are not compared, except for the scope. */
export function madeRecord(body: Body, writing: Writing): ExpectedRecord {
  const { resource, table } = writing;
  const values = rowMade(body, null, writing);
  const columns = table.columns.map(({ name }) => name);
  const record = expectedRecord(resource, { values, columns }, lookingOf(writing));
  const ownId = Object.hasOwn(body, table.primaryKey);
  const isMadeNow = (name: string) => {
    const column = table.columns.find((one) => one.name === name);
    return column !== undefined && rulesOf(column.type).isInstant && !Object.hasOwn(body, name) &&
      values[name] !== null;
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

/** A PUT may make its row: whoever no row can be stamped with is refused, whichever row it names. */
export function unstamped(writing: RouteWriting): Explanation {
  return explainRow({ ...writing.route, use: "newRow" }, undefined, writing);
}

function replacements(writing: RouteWriting): readonly Attempt[] {
  const { route, table } = writing;
  const { refusal, ...explanation } = unstamped(writing);
  if (refusal === null) return [...changes("upsert", writing), ...placements(writing)];
  const expected = refused(refusal);
  const because = becauseOf({ refusal, ...explanation }, route);
  return [
    ...replaceableRows(writing).map(({ variant, id }) => ({
      what: `replace the row "${variant}"`,
      id,
    })),
    { what: "place a new row", id: writing.newId(table) },
  ].flatMap(({ what, id }) => refusedSends(what, id, { expected, because, writing }));
}

/** Without those whose hidden values are still asked for: a PUT leaves none of them. */
export function replaceableRows({ table, ...planning }: RouteWriting): readonly SeedRow[] {
  return keptRows(table, planning).filter((row) => !isColleagues(row));
}

/** Updates and replacements of rows that are there. */
function changes(verb: "update" | "upsert", writing: RouteWriting): readonly Attempt[] {
  const { route, table } = writing;
  const rows = verb === "upsert" ? replaceableRows(writing) : keptRows(table, writing);
  const admitted = rows.filter(({ values }) => explainRow(route, values, writing).refusal === null);
  const [first] = admitted;
  return [
    ...rows.filter((row) => !admitted.includes(row)).flatMap((row) =>
      verb === "upsert" && isTaken(row, writing)
        ? [takenPlace(row, writing)]
        : refusedChange(row, writing)
    ),
    ...missingChange(writing, verb),
    ...(first ? badChanges(verb, first, writing) : []),
    ...admitted.map((row) => goodChange(verb, row, writing)),
  ];
}

function refusedChange(row: SeedRow, writing: RouteWriting): readonly Attempt[] {
  const { route } = writing;
  const explanation = explainRow(route, row.values, writing);
  if (explanation.refusal === null) return [];
  const expected = refused(explanation.refusal);
  const because = becauseOf(explanation, route);
  return refusedSends(`change the row "${row.variant}"`, row.id, { expected, because, writing });
}

/** To a PUT a foreign row is none: it is judged as a new one, and ends at the id that somebody has (definitions 7). */
export function placedOver(row: SeedRow, body: Body, writing: RouteWriting): RuntimeCode {
  if (bodyRefusal("upsert", body, writing) !== null) return "VALIDATION_ERROR";
  const made = { ...writing.route, use: "newRow" } as const;
  return explainRow(made, rowMade(body, row.id, writing), writing).refusal ?? "DB_UNIQUE_VIOLATION";
}

/** Kept from the caller by more than its deletion. */
export function isTaken({ table, values }: SeedRow, writing: RouteWriting): boolean {
  return gateRefusal(writing.route, writing) === null &&
    hidingPredicates(table, actingCaller(writing), values).some(({ kind }) =>
      kind !== "notDeleted"
    );
}

function takenPlace(row: SeedRow, writing: RouteWriting): Attempt {
  const body = sameBody("upsert", row, writing);
  const expected = refused(placedOver(row, body, writing));
  return send(`place a row over "${row.variant}"`, { id: row.id, body }, {
    expected,
    because: "a row that the caller cannot see is not theirs to replace",
    writing,
  });
}

/** A row that is not there answers as a foreign one does. */
function missingChange(writing: RouteWriting, verb: "update" | "upsert"): readonly Attempt[] {
  const { route, table } = writing;
  const { refusal, ...explanation } = explainRow(route, null, writing);
  if (refusal === null || verb === "upsert") return [];
  const because = becauseOf({ refusal, ...explanation }, route);
  const id = missingId(table, writing);
  return refusedSends("change a row that is not there", id, {
    expected: refused(refusal),
    because,
    writing,
  });
}

function badChanges(
  verb: "update" | "upsert",
  row: SeedRow,
  writing: RouteWriting,
): readonly Attempt[] {
  const good = sameBody(verb, row, writing);
  return [
    ...guardedBodies(verb, good, writing),
    ...invalidBodies(verb, good, writing),
    ...unreadableBodies(verb, good, writing),
  ].map((one) => badSend(`change a row and ${one.purpose}`, one, { writing, id: row.id }));
}

function goodChange(
  verb: "update" | "upsert",
  row: SeedRow,
  writing: RouteWriting,
): Attempt {
  const { route, resource, table } = writing;
  const body = sameBody(verb, row, writing);
  const because = becauseOf(explainRow(route, row.values, writing), route);
  if (Object.keys(body).length === 0) {
    const [guarded] = guardedBodies(verb, {}, writing);
    if (guarded) {
      return badSend(`change the row "${row.variant}"`, guarded, { writing, id: row.id });
    }
  }
  const columns = table.columns.map(({ name }) => name);
  const record = changed(
    expectedRecord(resource, { values: row.values, columns }, lookingOf(writing)),
    table,
  );
  const field = bodyRefusal(verb, body, writing);
  const expected: Expectation = field === null
    ? { kind: "record", statuses: [200], record, included: null }
    : refused("VALIDATION_ERROR", `/${field}`);
  return send(`write the row "${row.variant}" as it is`, { id: row.id, body }, {
    expected,
    because,
    writing,
  });
}

/** PUT of a row that is not there makes it (contract 4.1). */
function placements(writing: RouteWriting): readonly Attempt[] {
  const { route, table, newId } = writing;
  const id = newId(table);
  const body = newBody("upsert", writing);
  const made = { ...route, use: "newRow" } as const;
  const explanation = explainRow(made, rowMade(body, id, writing), writing);
  const record = madeRecord({ ...body, [table.primaryKey]: id }, writing);
  const field = bodyRefusal("upsert", body, writing);
  const expected: Expectation = field !== null
    ? refused("VALIDATION_ERROR", `/${field}`)
    : explanation.refusal === null
    ? { kind: "record", statuses: [201], record, included: null }
    : refused(explanation.refusal);
  const because = becauseOf(explanation, route);
  return [{
    ...send("place a new row", { id, body }, { expected, because, writing }),
    creates: table,
  }];
}

/** Rows that may be deleted have a double, which goes in their place. */
function deletions(writing: RouteWriting): readonly Attempt[] {
  const { route, table } = writing;
  const deleted: Expectation = { kind: "body", status: 200, body: { success: true } };
  const missing = explainRow(route, null, writing);
  return [
    ...deletableRows(route, writing).map((row) => {
      const explanation = explainRow(route, row.values, writing);
      const { refusal } = explanation;
      return send(`delete the row "${row.variant}"`, { id: row.id }, {
        expected: refusal === null ? deleted : refused(refusal),
        because: becauseOf(explanation, route),
        writing,
      });
    }),
    ...(missing.refusal === null ? [] : [
      send("delete a row that is not there", { id: missingId(table, writing) }, {
        expected: refused(missing.refusal),
        because: becauseOf(missing, route),
        writing,
      }),
    ]),
  ];
}
