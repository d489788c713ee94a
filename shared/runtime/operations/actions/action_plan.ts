/** Facts about an action that hold for every request (contract 4.4). */
import { type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { Home, Principal, ProjectModel, SchemaModel, TableModel } from "../../../model/mod.ts";
import { homeOf, keepsHistory } from "../../../model/mod.ts";
import type { ActionImplementation, ActionImplementations } from "../../../surface/mod.ts";
import type { ActionOperation, RowRule } from "../../../surface/mod.ts";
import { actionOperationsOf, SCOPE_PARAMETER, zodSchemaOf } from "../../../surface/mod.ts";
import type { Admitted, Gate } from "../../gate.ts";
import { needsOrganization, type RecordTarget } from "../../layers/3-firewall/firewall.ts";
import { requireRole, rolesHeldBy } from "../../layers/4-access/require_role.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { requireSafeJson } from "../../request/body.ts";
import type { AuditTrail } from "./audit_trail.ts";

export interface ActionPlan {
  readonly operation: ActionOperation;
  readonly implementation: ActionImplementation;
  readonly gate: Gate;
  readonly takesBody: boolean;
  /** That it stands for; null: none. */
  readonly table: TableModel | null;
  /** Null: it runs on none. */
  readonly records: RecordTarget | null;
}

/** One call of an action. */
export interface ActionCall {
  readonly request: Admitted;
  readonly plan: ActionPlan;
  /** Of its record; empty where it has none. */
  readonly id: string;
  /** Null: the call leaves no audit row. */
  readonly audit: AuditTrail | null;
  /** Its transaction is no part of another one. */
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
    };
  });
}

/** An action of no record asks where its caller is, unless it stands for what belongs to no organization. */
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

/** Of an action that has any. */
export function recordsOf({ operation, records }: ActionPlan): RecordTarget {
  if (records === null) throw new Error(`Action "${operation.id}" has no record`);
  return records;
}

/**
 * Admits callers to an action, and settles its organization (contract 4.4 rules 1 to 3). Refuses with
 * `ACCESS_ROLE_REQUIRED`. Refuses whom neither the access rule nor `unsafe` admits; what is left is asked of the record.
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

/** Across tenants there is no one organization to act in. */
export function actionNeedsOrganization(
  { table, operation: { action: { unsafe, verb } } }: Pick<ActionPlan, "table" | "operation">,
  principal: Principal,
): boolean {
  if (table === null || unsafe?.crossTenant === true) return false;
  return needsOrganization({ table, makesRows: verb === "create" }, principal);
}

const FIELDS_LISTED_MAX = 100;

/**
 * The input of an action, judged by its author's own schema (contract 4.4 rules 5 and 7). Refuses with
 * `VALIDATION_ERROR`. Reads the handler's `input`.
 */
export async function requireActionInput(call: ActionCall): Promise<unknown> {
  const query = requireActionQuery(call);
  const { operation: { method, action } } = call.plan;
  const sent = method === "GET" ? inputOfQuery(query, action.input) : await bodyOf(call);
  return await requireInput(call, sent, []);
}

/** `place` is where the input stands in the body. */
export async function requireInput(
  { plan: { implementation } }: ActionCall,
  sent: unknown,
  place: readonly string[],
): Promise<unknown> {
  const result = await implementation.input.safeParseAsync(sent);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, FIELDS_LISTED_MAX).map((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...place, ...issue.path.map(String), ...keys].map((one) => one.slice(0, 100));
    return { path, message: issue.message };
  });
  return refuse("VALIDATION_ERROR", {
    details: {
      fields: Object.fromEntries(
        issues.reverse().map(({ path, message }) => [path.join("."), message]),
      ),
    },
    pointer: pointerTo(...issues.at(-1)?.path ?? []),
  });
}

/** No body at all is an empty one. */
export async function bodyOf({ request: { body } }: ActionCall): Promise<JsonObject> {
  return (await body.bytes()).length === 0 ? {} : await body.object();
}

function inputOfQuery(query: ReadonlyMap<string, string>, schema: SchemaModel): JsonObject {
  const members = schema.kind === "object" ? schema.members : [];
  const input = Object.fromEntries(
    [...query].map(([name, text]): [string, unknown] => {
      const member = members.find((one) => one.name === name);
      return [name, valueOf(text, name, member?.schema ?? null)];
    }),
  );
  requireSafeJson(input);
  return input;
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The text as its schema's type; what Zod would coerce more generously is refused (traps 25). */
function valueOf(text: string, name: string, schema: SchemaModel | null): unknown {
  switch (schema?.kind) {
    case "optional":
    case "nullable":
    case "default":
      return valueOf(text, name, schema.of);
    case "number":
      if (!DECIMAL.test(text)) return refuseMember([name], "Must be a decimal number");
      return /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? NaN : Number(text);
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      return refuseMember([name], "Must be true or false");
    case "array":
      return text === "" ? [] : text.split(",").map((item) => valueOf(item, name, schema.of));
    case "literal":
      return schema.values.find((value) => String(value) === text) ?? text;
    case "union": {
      // A number or a boolean where one is meant and the text is one.
      const kinds = new Set(schema.of.map(({ kind }) => kind));
      if (kinds.has("number") && DECIMAL.test(text)) return Number(text);
      if (kinds.has("boolean") && (text === "true" || text === "false")) return text === "true";
      return text;
    }
    default:
      return text;
  }
}

const DRY_RUN_PARAMETER = "dryRun";

/**
 * The query of an action: `dryRun`, the organization that an anonymous caller names, and the input of a GET (contract
 * 4.4 rule 5, definitions 5). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. Before the query is judged:
 * what is wrong with it is refused at its own step.
 */
export function isDryRun({ request }: Pick<ActionCall, "request">): boolean {
  return new URLSearchParams(request.search).get(DRY_RUN_PARAMETER) === "true";
}

/** Null: none is named, or the action does not take one. */
export function namedOrganization(
  { request, plan }: Pick<ActionCall, "request" | "plan">,
): string | null {
  if (plan.gate.who !== "anyone") return null;
  return new URLSearchParams(request.search).get(SCOPE_PARAMETER) || null;
}

/** The parameters that are the action's own input, by name. */
export function requireActionQuery(call: ActionCall): ReadonlyMap<string, string> {
  const { operation: { method }, gate } = call.plan;
  const parameters = new URLSearchParams(call.request.search);
  const input = new Map<string, string>();
  for (const name of new Set(parameters.keys())) {
    const [value = "", ...others] = parameters.getAll(name);
    if (others.length > 0) refuseParameter(name, "must not be repeated");
    if (name === DRY_RUN_PARAMETER) {
      if (value !== "true" && value !== "false") refuseParameter(name, "must be true or false");
    } else if (name === SCOPE_PARAMETER && gate.who === "anyone") {
      continue;
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
