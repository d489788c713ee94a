/**
 * What each operation can answer, worked out from its layers and its resource's features: OpenAPI declares exactly this
 * (contract 7, traps "OpenAPI").
 */
import { RUNTIME_CODES, type RuntimeCode } from "../contract/codes.ts";
import type { Access } from "../model/access.ts";
import type { Condition } from "../model/predicate.ts";
import type { ProjectModel } from "../model/project.ts";
import type { TableModel } from "../model/table.ts";
import { isPublic } from "./admission.ts";
import { clientIdRule } from "./client_ids.ts";
import { embeddablesOf } from "./embeddables.ts";
import { LAYER_ORDER, type Step } from "./layer_order.ts";
import type { Operation } from "./operations.ts";
import { parametersOf, SCOPE_PARAMETER } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { tableOf } from "./tables.ts";
import { writableColumns } from "./writable.ts";

export type SuccessBody = "page" | "record" | "deleted";

export interface Outcomes {
  readonly success: { readonly status: 200 | 201; readonly body: SuccessBody };
  /** By status, ascending; codes sorted. 429 is not a problem document but belongs here too. */
  readonly refusals: ReadonlyMap<number, readonly RuntimeCode[]>;
}

export function outcomesOf(operation: Operation, project: ProjectModel): Outcomes {
  return {
    success: SUCCESS[operation.kind],
    refusals: byStatus(codesOf(operation, project)),
  };
}

const SUCCESS: Readonly<Record<Operation["kind"], Outcomes["success"]>> = {
  list: { status: 200, body: "page" },
  view: { status: 200, body: "page" },
  get: { status: 200, body: "record" },
  create: { status: 201, body: "record" },
  update: { status: 200, body: "record" },
  delete: { status: 200, body: "deleted" },
};

/** Codes by their status, both ascending. */
export function byStatus(
  codes: readonly RuntimeCode[],
): ReadonlyMap<number, readonly RuntimeCode[]> {
  const statuses = [...new Set(codes.map((code) => RUNTIME_CODES[code].status))].sort((a, b) =>
    a - b
  );
  return new Map(
    statuses.map((status) => [
      status,
      codes.filter((code) => RUNTIME_CODES[code].status === status).sort(),
    ]),
  );
}

/** Every code that an operation may be refused with. */
export function codesOf(operation: Operation, project: ProjectModel): readonly RuntimeCode[] {
  const table = tableOf(operation.resource, project);
  const subject: Subject = { operation, table, project };
  const codes = LAYER_ORDER[operation.kind].flatMap((step) => STEP_CODES[step](subject));
  const preconditions = preconditionCodes(operation, tableOf(operation.resource, project));
  return [
    ...new Set<RuntimeCode>(["HOST_INVALID", "INTERNAL_ERROR", ...codes, ...preconditions]),
  ];
}

interface Subject {
  readonly operation: Operation;
  readonly table: TableModel;
  readonly project: ProjectModel;
}

type CodesOfStep = (subject: Subject) => readonly RuntimeCode[];

const STEP_CODES: Readonly<Record<Step, CodesOfStep>> = {
  authentication: ({ operation, project }) => [
    "AUTH_INVALID_TOKEN",
    ...when(project.auth.jwt !== null, "AUTH_EXPIRED"),
    ...when(!isPublic(operation.access), "AUTH_MISSING"),
    ...when(operation.method !== "GET", "ORIGIN_FORBIDDEN"),
  ],
  "rate-limit": ({ operation }) =>
    when(operation.resource.rateLimits[operation.rate] !== null, "RATE_LIMITED"),
  // A create has no row to judge until it is made: what is left of its rule is judged then.
  "access.role": (subject) => [
    ...roleCodes(subject),
    ...(subject.operation.kind === "create" ? rowCodes(subject) : []),
  ],
  firewall: firewallCodes,
  access: (subject) => [...roleCodes(subject), ...rowCodes(subject)],
  guards: guardCodes,
  validation: validationCodes,
  operation: databaseCodes,
  masking: () => [],
};

function roleCodes({ operation, table, project }: Subject): readonly RuntimeCode[] {
  // An embedded target is read by its own rule (contract 4.3 rule 4).
  const rules = [
    operation.access,
    ...embeddablesOf(operation, project).flatMap(({ resource }) => resource.read?.access ?? []),
  ];
  return [
    ...when(!rules.every(admitsEveryone), "ACCESS_ROLE_REQUIRED"),
    ...when(table.scope.organization !== null, "ACCESS_NO_ORG"),
  ];
}

function admitsEveryone(access: Access): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.includes("PUBLIC");
    case "all":
      return access.of.length > 0 && access.of.every(admitsEveryone);
    case "any":
      return access.of.some(admitsEveryone);
    default:
      return access.kind === "record";
  }
}

function rowCodes({ operation, table }: Subject): readonly RuntimeCode[] {
  const conditions = conditionsOf(operation.access);
  const owners: readonly (string | null)[] = [table.scope.owner, "createdBy"];
  const asksForOwner = conditions.some(({ column, operand }) =>
    owners.includes(column) && operand.kind === "context" && operand.key === "userId"
  );
  return [
    ...when(conditions.length > 0, "ACCESS_CONDITION_FAILED"),
    ...when(asksForOwner, "ACCESS_OWNERSHIP_REQUIRED"),
  ];
}

