/**
 * Plans every row and every request of one class of callers (contract 4, 5.5), in an order in which no request invalidates a
 * later one: reads, dry runs, writes, deletes. Each operation's predicted answers come first.
 */
import { WEBHOOK_BASE } from "../../shared/contract/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import { modelFor } from "../../shared/oracle/narrowed.ts";
import { inOwnDatabases } from "../../shared/oracle/own_databases.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { DISCOVERY_PATHS, type OperationKind } from "../../shared/surface/mod.ts";
import { fittingRows, freshParent, sameChildren, sameRow, seedRows } from "../rows/mod.ts";
import { spareSeeding, StandingRows, twinRows, withinDatabases } from "../rows/mod.ts";
import { type HiddenColumn, type SeedOptions, type SeedRow, withTotals } from "../rows/mod.ts";
import type { World } from "../rows/mod.ts";
import { actionRuns, actionVariations } from "./actions.ts";
import { batchVariations, batchWrites } from "./batches.ts";
import { hooksByOperation } from "../../shared/surface/mod.ts";
import { asHooked } from "./hooked_writes.ts";
import { fileAnswers, fileVariations } from "./files.ts";
import { gateProbes } from "./gates.ts";
import { keysetWalks, listParameters } from "./list_parameters.ts";
import { listReads } from "./lists.ts";
import { mcpQuestions } from "./mcp.ts";
import { ask, type Attempt, explainRow, GOES_ALONG, isLetIn } from "./planning.ts";
import { type Planning, probeOf } from "./planning.ts";
import { type Channel, type Corpus, isProbe, type Probe, UNASKED } from "./question.ts";
import { unseenTwins } from "./unseen_rows.ts";
import { historyReads, historyVariations } from "./histories.ts";
import { restorations, restoreVariations } from "./restorations.ts";
import { singleReads, singleVariations } from "./single_reads.ts";
import { changesets, writeVariations } from "./write_variations.ts";
import { singleWrites } from "./writes.ts";

/**
 * Makes a plan. With `hidden` null it contains the requests whose answers the definitions predict; otherwise everything that
 * can be asked, over two databases.
 */
export function planClass(
  whole: ProjectModel,
  world: World,
  { hidden, ...options }: SeedOptions & { readonly hidden: readonly HiddenColumn[] | null },
): Planning {
  const model = modelFor(world.caller, inOwnDatabases(whole));
  const [seeded = []] = fittingRows([
    withinDatabases(seedRows(model, world, options), model, [world.home, world.foreign]),
  ]);
  const rows = withTotals(seeded, model);
  const alone: Planning = {
    ...options,
    model,
    world,
    rows,
    standing: new StandingRows(model, rows),
    reserved: new Map(),
    parents: new Map(),
    exploring: null,
  };
  const seeding = spareSeeding(model, world, { ...options, rows });
  const spares = ruledRoutesOf(model).filter(({ subject }) =>
    subject.kind === "operation" && DELETES.includes(subject.operation.kind)
  ).flatMap((route) =>
    rows.filter((row) =>
      row.table.name === route.table?.name && explainRow(route, row.values, alone).refusal === null
    ).flatMap((row) => {
      const double = sameRow(row, `${row.variant}, to be deleted`, seeding);
      const along = double.slice(-1).flatMap((copy) => sameChildren(row, copy, rows, seeding));
      // No caller can delete a row that its children keep, even if the rule allows it.
      if (along.length > 0 && isKeptByChildren(route)) return [];
      return [{ double, along, operationId: route.operationId }];
    })
  );
  const reserved = new Map(
    spares.flatMap(({ double, along, operationId }) => [
      ...double.slice(-1).map((row) => [row, operationId] as const),
      ...along.map((row) => [row, GOES_ALONG] as const),
    ]),
  );
  const length = hidden === null ? NEW_ROWS_MAX : EXPLORED_ROWS_MAX;
  const parents = new Map(
    model.tables.map((table) => [
      table.name,
      Array.from({ length }, () => freshParent(table, seeding)).filter((row) => row !== null),
    ]),
  );
  const more = [
    ...spares.flatMap(({ double, along }) => [...double, ...along]),
    ...[...parents.values()].flat(),
  ];
  const all = [...rows, ...more];
  const [fitting = []] = fittingRows([all]);
  const standing = new StandingRows(model, fitting);
  const planning = { ...alone, rows: fitting, standing, reserved, parents };
  return hidden === null ? planning : exploring(planning, hidden);
}

