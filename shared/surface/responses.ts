/**
 * Answers of each operation, derived from its layers and its resource's features: OpenAPI declares exactly these (contract
 * 7, traps 17).
 */
import { RUNTIME_CODES, type RuntimeCode } from "../contract/mod.ts";
import type { Access, Condition, ProjectModel, TableModel } from "../model/mod.ts";
import { homeOf, isPerOrganization } from "../model/mod.ts";
import { dependsOnRecord, isPublic } from "./admission.ts";
import { authenticationCodes, COMMON_CODES, JSON_BODY_CODES } from "./codes.ts";
import { clientIdRule, hasOtherSpellings } from "./ids.ts";
import { madeVectorOf } from "./embeddings.ts";
import { embeddablesOf } from "./embeddables.ts";
import { restoreRuleOf } from "./grants.ts";
import { LAYER_ORDER, type Step } from "./layer_order.ts";
import { type Operation, registersPush, type Verb, VERBS } from "./operations.ts";
import { parametersOf, SCOPE_PARAMETER } from "./parameters.ts";
import { isNearBeyondView } from "./near.ts";
import { preconditionCodes } from "./preconditions.ts";
import { firewallFollows } from "./row_predicate.ts";
import { tableOf } from "./tables.ts";
import { resourcesAsked } from "./where.ts";
import { writableColumns } from "./writable.ts";

type SuccessBody = "page" | "history" | "record" | "deleted" | "batch" | "batchDeleted";

interface Success {
  /** The usual one first. */
  readonly statuses: readonly (200 | 201 | 207)[];
  readonly body: SuccessBody;
}

export function successOf({ kind }: Operation): Success {
  return SUCCESS[kind];
}

const SUCCESS: Readonly<Record<Operation["kind"], Success>> = {
  list: { statuses: [200], body: "page" },
  view: { statuses: [200], body: "page" },
  get: { statuses: [200], body: "record" },
  history: { statuses: [200], body: "history" },
  create: { statuses: [201], body: "record" },
  update: { statuses: [200], body: "record" },
  delete: { statuses: [200], body: "deleted" },
  upsert: { statuses: [200, 201], body: "record" },
  restore: { statuses: [200], body: "record" },
  batchCreate: { statuses: [201, 207], body: "batch" },
  batchUpdate: { statuses: [200, 207], body: "batch" },
  batchDelete: { statuses: [200, 207], body: "batchDeleted" },
  batchUpsert: { statuses: [200, 201, 207], body: "batch" },
};

/** Operations with an id in their path. */
const NAMES_A_RECORD: ReadonlySet<Operation["kind"]> = new Set([
  "get",
  "history",
  "update",
  "delete",
  "upsert",
  "restore",
]);

/** Codes by their status, both ascending; 429 is not a problem document but belongs here too. */
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

/** Every code that an operation may be refused with; what refuses single records of a batch is not among them. */
export function codesOf(operation: Operation, project: ProjectModel): readonly RuntimeCode[] {
  const subject = subjectOf(operation, project);
  const codesOfSteps = operation.batch === null ? STEP_CODES : BATCH_STEP_CODES;
  const codes = LAYER_ORDER[operation.kind].flatMap((step) => codesOfSteps[step](subject));
  const preconditions = preconditionCodes(operation, subject.table);
  const spelling = when(
    NAMES_A_RECORD.has(operation.kind) && hasOtherSpellings(subject.table.idStrategy),
    "ROUTE_NOT_FOUND",
  );
  return [
    ...new Set<RuntimeCode>([...COMMON_CODES, ...spelling, ...codes, ...preconditions]),
  ];
}

/** Every code that a single record of a batch may be refused with (contract 2.6). */
export function itemCodesOf(operation: Operation, project: ProjectModel): readonly RuntimeCode[] {
  const subject = subjectOf(operation, project);
  return [
    ...new Set<RuntimeCode>([
      ...missCodes(subject),
      ...rowCodes(subject),
      ...(subject.verb === "create" || subject.verb === "upsert" ? makerCodes(subject) : []),
      ...(subject.verb === "delete" ? [] : guardCodes(subject)),
      "VALIDATION_ERROR",
      ...databaseCodes(subject).filter((code) => !endsBatch(code, subject)),
    ]),
  ];
}

