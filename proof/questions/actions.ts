/**
 * Probes of actions (contract 3.2, 4.4): who may run them on which record, in which order the layers decide, and, in dry runs
 * that change nothing, that an admitted caller reaches the author's code. Where no answer is predicted, real runs follow.
 */
import type { ActionModel, JsonValue, SchemaModel } from "../../shared/model/mod.ts";
import { type ActionOperation, pathInputOf, sentInput } from "../../shared/surface/mod.ts";
import { SCOPE_PARAMETER, tableNamed } from "../../shared/surface/mod.ts";
import { compare } from "../../shared/oracle/judge.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { RowId, SeedRow, SeedValues } from "../rows/mod.ts";
import { badInput, badQuery, goodInput, type Input, inputsOf, moveOf, queryOf } from "./inputs.ts";
import { ANY, type ExpectedField } from "./expected_record.ts";
import * as plan from "./planning.ts";
import { type Corpus, type Expectation, type Question, refused } from "./question.ts";
import { BROKEN_BODY } from "./bodies.ts";
import { replayed } from "./write_variations.ts";

interface Acting extends plan.Planning {
  readonly route: RuledRoute;
  readonly action: ActionModel;
}

export function actionRuns(
  route: RuledRoute,
  { kind, action }: ActionOperation,
  planning: plan.Planning,
): readonly plan.Attempt[] {
  const acting = { ...planning, route, action };
  if (kind === "recordAction") return recordRuns(acting);
  return kind === "standaloneAction" ? standaloneRuns(acting) : bulkRuns(acting);
}

interface Run {
  readonly id?: RowId;
  readonly input: Input | string;
  readonly expected: Expectation;
  readonly because: plan.Attempt["because"];
  readonly isTrial?: boolean;
}

/** Makes a run, always a dry run: a request that a fault admits must not do any harm either. */
function run(purpose: string, { id, input, ...outcome }: Run, acting: Acting): plan.Attempt {
  const { route } = acting;
  const isQuery = route.method === "GET";
  const { named, rest } = typeof input === "string"
    ? { named: {}, rest: input }
    : partedInput(input, acting);
  const query = {
    dryRun: "true",
    ...(isQuery && typeof rest !== "string" ? queryOf(sentBy(acting), rest) : {}),
  };
  const address = { ...(id === undefined ? {} : { id }), named, query };
  const path = plan.addressOf(route, address, acting);
  return {
    purpose,
    request: { method: route.method, path, ...(isQuery ? {} : { body: rest }) },
    ...outcome,
  };
}

interface Sending {
  readonly route: Pick<RuledRoute, "path">;
  readonly action: ActionModel;
}

/** Returns the part of an action's input that its body or its query contains. */
function sentBy({ route: { path }, action }: Sending): SchemaModel {
  return sentInput({ path, action });
}

/** Writes a value for a path; a list is written as its items with commas between them, as in a query. */
function pathText(value: JsonValue): string {
  return Array.isArray(value) ? value.map(plan.queryText).join(",") : plan.queryText(value);
}

