/** Every request of one class of callers, in an order in which none spoils what another one expects: reads, writes, deletes. */
import type { ProjectModel } from "../../shared/model/project.ts";
import type { OperationKind } from "../../shared/surface/operations.ts";
import { gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import type { NewRowId } from "../rows/row_ids.ts";
import { freshParent, sameRow, type SeedRow, seedRows, spareSeeding } from "../rows/seed_rows.ts";
import type { World } from "../rows/world.ts";
import { actionProbes } from "./actions.ts";
import { batchProbes } from "./batches.ts";
import { gateProbes } from "./gates.ts";
import { explainRow, type Planning } from "./planning.ts";
import type { Probe } from "./probe.ts";
import { readProbes } from "./lists.ts";
import { writeProbes } from "./writes.ts";

interface PlanOptions {
  readonly newId: NewRowId;
  nextNumber(): number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ClassPlan {
  readonly world: World;
  /** To be there before the first request. */
  readonly rows: readonly SeedRow[];
  /** Of these, the ones that a request is to delete. */
  readonly deleted: ReadonlySet<SeedRow>;
  readonly probes: readonly Probe[];
}

export function planClass(model: ProjectModel, world: World, options: PlanOptions): ClassPlan {
  const rows = seedRows(model, world, options);
  const routes = ruledRoutesOf(model);
  const alone: Planning = {
    ...options,
    model,
    world,
    rows,
    reserved: new Map(),
    parents: new Map(),
  };
  const seeding = spareSeeding(model, world, { ...options, rows });
  const spares = routes.filter(isDeletion).flatMap((route) =>
    rows.filter((row) =>
      row.table.name === route.table?.name && explainRow(route, row.values, alone).refusal === null
    ).map((row) => {
      const double = sameRow(row, `${row.variant}, to be deleted`, seeding);
      return { double, operationId: route.operationId };
    })
  );
  const reserved = new Map(
    spares.flatMap(({ double, operationId }) => {
      const row = double.at(-1);
      return row ? [[row, operationId] as const] : [];
    }),
  );
  const parents = new Map(
    model.tables.map((table) => [
      table.name,
      Array.from({ length: NEW_ROWS_MAX }, () => freshParent(table, seeding))
        .filter((row) => row !== null),
    ]),
  );
  const more = [...spares.flatMap(({ double }) => double), ...[...parents.values()].flat()];
  const planning = { ...alone, rows: [...rows, ...more], reserved, parents };
  return {
    world,
    rows: planning.rows,
    deleted: new Set(reserved.keys()),
    probes: probesOf(routes, planning),
  };
}

/** As many rows as the probes of one class make in one table. */
const NEW_ROWS_MAX = 6;

/** Later phases change what earlier ones look at. */
const PHASES: Readonly<Record<OperationKind, number>> = {
  list: 0,
  view: 0,
  get: 0,
  create: 2,
  update: 2,
  upsert: 2,
  batchCreate: 2,
  batchUpdate: 2,
  batchUpsert: 2,
  delete: 3,
  batchDelete: 3,
};
const GATES_AND_REHEARSALS = 1;

function probesOf(routes: readonly RuledRoute[], planning: Planning): readonly Probe[] {
  const phases = [0, 1, 2, 3].map((phase) =>
    routes.filter((route) => phaseOf(route) === phase).flatMap((route) => probesOn(route, planning))
  );
  const [reads = [], rehearsals = [], ...writes] = phases;
  const gates = gatedRoutesOf(planning.model).flatMap((route) => gateProbes(route, planning));
  return [...reads, ...gates, ...rehearsals, ...writes.flat()];
}

function phaseOf({ subject }: RuledRoute): number {
  return subject.kind === "action" ? GATES_AND_REHEARSALS : PHASES[subject.operation.kind];
}

function isDeletion({ subject }: RuledRoute): boolean {
  return subject.kind === "operation" &&
    (subject.operation.kind === "delete" || subject.operation.kind === "batchDelete");
}

function probesOn(route: RuledRoute, planning: Planning): readonly Probe[] {
  const { subject } = route;
  if (subject.kind === "action") return actionProbes(route, subject.operation, planning);
  const { operation } = subject;
  switch (operation.kind) {
    case "list":
    case "view":
    case "get":
      return readProbes(route, operation, planning);
    case "create":
    case "update":
    case "upsert":
    case "delete":
      return writeProbes(route, operation, planning);
    default:
      return batchProbes(route, operation, planning);
  }
}
