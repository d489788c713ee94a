/**
 * Builds routes that manage the service's own records: endpoints, deliveries, events, jobs (contract 4.5, 4.6; definitions 6).
 */
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../contract/mod.ts";
import type { JsonSchema, RateOperation, RuntimeCode } from "../contract/mod.ts";
import type { JsonValue, ProjectModel } from "../model/mod.ts";
import { authenticationCodes } from "./codes.ts";
import { preconditionCodes } from "./preconditions.ts";
import { resourceBucket } from "./rate_buckets.ts";
import { PAGINATION } from "./schema/envelopes.ts";
import { pageExample } from "./schema/examples.ts";
import { closed } from "./schema/json_schema.ts";
import { type DeclaredRoute, ok, type SystemRoute, systemRoute } from "./system_route.ts";

export type ManagedDeclaration<Kind extends string> =
  & Omit<DeclaredRoute<Kind>, "id" | "who" | "codes" | "rateGate">
  & {
    readonly kind: Kind;
    /** Operation in the project's limits. */
    readonly rate: RateOperation;
    readonly codes?: readonly RuntimeCode[];
  };

/** Facts that the routes of one kind of records share. */
interface ManagedKind {
  readonly id: string;
  readonly tag: string;
  readonly listedAs: string;
  /** Bucket of its rate limits. */
  readonly bucket: string;
  /** Sentence after the description that names the admitted roles. */
  readonly admits: string;
}

/**
 * Completes a route whose caller needs one of its roles. A list has pages, and a write happens once for each `Idempotency-Key`.
 * The managed records count no revisions.
 */
export function managedRoute<Kind extends string>(
  { rate, codes = [], ...declared }: ManagedDeclaration<Kind>,
  { id, tag, listedAs, bucket, admits }: ManagedKind,
  project: ProjectModel,
): SystemRoute<Kind> {
  const { method, path, page = null, parameters = [] } = declared;
  const all: readonly RuntimeCode[] = [
    ...authenticationCodes(project, { method, isRequired: true }),
    "ACCESS_ROLE_REQUIRED",
    "VALIDATION_INVALID_INPUT",
    ...(path.includes("/:") ? ["FIREWALL_NOT_FOUND" as const] : []),
    ...codes,
    ...preconditionCodes(declared, { revision: null }),
  ];
  return systemRoute<Kind>({
    keyed: method !== "GET",
    miss: "FIREWALL_NOT_FOUND",
    ...declared,
    ...{ id, tag, listedAs, who: "caller", codes: all },
    description: `${declared.description}${admits}`,
    rateGate: {
      limit: project.rateLimits[rate],
      bucketOf: (caller) => resourceBucket(bucket, rate, caller),
    },
    parameters: [
      ...(path.includes(":id") ? [ID] : []),
      ...(page === null ? [] : PAGE_PARAMETERS),
      ...(page === null || page.statuses.length === 0 ? [] : [statusParameter(page.statuses)]),
      ...parameters,
    ],
  });
}

/** Returns the roles in words, followed by `where`, for example "of the active organization". */
export function admitting(roles: readonly string[], where = ""): string {
  return ` Admits ${roles.map((role) => `\`${role}\``).join(", ")}${where}.`;
}

/** Returns the responses of a list. */
export function pageOf(record: JsonSchema, example: JsonValue): SystemRoute["answers"] {
  const page = closed({
    data: { type: "array", items: record },
    view: { type: "null" },
    pagination: PAGINATION,
  });
  return ok(page, pageExample(example), { headers: { Link: "PageLinks" } });
}

const ID: JsonSchema = {
  name: "id",
  in: "path",
  required: true,
  description: "Id of the record.",
  schema: { type: "string" },
};

const PAGE_PARAMETERS: readonly JsonSchema[] = [
  {
    name: "limit",
    in: "query",
    description: `Records per page, clamped to ${PAGE_SIZE_MIN} to ${PAGE_SIZE_MAX}.`,
    schema: { type: "integer", default: PAGE_SIZE_DEFAULT },
  },
  {
    name: "offset",
    in: "query",
    description: "Records to skip.",
    schema: { type: "integer", minimum: 0, default: 0 },
  },
  {
    name: "starting_after",
    in: "query",
    description:
      "A cursor from `pagination`: the records that follow it. Not together with `offset` or `ending_before`.",
    schema: { type: "string", minLength: 1 },
  },
  {
    name: "ending_before",
    in: "query",
    description:
      "A cursor from `pagination`: the records right before it. Not together with `offset` or `starting_after`.",
    schema: { type: "string", minLength: 1 },
  },
];

function statusParameter(statuses: readonly string[]): JsonSchema {
  return {
    name: "status",
    in: "query",
    description: "Only records of this status.",
    schema: { type: "string", enum: [...statuses] },
  };
}