/** Room is asked for all new records of a batch at once. */
function endsBatch(code: RuntimeCode, { verb }: Subject): boolean {
  return RUNTIME_CODES[code].status >= 500 || (code === "QUOTA_EXCEEDED" && verb === "create");
}

function subjectOf(operation: Operation, project: ProjectModel): Subject {
  const table = tableOf(operation.resource, project);
  return { operation, verb: VERBS[operation.kind], table, project };
}

interface Subject {
  readonly operation: Operation;
  readonly verb: Verb;
  readonly table: TableModel;
  readonly project: ProjectModel;
}

type CodesOfStep = (subject: Subject) => readonly RuntimeCode[];

const STEP_CODES: Readonly<Record<Step, CodesOfStep>> = {
  authentication: ({ operation: { method, access }, project }) =>
    authenticationCodes(project, { method, isRequired: !isPublic(access) }),
  "rate-limit": ({ operation }) => when(operation.rateGate.limit !== null, "RATE_LIMITED"),
  // A create has no row to judge until it is made: what is left of its rule is judged then.
  "access.role": (subject) => [
    ...roleCodes(subject),
    ...(subject.verb === "create" ? rowCodes(subject) : []),
  ],
  firewall: (subject) => [...scopeCodes(subject), ...missCodes(subject)],
  access: (subject) => [
    ...roleCodes(subject),
    ...rowCodes(subject),
    ...when(subject.verb === "restore", "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"),
  ],
  guards: guardCodes,
  validation: ({ operation, table }) => [
    ...validationCodes(operation),
    ...when(registersPush(operation), "WEBHOOK_RESOLVER_UNAVAILABLE"),
    ...when(operation.kind === "list" && madeVectorOf(table) !== null, "EMBEDDINGS_UNAVAILABLE"),
  ],
  operation: databaseCodes,
  masking: () => [],
};

/** Codes that refuse a batch as a whole; each record is refused by itself. */
const BATCH_STEP_CODES: Readonly<Record<Step, CodesOfStep>> = {
  ...STEP_CODES,
  "access.role": roleCodes,
  firewall: scopeCodes,
  access: () => [],
  guards: () => [],
  validation: ({ operation, verb }) => [
    ...validationCodes(operation),
    "BATCH_SIZE_EXCEEDED",
    ...when(verb !== "create", "BATCH_MISSING_IDS"),
    ...when(operation.batch?.allowFailFast === true, "BATCH_FAIL_FAST_STOPPED"),
  ],
  operation: (subject) => databaseCodes(subject).filter((code) => endsBatch(code, subject)),
};

/** True when its rows stand in the databases of organizations. */
function isApart(table: TableModel, project: ProjectModel): boolean {
  return isPerOrganization(project) && homeOf(table) === "tenant";
}

function roleCodes({ operation, table, project }: Subject): readonly RuntimeCode[] {
  // An embedded target is read by its own rule (contract 4.3 rule 4), and so is one that a `where` looks into.
  const others = [
    ...embeddablesOf(operation, project).map(({ resource }) => resource),
    ...resourcesAsked(operation, project),
    ...(isNearBeyondView(operation, table) ? [operation.resource] : []),
  ];
  const restoring = VERBS[operation.kind] === "read" && operation.kind !== "get"
    ? restoreRuleOf(operation.resource)
    : null;
  const rules = [
    operation.access,
    ...others.flatMap(({ read }) => read?.access ?? []),
    ...(restoring ? [restoring.access] : []),
  ];
  return [
    ...when(
      !rules.every((rule) => admitsEveryone(rule, project)),
      "ACCESS_ROLE_REQUIRED",
    ),
    ...when(table.scope.organization !== null || isApart(table, project), "ACCESS_NO_ORG"),
  ];
}