function isKeptByChildren({ subject }: RuledRoute): boolean {
  return subject.kind === "operation" && subject.operation.resource.delete?.children === "refuse";
}

/** Maximum number of rows that the probes of one class create in one table, and that all questions create. */
const NEW_ROWS_MAX = 6;
const EXPLORED_ROWS_MAX = 24;

/** Returns the plan over the rows of one database, paired with those of the other. */
function exploring(planning: Planning, hidden: readonly HiddenColumn[]): Planning {
  const { rows, reserved, parents, world } = planning;
  const unseen = unseenTwins(planning);
  const [one, other] = twinRows(rows, hidden, world.caller, planning.standing.world).map((
    side,
    which,
  ) =>
    side.map((row, at) => {
      const twins = unseen.get(rows[at] ?? row);
      return twins ? { ...row, values: { ...row.values, ...twins[which] } } : row;
    })
  );
  if (!one || !other) throw new Error("There are two databases");
  const now = new Map(rows.map((row, at) => [row, one[at] ?? row]));
  const [fitting = [], twins = []] = fittingRows([one, other]);
  const kept = new Set(fitting);
  const inOne = (row: SeedRow) => now.get(row) ?? row;
  return {
    ...planning,
    rows: fitting,
    standing: new StandingRows(planning.model, fitting),
    reserved: new Map([...reserved].map(([row, id]) => [inOne(row), id])),
    parents: new Map(
      [...parents].map(([name, all]) => [name, all.map(inOne).filter((row) => kept.has(row))]),
    ),
    exploring: {
      hidden,
      twins,
      unseen: [...unseen].map(([row, [values]]) => ({
        row,
        columns: row.table.columns.filter(({ name }) => Object.hasOwn(values, name)),
      })),
    },
  };
}

/** Returns the questions whose answers the definitions predict, without those that depend on an earlier answer. */
export function probesOf(planning: Planning): readonly Probe[] {
  const probes: Probe[] = [];
  const hooked = hooksByOperation(planning.model);
  const corpus = questionsOf({ ...planning, exploring: null });
  for (let turn = corpus.next(); !turn.done; turn = corpus.next(UNASKED)) {
    if (isProbe(turn.value)) probes.push(asHooked(turn.value, hooked));
  }
  return probes;
}

/**
 * Operations that only read come first. Writes that overwrite hidden values come late, because they make the two databases
 * equal.
 */
const READS: readonly OperationKind[] = ["list", "view", "get", "history"];
const WRITES: readonly OperationKind[] = ["create", "update", "batchCreate", "batchUpdate"];
const REPLACEMENTS: readonly OperationKind[] = ["upsert", "batchUpsert"];
const DELETES: readonly OperationKind[] = ["delete", "batchDelete"];
/** Restorations come last: afterwards, deleted rows are living ones. */
const RESTORES: readonly OperationKind[] = ["restore"];

export function* questionsOf(planning: Planning): Corpus {
  const { model, exploring } = planning;
  const routes = ruledRoutesOf(model);
  const ofKinds = (...kinds: readonly OperationKind[]) =>
    routes.filter(({ subject }) =>
      subject.kind === "operation" && kinds.includes(subject.operation.kind)
    );
  if (exploring) {
    // The endpoint receives all later events.
    if (model.webhooks.outbound) {
      const body = { name: "leakcheck", url: "https://hooks.example.com/leakcheck", events: ["*"] };
      yield { ...WEBHOOKS, method: "POST", body };
    }
    for (const path of [DISCOVERY_PATHS.llms, DISCOVERY_PATHS.openapi]) {
      yield { channel: "description", method: "GET", path };
    }
  }
  for (const route of ofKinds(...READS)) yield* questionsOn(route, planning);
  for (const route of routes.filter(({ subject }) => subject.kind === "file")) {
    yield* questionsOn(route, planning);
  }
  for (const route of gatedRoutesOf(model)) yield* gateProbes(route, planning);
  if (exploring) yield* mcpQuestions(planning);
  for (const route of routes.filter(({ subject }) => subject.kind === "action")) {
    yield* questionsOn(route, planning);
  }
  for (const kinds of [WRITES, REPLACEMENTS]) {
    for (const route of ofKinds(...kinds)) yield* questionsOn(route, planning);
  }
  if (exploring) yield* rereads(planning);
  for (const kinds of [DELETES, RESTORES]) {
    for (const route of ofKinds(...kinds)) yield* questionsOn(route, planning);
  }
  if (exploring) yield* histories(planning);
  if (exploring && model.webhooks.outbound) yield { ...WEBHOOKS, method: "GET" };
}