/** Splits an input into the part that the path contains and the rest. */
export function partedInput(input: Input, { route: { path }, action }: Sending) {
  const names = pathInputOf({ path, action }).map(({ name }) => name);
  const entries = Object.entries(input);
  return {
    named: Object.fromEntries(
      entries.filter(([name, value]) => names.includes(name) && value !== null)
        .map(([name, value]) => [name, pathText(value)]),
    ),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}

/** Runs with an input that no schema accepts: only a check of the caller can come before the refusal. */
function refusedRuns(
  what: string,
  run_: Omit<Run, "input">,
  acting: Acting,
): readonly plan.Attempt[] {
  const { action } = acting;
  const bad = badInput(sentBy(acting), goodInput(action, acting));
  return [
    run(`${what} with input that is no JSON`, { ...run_, input: BROKEN_BODY }, acting),
    ...(bad === null ? [] : [run(`${what} with bad input`, { ...run_, input: bad }, acting)]),
  ];
}

function recordRuns(acting: Acting): readonly plan.Attempt[] {
  const { route } = acting;
  const rows = plan.keptRows(route.table, acting);
  const missing = plan.explainRow(route, null, acting);
  const unknown = missing.refusal === null || route.table === null
    ? []
    : refusedRuns("run on a record that is not there", {
      id: plan.missingId(route.table, acting),
      expected: refused(missing.refusal),
      because: plan.becauseOf(missing, route),
    }, acting);
  return [...rows.flatMap((row) => runsOn(row, acting)), ...unknown];
}

function runsOn(row: SeedRow, acting: Acting): readonly plan.Attempt[] {
  const { route, action } = acting;
  const explanation = plan.explainRow(route, row.values, acting);
  const { refusal } = explanation;
  const because = plan.becauseOf(explanation, route);
  const what = `run on the row "${row.variant}"`;
  if (refusal !== null) {
    return refusedRuns(what, { id: row.id, expected: refused(refusal), because }, acting);
  }
  const move = moveOf(action, row.values);
  const good = { ...goodInput(action, acting), ...move?.input };
  const moved = move === null ? null : moveOutcome(row.values, move.to, acting);
  const isKnown = action.transition?.target.kind === "to";
  if (isKnown && moved !== null && !moved.isLegal) {
    return refusedRuns(
      what,
      { id: row.id, expected: moved.expected, because: "the state" },
      acting,
    );
  }
  const bad = badInput(sentBy(acting), good);
  const run_ = { id: row.id, because };
  return [
    ...(bad === null || route.method === "GET" ? [] : [
      run(
        `${what} with bad input`,
        { ...run_, input: bad, expected: refused("VALIDATION_ERROR") },
        acting,
      ),
    ]),
    run(what, {
      ...run_,
      input: good,
      expected: moved?.expected ?? { kind: "admitted" },
      isTrial: moved?.isLegal ?? true,
    }, acting),
  ];
}

interface Outcome {
  readonly isLegal: boolean;
  readonly expected: Expectation;
}

/** Computes the outcome of a transition a second time, independently of the runtime (contract 3.2). */
function moveOutcome(row: SeedValues, to: string, acting: Acting): Outcome {
  const { action: { transition, handler } } = acting;
  if (transition === null) return { isLegal: true, expected: { kind: "admitted" } };
  const { field, fromTo, guard, idempotent, onIllegal, stamp } = transition;
  const from = String(row[field]);
  const isThere = idempotent && from === to;
  const caller = plan.actingCaller(acting);
  const isLegal = isThere ||
    (Object.hasOwn(fromTo, from) && fromTo[from]?.includes(to) === true &&
      guard.every((condition) => compare(condition, caller, row).holds));
  if (!isLegal) {
    return {
      isLegal,
      expected: onIllegal
        ? { kind: "status", status: onIllegal.status, code: onIllegal.code }
        : refused("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"),
    };
  }
  if (handler !== null) return { isLegal, expected: { kind: "admitted" } };
  const record = new Map<string, ExpectedField>([
    ["success", { kind: "value", value: true }],
    [field, { kind: "value", value: to }],
    ...(stamp === null ? [] : [[stamp, ANY] as const]),
  ]);
  return { isLegal, expected: { kind: "record", statuses: [200], record, included: null } };
}

function standaloneRuns(acting: Acting): readonly plan.Attempt[] {
  const { route, action } = acting;
  const explanation = plan.explainRow(route, undefined, acting);
  const { refusal } = explanation;
  const because = plan.becauseOf(explanation, route);
  if (refusal !== null) return refusedRuns("run", { expected: refused(refusal), because }, acting);
  const good = goodInput(action, acting);
  const invalid = { expected: refused("VALIDATION_ERROR"), because: "the input's schema" } as const;
  const isQuery = route.method === "GET";
  const bad = isQuery ? null : badInput(sentBy(acting), good);
  const query = isQuery ? badQuery(sentBy(acting)) : null;
  return [
    ...(bad === null ? [] : [run("run with bad input", { ...invalid, input: bad }, acting)]),
    ...(query === null ? [] : [{
      purpose: "run with a bad query",
      request: {
        method: "GET",
        path: plan.addressOf(route, { named: partedInput(good, acting).named, query }, acting),
      },
      ...invalid,
    }]),
    ...unreadable(good, acting),
    ...namingTenants(good, acting),
    run("run", { input: good, expected: { kind: "admitted" }, because, isTrial: true }, acting),
  ];
}

/** Returns runs that name a living row of each tenant (definitions 5, `tenantOf`). */
function namingTenants(good: Input, acting: Acting): readonly plan.Attempt[] {
  const { action: { tenantOf }, route, model } = acting;
  if (!tenantOf) return [];
  const because = `the row that "${tenantOf.input}" names`;
  const table = tableNamed(tenantOf.table, model);
  // A caller who has such a text is admitted by it. They have no text of a row that they cannot see.
  const unseen = (acting.exploring?.unseen ?? []).filter(({ row }) => row.table.name === table.name)
    .map(({ row }) => row.id);
  const naming = (what: string, value: JsonValue, expected: Expectation) =>
    run(`run with ${what}`, {
      input: { ...good, [tenantOf.input]: value },
      expected,
      because,
    }, acting);
  const { named, rest } = partedInput(good, acting);
  const isQuery = route.method === "GET";
  const query = {
    dryRun: "true",
    [SCOPE_PARAMETER]: acting.world.home.organizationId,
    ...(isQuery ? queryOf(sentBy(acting), rest) : {}),
  };
  return [
    naming("a text that no row has", "conformance-of-no-row-at-all", refused("FIREWALL_NOT_FOUND")),
    ...plan.rowsOf(table, acting).filter(({ id }) => !unseen.includes(id)).map((
      { variant, values },
    ) =>
      naming(
        `the text of the row "${variant}"`,
        values[tenantOf.column] ?? null,
        (values["deletedAt"] ?? null) === null
          ? { kind: "admitted" }
          : refused("FIREWALL_NOT_FOUND"),
      )
    ),
    {
      purpose: "run and name the organization too",
      request: {
        method: route.method,
        path: plan.addressOf(route, { named, query }, acting),
        ...(isQuery ? {} : { body: rest }),
      },
      expected: refused("VALIDATION_INVALID_INPUT"),
      because,
    },
  ];
}

/** Returns runs whose input names records that the caller's firewall hides (definitions 5, `refs`). */
function unreadable(good: Input, acting: Acting): readonly plan.Attempt[] {
  const { action: { refs }, model } = acting;
  return Object.entries(refs).flatMap(([field, name]) => {
    const table = tableNamed(name, model);
    return plan.rowsOf(table, acting).filter(({ values }) =>
      plan.isHiddenByOne(table, values, acting)
    ).map((row) =>
      run(`name the row "${row.variant}" in "${field}"`, {
        input: { ...good, [field]: row.id },
        expected: refused("VALIDATION_ERROR", `/${field}`),
        because: `the firewall of "${name}"`,
      }, acting)
    );
  });
}

/** Runs an action on several records. Each record is judged separately; beyond that, the author's code decides. */
function bulkRuns(acting: Acting): readonly plan.Attempt[] {
  const { route, action } = acting;
  const explanation = plan.explainRow(route, undefined, acting);
  const { refusal } = explanation;
  const because = plan.becauseOf(explanation, route);
  const send = (purpose: string, body: JsonValue, expected: Expectation): plan.Attempt => ({
    purpose,
    request: {
      method: route.method,
      path: plan.addressOf(route, { query: { dryRun: "true" } }, acting),
      body,
    },
    expected,
    because,
  });
  const rows = plan.keptRows(route.table, acting).slice(0, 100);
  const ids = rows.map(({ id }) => id);
  if (refusal !== null) {
    return [
      send("run on a batch of another form", { ids: "none" }, refused(refusal)),
      send("run on every row", { ids, input: {} }, refused(refusal)),
    ];
  }
  const hidden = rows.filter(({ values }) =>
    plan.explainRow(route, values, acting).refusal !== null
  );
  if (hidden.length === 0) return [];
  const errors = hidden.flatMap(({ values }, index) => {
    const code = plan.explainRow(route, values, acting).refusal;
    return code === null ? [] : [{ index, code }];
  });
  const input = goodInput(action, acting);
  const sent = { ids: hidden.map(({ id }) => id), input };
  return [
    send("run on every row that is refused", sent, {
      kind: "batch",
      status: 207,
      success: [],
      errors,
    }),
  ];
}

/** Runs an action for real, on every kind of record and with every choice that the input offers. */
export function* actionVariations(
  route: RuledRoute,
  { kind, action }: ActionOperation,
  planning: plan.Planning,
): Corpus {
  const isGet = route.method === "GET" && kind !== "bulkAction";
  const cast = action.table === null
    ? null
    : plan.castOf(tableNamed(action.table, planning.model), planning);
  const { own, others: [one, two], foreign, deleted, missing } = cast ?? NO_CAST;
  const run = (id: RowId, input: Input): Question => {
    const { named, rest } = partedInput(input, { route, action });
    const query = Object.entries(rest).map(([name, value]) =>
      [name, plan.queryText(value)] as const
    );
    const ids = cast && [id, own, foreign, missing];
    const sent = isGet
      ? { query: Object.fromEntries(query) }
      : { body: kind === "bulkAction" ? { ids: ids ?? [], input } : rest };
    return plan.ask("action", route, { id, named, ...sent }, planning);
  };
  const inputs = inputsOf(action, planning);
  const [first = {}] = inputs;
  yield run(one, first);
  if (!plan.isLetIn(route, planning)) return;
  for (const input of inputs) yield run(one, input);
  if (kind === "recordAction") {
    for (const id of [own, foreign, deleted, missing]) yield run(id, first);
  }
  yield { ...run(one, { nobodyKnowsThis: [1] }), channel: "refusal" };
  if (route.method === "GET" || action.responseType !== "json") return;
  yield* replayed(run(two, first), `run-${route.operationId}`, { nobodyKnowsThis: 1 });
}

/** Record of a standalone action, which has none. */
const NO_CAST: plan.Cast = {
  own: "x",
  others: ["x", "x", "x"],
  known: "x",
  foreign: "x",
  deleted: "x",
  untouched: "x",
  missing: "x",
};