/** A condition alone admits no delegated principal (contract 5.6). */
function admitsEveryone(access: Access, project: ProjectModel): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.includes("PUBLIC");
    case "all":
      return access.of.length > 0 && access.of.every((part) => admitsEveryone(part, project));
    case "any":
    case "first":
      return access.of.some((part) => admitsEveryone(part, project));
    default:
      return dependsOnRecord(access) && project.auth.principals.length === 0;
  }
}

/** Strangers, scope tokens and delegated principals: none of them can own a row. */
function admitsWithoutAccount(
  access: Access,
  { auth }: Pick<ProjectModel, "auth">,
): boolean {
  switch (access.kind) {
    case "roles":
      return auth.principals.length > 0 ||
        ["PUBLIC", "AUTHENTICATED", "SCOPED"].some((role) => access.roles.includes(role));
    case "all":
    case "any":
    case "first":
      return access.of.some((part) => admitsWithoutAccount(part, { auth }));
    default:
      return dependsOnRecord(access);
  }
}

function rowCodes({ operation, table }: Subject): readonly RuntimeCode[] {
  const conditions = conditionsOf(operation.access);
  const owners: readonly (string | null)[] = [table.scope.owner, "createdBy"];
  const asksForOwner = conditions.some(({ column, operand }) =>
    owners.includes(column) && operand.kind === "context" && operand.key === "userId"
  );
  return [
    ...when(dependsOnRecord(operation.access), "ACCESS_CONDITION_FAILED"),
    ...when(asksForOwner, "ACCESS_OWNERSHIP_REQUIRED"),
  ];
}

function conditionsOf(access: Access): readonly Condition[] {
  if ("of" in access) return access.of.flatMap(conditionsOf);
  return access.kind === "record" ? access.conditions : [];
}

/** Codes about the organization that scopes a request. */
function scopeCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation, verb, table, project } = subject;
  const isPublicTenant = table.scope.organization !== null && isPublic(operation.access);
  const namesScope = parametersOf(operation, project).some(({ name, use }) =>
    name === SCOPE_PARAMETER && use.kind === "scope"
  );
  return [
    ...when(isPublicTenant, "ORG_REQUIRED"),
    ...(verb === "create" || verb === "upsert" ? stampCodes(subject) : []),
    ...(namesScope ? hiddenAs(subject, ["FIREWALL_ORG_ISOLATION"]) : []),
    // An organization that was deleted leaves its answer behind.
    ...when(isApart(table, project), "FIREWALL_ORG_ISOLATION"),
  ];
}

/** Codes for a record that the firewall hides; a PUT makes one that is not there. */
function missCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation: { kind }, verb, table } = subject;
  const namesRecord = NAMES_A_RECORD.has(kind) || verb === "update" || verb === "delete";
  const showsDeleted = verb === "restore" || verb === "history";
  const deleted = when(table.softDelete && !showsDeleted, "FIREWALL_SOFT_DELETED");
  // A row that its maker's firewall hides is not made.
  const made = when(firewallFollows(table.firewall), "FIREWALL_NOT_FOUND");
  if (verb === "upsert") return hiddenAs(subject, [...made, ...deleted]);
  if (verb === "create") return hiddenAs(subject, made);
  return namesRecord ? hiddenAs(subject, ["FIREWALL_NOT_FOUND", ...deleted]) : [];
}

function hiddenAs(
  { operation }: Subject,
  codes: readonly RuntimeCode[],
): readonly RuntimeCode[] {
  const hides = operation.resource.firewallErrorMode === "hide";
  return hides && codes.length > 0 ? ["NOT_FOUND"] : codes;
}

/** Codes for callers who lack the owner or team that a new row is stamped with. */
function stampCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation, table, project } = subject;
  const mayHaveNoOwner = admitsWithoutAccount(operation.access, project);
  return [
    ...when(table.scope.owner !== null && mayHaveNoOwner, "ACCESS_OWNERSHIP_REQUIRED"),
    ...makerCodes(subject),
    ...when(table.scope.team !== null, "ACCESS_CONDITION_FAILED"),
  ];
}