function conditionsOf(access: Access): readonly Condition[] {
  switch (access.kind) {
    case "record":
      return access.conditions;
    case "all":
    case "any":
      return access.of.flatMap(conditionsOf);
    default:
      return [];
  }
}

function firewallCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation, table, project } = subject;
  const hides = operation.resource.firewallErrorMode === "hide";
  const isPublicTenant = table.scope.organization !== null && isPublic(operation.access);
  const namesScope = parametersOf(operation, project).some(({ name, use }) =>
    name === SCOPE_PARAMETER && use.kind === "scope"
  );
  const misses: readonly RuntimeCode[] = [
    ...(isOfOneRecord(operation)
      ? ["FIREWALL_NOT_FOUND" as const, ...when(table.softDelete, "FIREWALL_SOFT_DELETED")]
      : []),
    ...when(namesScope, "FIREWALL_ORG_ISOLATION"),
  ];
  return [
    ...when(isPublicTenant, "ORG_REQUIRED"),
    ...(operation.kind === "create" ? stampCodes(subject) : []),
    ...(hides && misses.length > 0 ? ["NOT_FOUND" as const] : misses),
  ];
}

/** Whoever cannot be the owner or team that a new row is stamped with. */
function stampCodes({ operation, table }: Subject): readonly RuntimeCode[] {
  return [
    ...when(table.scope.owner !== null && isPublic(operation.access), "ACCESS_OWNERSHIP_REQUIRED"),
    ...when(table.scope.team !== null, "ACCESS_CONDITION_FAILED"),
  ];
}

function isOfOneRecord({ kind }: Operation): boolean {
  return kind === "get" || kind === "update" || kind === "delete";
}

function guardCodes({ operation: { kind, resource }, table }: Subject): readonly RuntimeCode[] {
  const { guards } = resource;
  const isUpdate = kind === "update";
  const immutable = guards?.immutable ?? [];
  return [
    "GUARD_SYSTEM_MANAGED",
    isUpdate ? "GUARD_FIELD_NOT_UPDATABLE" : "GUARD_FIELD_NOT_CREATEABLE",
    ...when(Object.keys(guards?.protected ?? {}).length > 0, "GUARD_FIELD_PROTECTED"),
    ...when(
      isUpdate && table.columns.some(({ name }) => immutable.includes(name)),
      "GUARD_FIELD_IMMUTABLE",
    ),
  ];
}

function validationCodes({ operation }: Subject): readonly RuntimeCode[] {
  if (operation.method === "GET") return ["VALIDATION_INVALID_INPUT"];
  return [
    "VALIDATION_INVALID_INPUT",
    "UNSUPPORTED_MEDIA_TYPE",
    "PAYLOAD_TOO_LARGE",
    "INVALID_JSON",
    "VALIDATION_ERROR",
  ];
}

function databaseCodes(subject: Subject): readonly RuntimeCode[] {
  switch (subject.operation.kind) {
    case "create":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_INSERT_FAILED",
        ...when(mayCollide("create", subject), "DB_UNIQUE_VIOLATION"),
      ];
    case "update":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_UPDATE_FAILED",
        ...when(mayCollide("update", subject), "DB_UNIQUE_VIOLATION"),
        ...when(writesReference(subject), "DB_REFERENCE_VIOLATION"),
      ];
    case "delete":
      return [
        "VALIDATION_INVALID_INPUT",
        "DB_UPDATE_FAILED",
        ...when(mayBeReferredTo(subject), "DB_REFERENCE_VIOLATION"),
      ];
    default:
      return [];
  }
}

/** Whether a client's values can be taken already: its id, or a column of a unique index. */
function mayCollide(
  verb: "create" | "update",
  { operation, table }: Subject,
): boolean {
  if (verb === "create" && clientIdRule(table) !== "refused") return true;
  const indexed = table.indexes.filter((index) => index.unique).flatMap((index) => index.columns);
  // A create fills every column of an index, by default or by stamp; an update changes only what it may write.
  if (verb === "create") return indexed.length > 0;
  return writableColumns(verb, operation.resource, table).some(({ name }) =>
    indexed.includes(name)
  );
}

/** A target that goes between its check and the write. */
function writesReference({ operation, table }: Subject): boolean {
  return writableColumns("update", operation.resource, table)
    .some(({ references }) => references !== null);
}

/** A record removed for good must not leave references that the database neither follows nor clears. */
function mayBeReferredTo({ operation, table, project }: Subject): boolean {
  if (operation.resource.delete?.mode !== "hard") return false;
  return project.tables.some(({ columns }) =>
    columns.some(({ references }) =>
      references?.table === table.name && references.onDelete !== "cascade" &&
      references.onDelete !== "set null"
    )
  );
}

function when(condition: boolean, code: RuntimeCode): readonly RuntimeCode[] {
  return condition ? [code] : [];
}
