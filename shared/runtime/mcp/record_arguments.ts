/** Arguments that several tools share. */
import { z } from "zod";
import { HEADERS } from "../../contract/headers.ts";
import { IDEMPOTENCY_KEY_MAX_LENGTH } from "../../contract/limits.ts";
import { encodeSegment } from "../request/read_request.ts";
import type { InnerCall } from "./inner_api.ts";
import type { RecordKind, RecordOperation, ResourceReach } from "./reach.ts";

const ID_MAX_LENGTH = 256;

/** Of the resources that these are reached of: text, or a number where the database counts. */
export function idArgument(resources: readonly ResourceReach[]) {
  const text = z.string().min(1).max(ID_MAX_LENGTH);
  const counted = resources.filter(({ table }) => table.idStrategy === "serial").length;
  const id = counted === 0
    ? text
    : counted === resources.length
    ? z.int()
    : z.union([text, z.int()]);
  return id.describe("The record's `id`.");
}

export type RecordId = z.output<ReturnType<typeof idArgument>>;

/** The closed list of what the caller reaches in this way; null: nothing. */
export function resourceArgument(resources: readonly ResourceReach[]) {
  return z.enum(resources.map(({ resource }) => resource.name))
    .describe("Which resource; `describe_resource` tells its fields.");
}

export function reachedBy(
  resources: Iterable<ResourceReach>,
  kind: RecordKind,
): readonly ResourceReach[] {
  return [...resources].filter(({ records }) => records.has(kind));
}

export const WRITE_ARGUMENTS = {
  dryRun: z.boolean().optional()
    .describe("Do all of it, checks included, in a transaction that is rolled back."),
  idempotencyKey: z.string().min(1).max(IDEMPOTENCY_KEY_MAX_LENGTH).optional()
    .describe("The same key and arguments again, within a day, answer as the first call did."),
};

export const IF_MATCH = z.int().min(1).optional()
  .describe("Only if the record still has this `revision`; for resources that count revisions.");

export interface WriteArguments {
  readonly dryRun?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: number | undefined;
}

/** Options of a write as the API takes them: actions rehearse by their own parameter. */
export function writeOptions(
  { dryRun = false, idempotencyKey, ifMatch }: WriteArguments,
  { action }: Pick<RecordOperation, "action">,
): Pick<InnerCall, "headers" | "query" | "rehearses"> {
  return {
    headers: {
      // A key means nothing to what is taken back.
      ...(idempotencyKey === undefined || dryRun
        ? {}
        : { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...(ifMatch === undefined ? {} : { [HEADERS.ifMatch]: `"${ifMatch}"` }),
    },
    query: dryRun && action !== null ? [["dryRun", "true"]] : [],
    rehearses: dryRun && action === null,
  };
}

export function pathOf(path: string, id: RecordId): string {
  return path.replace(":id", () => encodeSegment(String(id)));
}