/** A row that must name who made it, of somebody without an account. */
function makerCodes({ operation, table, project }: Subject): readonly RuntimeCode[] {
  const namesMaker = table.columns.some(({ nullable, default: value }) =>
    !nullable && value?.kind === "made" && value.value.kind === "userId"
  );
  return when(
    namesMaker && admitsWithoutAccount(operation.access, project),
    "ACCESS_OWNERSHIP_REQUIRED",
  );
}

function guardCodes({ operation, verb, table }: Subject): readonly RuntimeCode[] {
  const { guards } = operation.resource;
  const isUpdate = verb === "update";
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

function validationCodes(operation: Operation): readonly RuntimeCode[] {
  const takesBody = operation.method !== "GET" && operation.kind !== "restore";
  if (!takesBody) return ["VALIDATION_INVALID_INPUT"];
  return ["VALIDATION_INVALID_INPUT", ...JSON_BODY_CODES, "VALIDATION_ERROR"];
}

/** Rows of a table without a tenant are counted to nobody (definitions 8, `ROWS_MAX_PER_TENANT`). */
function isQuoted({ table: { scope } }: Subject): boolean {
  return scope.organization !== null || scope.owner !== null;
}

function databaseCodes(subject: Subject): readonly RuntimeCode[] {
  switch (subject.verb) {
    case "create":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_INSERT_FAILED",
        ...when(isQuoted(subject), "QUOTA_EXCEEDED"),
        ...when(mayCollide("create", subject), "DB_UNIQUE_VIOLATION"),
      ];
    case "update":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_UPDATE_FAILED",
        ...when(mayCollide("update", subject), "DB_UNIQUE_VIOLATION"),
        ...when(writesReference("update", subject), "DB_REFERENCE_VIOLATION"),
      ];
    case "upsert":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_UPDATE_FAILED",
        "DB_UNIQUE_VIOLATION",
        ...when(isQuoted(subject), "QUOTA_EXCEEDED"),
        ...when(writesReference("upsert", subject), "DB_REFERENCE_VIOLATION"),
      ];
    case "restore":
      // Records that were deleted with this one come back with it.
      return [
        "DB_UPDATE_FAILED",
        ...when(
          subject.project.tables.some(({ indexes }) => indexes.some(({ unique }) => unique)),
          "DB_UNIQUE_VIOLATION",
        ),
      ];
    case "delete":
      return [
        ...when(subject.operation.batch === null, "VALIDATION_INVALID_INPUT"),
        "DB_UPDATE_FAILED",
        ...when(mayBeReferredTo(subject), "DB_REFERENCE_VIOLATION"),
      ];
    default:
      return [];
  }
}

/** True when a client's values can be taken already: its id, or a column of a unique index. */
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
function writesReference(
  verb: "update" | "upsert",
  { operation, table }: Subject,
): boolean {
  return writableColumns(verb, operation.resource, table)
    .some(({ references }) => references !== null);
}

/**
 * A record to which living ones refer may have to stay; one removed for good must not leave references that the database neither follows nor clears: to itself, or to what goes
 * along with it.
 */
function mayBeReferredTo({ operation, table, project }: Subject): boolean {
  const { delete: removal } = operation.resource;
  if (removal?.mode !== "hard" && removal?.children !== "refuse") return false;
  const removed = new Set([table.name]);
  // A set grows while it is walked.
  for (const name of removed) {
    for (const child of project.tables) {
      for (const { references } of child.columns) {
        if (references?.table !== name || references.onDelete === "set null") continue;
        if (removal.children === "refuse" || references.onDelete !== "cascade") return true;
        removed.add(child.name);
      }
    }
  }
  return false;
}

function when(condition: boolean, code: RuntimeCode): readonly RuntimeCode[] {
  return condition ? [code] : [];
}
