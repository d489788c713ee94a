/** The plan of one class of callers in its world, from which every kind of probe is made. */
import type { RuntimeCode } from "../../shared/contract/codes.ts";
import type { Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { TableModel } from "../../shared/model/table.ts";
import { accessText, explain, type Explanation } from "../../shared/oracle/explain.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { NewRowId, RowId } from "../rows/row_ids.ts";
import type { SeedRow, SeedValues } from "../rows/seed_rows.ts";
import type { World } from "../rows/world.ts";
import type { Looking } from "./expected_record.ts";
import type { Because, Expectation, Probe, ProbeRequest } from "./probe.ts";

export interface Planning {
  readonly model: ProjectModel;
  readonly world: World;
  readonly rows: readonly SeedRow[];
  readonly newId: NewRowId;
  nextNumber(): number;
  readonly now: number;
  /** Rows that one operation uses up → its id. */
  readonly reserved: ReadonlyMap<SeedRow, string>;
  /** By child table: parents that new rows take, each once, where two rows cannot have the same. */
  readonly parents: ReadonlyMap<string, SeedRow[]>;
}

/** The organization that the request is about: an anonymous caller names one. */
export function namedOrganization({ model, world }: Planning): string | null {
  return world.caller.credential === "none" && model.multiTenant ? world.home.organizationId : null;
}

/** The caller in the organization that scopes the request. */
export function actingCaller(planning: Planning): Principal {
  const named = namedOrganization(planning);
  const { caller } = planning.world;
  return named === null ? caller : { ...caller, organizationId: named };
}

export function lookingOf(planning: Planning): Looking {
  return { model: planning.model, caller: actingCaller(planning), rows: planning.rows };
}

/** `row` of undefined: whatever the row is. */
export function explainRow(
  route: RuledRoute,
  row: SeedValues | null | undefined,
  planning: Planning,
): Explanation {
  return explain({
    ...route,
    caller: planning.world.caller,
    namedOrganization: namedOrganization(planning),
    row,
    isAction: route.subject.kind === "action",
  });
}

/** Refusals by caller alone, before the rest of the request is looked at. */
const GATES: readonly RuntimeCode[] = ["AUTH_MISSING", "ACCESS_NO_ORG", "ACCESS_ROLE_REQUIRED"];

export function gateRefusal(route: RuledRoute, planning: Planning): RuntimeCode | null {
  const { refusal } = explainRow(route, undefined, planning);
  return refusal !== null && GATES.includes(refusal) ? refusal : null;
}

/** The rule that decided, in words: that of the failed step, else the route's own. */
export function becauseOf({ steps }: Explanation, { access }: RuledRoute): Because {
  const step = steps.find(({ passed }) => !passed);
  if (!step) return { text: accessText(access), failed: null, layer: "access" };
  const { layer, rule } = step;
  const differing = step.compared.find(({ holds }) => !holds);
  if (differing === undefined) return { text: rule, failed: null, layer };
  const text = `${rule}; the row has ${JSON.stringify(differing.actual)}`;
  return { text, failed: differing.condition, layer };
}

export function rowsOf(table: TableModel | null, { rows }: Planning): readonly SeedRow[] {
  return table === null ? [] : rows.filter((row) => row.table.name === table.name);
}

/** Without those that some operation uses up. */
export function keptRows(table: TableModel | null, planning: Planning): readonly SeedRow[] {
  return rowsOf(table, planning).filter((row) => !planning.reserved.has(row));
}

/** Rows to try a deletion on: all that the caller may not delete, and those that were reserved for this route. */
export function deletableRows(route: RuledRoute, planning: Planning): readonly SeedRow[] {
  return rowsOf(route.table, planning).filter((row) => {
    const reservedFor = planning.reserved.get(row);
    return reservedFor === undefined
      ? explainRow(route, row.values, planning).refusal !== null
      : reservedFor === route.operationId;
  });
}

/** An id that no row has, nor will have while the run lasts. */
export function missingId(table: TableModel, { newId }: Planning): RowId {
  const id = newId(table);
  return typeof id === "number" ? id + FAR : id;
}

const FAR = 1_000_000_000;

/** The route's path with its id, and the organization that an anonymous caller names. */
export function addressOf(
  route: Pick<RuledRoute, "path" | "isOpen"> & Partial<Pick<RuledRoute, "table" | "subject">>,
  { id, query = {} }: {
    readonly id?: RowId;
    readonly query?: Readonly<Record<string, string>>;
  },
  planning: Planning,
): string {
  const isTenant = route.subject?.kind === "action" ||
    (route.table?.scope.organization ?? null) !== null;
  const named = route.isOpen && isTenant ? namedOrganization(planning) : null;
  const parameters = new URLSearchParams({
    ...(named === null ? {} : { organizationId: named }),
    ...query,
  });
  const path = route.path.replace(
    /:[A-Za-z0-9_]+/g,
    encodeURIComponent(String(id ?? "conformance")),
  );
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

export interface Attempt {
  readonly purpose: string;
  readonly request: ProbeRequest;
  readonly expected: Expectation;
  /** A text: no rule of the route's. */
  readonly because: Because | string;
  readonly isTrial?: boolean;
  readonly creates?: TableModel;
}

export function probeOf(
  { operationId }: Pick<RuledRoute, "operationId">,
  { creates, because, isTrial = false, ...attempt }: Attempt,
  { world }: Planning,
): Probe {
  const decides = typeof because === "string"
    ? { text: because, failed: null, layer: null }
    : because;
  return {
    operationId,
    principal: world.name,
    ...attempt,
    because: decides,
    isTrial,
    creates: creates ?? null,
  };
}
