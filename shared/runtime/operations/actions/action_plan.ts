/** Collects facts about an action that hold for every request (contract 4.4). */
import type { Home, Principal, ProjectModel, TableModel } from "../../../model/mod.ts";
import { homeOf, keepsHistory } from "../../../model/mod.ts";
import type { ActionImplementation, ActionImplementations } from "../../../surface/mod.ts";
import type { ActionOperation, PathInput, RowRule } from "../../../surface/mod.ts";
import { actionOperationsOf, pathInputOf } from "../../../surface/mod.ts";
import { SCOPE_PARAMETER, zodSchemaOf } from "../../../surface/mod.ts";
import type { Admitted, Gate } from "../../gate.ts";
import { needsOrganization, type RecordTarget } from "../../layers/3-firewall/firewall.ts";
import { requireRole, rolesHeldBy } from "../../layers/4-access/require_role.ts";
import { refuse } from "../../refusal.ts";
import type { AuditTrail } from "./audit_trail.ts";

export interface ActionPlan {
  readonly operation: ActionOperation;
  readonly implementation: ActionImplementation;
  readonly gate: Gate;
  readonly takesBody: boolean;
  /** The table on which the action is defined; null: none. */
  readonly table: TableModel | null;
  /** The records on which the action runs; null: it runs on none. */
  readonly records: RecordTarget | null;
  /** Parameters of the action's path that fill members of its input. */
  readonly pathInput: readonly PathInput[];
}

/** One call of an action. */
export interface ActionCall {
  readonly request: Admitted;
  readonly plan: ActionPlan;
  /** The id of its record; empty for an action without one. */
  readonly id: string;
  /** Audit trail of the call; null: the call leaves no audit row. */
  readonly audit: AuditTrail | null;
  /** True when the action's transaction is not part of a larger one. */
  readonly isAlone?: true;
}

export function actionPlansOf(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly ActionPlan[] {
  return actionOperationsOf(project).map((operation) => {
    const { action, method } = operation;
    const table = project.tables.find(({ name }) => name === action.table) ?? null;
    const records = operation.kind === "standaloneAction" ? null : recordTarget(operation, project);
    return {
      operation,
      implementation: implementationOf(operation, implementations),
      gate: {
        who: operation.who,
        rate: operation.rateGate,
        hasMiddlewares: true,
        home: actionHome(table, records),
        isAudited: keepsHistory(project),
      },
      takesBody: method !== "GET",
      table,
      records,
      pathInput: pathInputOf(operation),
    };
  });
}

/**
 * Returns where callers of the action must be: "either" for an action without records, unless its table belongs to no
 * organization.
 */
function actionHome(table: TableModel | null, records: RecordTarget | null): Home | "either" {
  const home = table === null ? "tenant" : homeOf(table);
  return records === null && home === "tenant" ? "either" : home;
}

function implementationOf(
  { action }: ActionOperation,
  implementations: ActionImplementations,
): ActionImplementation {
  const known = Object.hasOwn(implementations, action.key)
    ? implementations[action.key]
    : undefined;
  if (known && (known.execute !== null || action.handler === null)) return known;
  if (action.handler === null) {
    return { execute: null, input: zodSchemaOf(action.input), output: null };
  }
  throw new Error(`Action "${action.key}" has no code: give \`actions\` to createApp()`);
}

function recordTarget({ id, resource }: ActionOperation, project: ProjectModel): RecordTarget {
  const table = project.tables.find(({ name }) => name === resource?.table);
  if (!resource || !table) throw new Error(`Action "${id}" has no resource`);
  return { resource, table, makesRows: false };
}

/** Returns the records of an action that has some; throws for another. */
export function recordsOf({ operation, records }: ActionPlan): RecordTarget {
  if (records === null) throw new Error(`Action "${operation.id}" has no record`);
  return records;
}

/**
 * Admits callers to an action, and settles its organization (contract 4.4 rules 1 to 3). Refuses with `ACCESS_ROLE_REQUIRED`
 * callers whom neither the access rule nor `unsafe` admits. Returns the rule that the record must still meet.
 */
export function requireMayRun(
  { request: { principal }, plan: { operation } }: Pick<ActionCall, "request" | "plan">,
): RowRule | null {
  const rule = requireRole(operation, principal);
  if (isSysadminOnly(operation) && principal.userRole !== "sysadmin") {
    refuse("ACCESS_ROLE_REQUIRED", {
      details: { required: ["sysadmin"], current: [...rolesHeldBy(principal)] },
    });
  }
  return rule;
}

/** True when `unsafe` keeps the action for one role, whatever its access rule says (contract 4.4 rule 3). */
export function isSysadminOnly({ action: { unsafe } }: ActionOperation): boolean {
  return unsafe !== null && (unsafe.adminOnly || unsafe.crossTenant);
}

/** True when the action must run in one organization; false for one that acts across tenants. */
export function actionNeedsOrganization(
  { table, operation: { action: { unsafe, verb, tenantOf } } }: Pick<
    ActionPlan,
    "table" | "operation"
  >,
  principal: Principal,
): boolean {
  if (table === null || unsafe?.crossTenant === true || tenantOf) return false;
  return needsOrganization({ table, makesRows: verb === "create" }, principal);
}

const DRY_RUN_PARAMETER = "dryRun";

/**
 * True when the query has `dryRun` (contract 4.4 rule 5, definitions 5). The query also names the organization of an anonymous
 * caller and the input of a GET. This reads `dryRun` before the query is validated: a mistake in the query is refused at its
 * own step, with `VALIDATION_INVALID_INPUT` and the parameter's name.
 */
export function isDryRun({ request }: Pick<ActionCall, "request">): boolean {
  return new URLSearchParams(request.search).get(DRY_RUN_PARAMETER) === "true";
}

/** Returns the organization that the query names; null: it names none, or the action does not take one. */
export function namedOrganization(
  { request, plan }: Pick<ActionCall, "request" | "plan">,
): string | null {
  if (!takesOrganization(plan)) return null;
  return new URLSearchParams(request.search).get(SCOPE_PARAMETER) || null;
}

/** True when an anonymous caller names the organization in which the action runs. */
function takesOrganization({ gate, operation: { action } }: ActionPlan): boolean {
  return gate.who === "anyone" && !action.tenantOf;
}

/** Validates the query and returns the parameters that are the action's own input, by name. */
export function requireActionQuery(call: ActionCall): ReadonlyMap<string, string> {
  const { operation: { method, action } } = call.plan;
  const parameters = new URLSearchParams(call.request.search);
  const input = new Map<string, string>();
  for (const name of new Set(parameters.keys())) {
    const [value = "", ...others] = parameters.getAll(name);
    if (others.length > 0) refuseParameter(name, "must not be repeated");
    if (name === DRY_RUN_PARAMETER) {
      if (value !== "true" && value !== "false") refuseParameter(name, "must be true or false");
    } else if (name === SCOPE_PARAMETER && takesOrganization(call.plan)) {
      continue;
    } else if (name === SCOPE_PARAMETER && action.tenantOf) {
      refuseParameter(name, `is not taken: \`${action.tenantOf.input}\` names the organization`);
    } else if (method === "GET") {
      input.set(name, value);
    } else refuseParameter(name, "is unknown");
  }
  return input;
}

function refuseParameter(parameter: string, reason: string): never {
  const shown = parameter.slice(0, 100).toWellFormed();
  refuse("VALIDATION_INVALID_INPUT", {
    detail: `Parameter "${shown}" ${reason}`,
    details: { parameter: shown },
  });
}