const WEBHOOKS = { channel: "webhook", path: `${WEBHOOK_BASE}/endpoints` } as const;

/** Yields reads of records after other callers wrote them. */
export function* rereads(planning: Planning): Corpus {
  for (const { route, ...asked } of routesOfOperations(planning)) {
    const { kind } = asked.operation;
    if (!isLetIn(route, planning)) continue;
    if (kind === "get") yield* singleVariations({ ...planning, route, ...asked });
    if (kind === "list" || kind === "view") yield ask(kind, route, {}, planning);
  }
}

/** Yields histories of records after all of their changes. */
export function* histories(planning: Planning): Corpus {
  for (const asked of routesOfOperations(planning)) {
    if (asked.operation.kind === "history") yield* historyVariations({ ...planning, ...asked });
  }
}

/** Walks along the pages of every list, for checks of each kind of cursor's statement. */
export function* keysetQuestions(planning: Planning): Corpus {
  for (const asked of routesOfOperations(planning)) {
    const { kind } = asked.operation;
    if (kind === "list" || kind === "view") yield* keysetWalks({ ...planning, ...asked });
  }
}

function routesOfOperations({ model }: Planning) {
  return ruledRoutesOf(model).flatMap((route) => {
    const { subject, table } = route;
    if (subject.kind !== "operation" || table === null) return [];
    return [{ route, operation: subject.operation, table }];
  });
}

/** Yields the predicted questions of one route, then the others. */
function* questionsOn(route: RuledRoute, planning: Planning): Corpus {
  const { subject, table } = route;
  const foretold = (channel: Channel, attempts: readonly Attempt[]) =>
    attempts.map((attempt) => probeOf(channel, route, attempt, planning));
  const isExploring = planning.exploring !== null;
  if (subject.kind === "action") {
    yield* foretold("action", actionRuns(route, subject.operation, planning));
    if (isExploring) yield* actionVariations(route, subject.operation, planning);
    return;
  }
  if (table === null) return;
  if (subject.kind === "file") {
    const { operation, presigned } = subject;
    const asking = { ...planning, route, operation, presigned, table };
    yield* foretold("file", fileAnswers(asking));
    if (isExploring) yield* fileVariations(asking);
    return;
  }
  const { operation } = subject;
  const { kind, resource } = operation;
  const reading = { ...planning, route, operation, table };
  const writing = { ...planning, route, resource, table };
  switch (kind) {
    case "list":
    case "view":
      yield* foretold(kind, listReads(reading));
      if (isExploring) yield* listParameters(reading);
      return;
    case "get":
      yield* foretold(kind, singleReads(reading));
      if (isExploring) yield* singleVariations(reading);
      return;
    case "history":
      yield* foretold(kind, historyReads(reading));
      return;
    case "create":
    case "update":
    case "upsert":
    case "delete":
      yield* foretold(kind, singleWrites(kind, writing));
      if (isExploring) yield* writeVariations(kind, writing);
      if (isExploring && kind === "update") yield* changesets(writing);
      return;
    case "restore":
      yield* foretold(kind, restorations(writing));
      if (isExploring) yield* restoreVariations(writing);
      return;
    default:
      yield* foretold("batch", batchWrites(operation, writing));
      if (isExploring) yield* batchVariations(operation, writing);
  }
}
