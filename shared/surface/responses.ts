/**
 * Derives the responses of each operation from its layers and its resource's features. OpenAPI declares exactly these (contract
 * 7, traps 17).
 */
import { RUNTIME_CODES, type RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel } from "../model/mod.ts";
import { isPublic } from "./admission.ts";
import { authenticationCodes, COMMON_CODES, when } from "./codes.ts";
import { hasOtherSpellings } from "./ids.ts";
import { madeVectorOf } from "./embeddings.ts";
import { LAYER_ORDER, type Step } from "./layer_order.ts";
import { type Operation, registersPush, VERBS } from "./operations.ts";
import { preconditionCodes } from "./preconditions.ts";
import { hookCodes, hooksAround } from "./record_hooks.ts";
import { tableOf } from "./tables.ts";
import {
  guardCodes,
  makerCodes,
  missCodes,
  NAMES_A_RECORD,
  roleCodes,
  rowCodes,
  scopeCodes,
  type Subject,
  validationCodes,
} from "./layer_codes.ts";
import { databaseCodes } from "./database_codes.ts";

type SuccessBody = "page" | "history" | "record" | "deleted" | "batch" | "batchDeleted";

interface Success {
  /** Status codes of a success, the usual one first. */
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

/** Returns codes by their status, both ascending. 429 is not a problem document but is included. */
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

/** Returns every code with which an operation may be refused, without those of a batch's single records. */
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
    ...new Set<RuntimeCode>([
      ...COMMON_CODES,
      ...spelling,
      ...codes,
      ...preconditions,
      ...hookCodes(hooksAround(operation, project), project)
        .filter((code) => operation.batch === null || endsBatch(code, subject)),
    ]),
  ];
}

/** Returns every code with which a single record of a batch may be refused (contract 2.6). */
export function itemCodesOf(operation: Operation, project: ProjectModel): readonly RuntimeCode[] {
  const subject = subjectOf(operation, project);
  return [
    ...new Set<RuntimeCode>([
      ...missCodes(subject),
      ...rowCodes(subject),
      ...(subject.verb === "create" || subject.verb === "upsert" ? makerCodes(subject) : []),
      ...(subject.verb === "delete" ? [] : guardCodes(subject)),
      "VALIDATION_ERROR",
      ...[...databaseCodes(subject), ...hookCodes(hooksAround(operation, project), project)]
        .filter((code) => !endsBatch(code, subject)),
    ]),
  ];
}

/** True for a code that refuses the whole batch: the space for all new records of a batch is checked at once. */
function endsBatch(code: RuntimeCode, { verb }: Subject): boolean {
  return RUNTIME_CODES[code].status >= 500 || (code === "QUOTA_EXCEEDED" && verb === "create");
}

function subjectOf(operation: Operation, project: ProjectModel): Subject {
  const table = tableOf(operation.resource, project);
  return { operation, verb: VERBS[operation.kind], table, project };
}

type CodesOfStep = (subject: Subject) => readonly RuntimeCode[];

const STEP_CODES: Readonly<Record<Step, CodesOfStep>> = {
  authentication: ({ operation: { method, access }, project }) =>
    authenticationCodes(project, { method, isRequired: !isPublic(access) }),
  "rate-limit": ({ operation }) => when(operation.rateGate.limit !== null, "RATE_LIMITED"),
  // A create has no row to check until it is made. The rest of its rule is checked then.
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

/** Codes that refuse a batch as a whole. Single records have refusals of their own. */
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
