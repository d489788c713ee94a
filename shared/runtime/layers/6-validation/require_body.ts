/** Validates the values of a request: its body, its query, the id that its client chose (contract 4.1, 4.3). */
import type { IdStrategy } from "../../../contract/mod.ts";
import { isJsonObject, type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { BatchModel, Principal, TableModel } from "../../../model/mod.ts";
import type { BodyChecker, GetQuery, ListQuery, Operation } from "../../../surface/mod.ts";
import type { QueryPlan, QueryResult, StoredValue, WriteQuery } from "../../../surface/mod.ts";
import { clientIdPattern, isOtherSpelling, readGetQuery } from "../../../surface/mod.ts";
import { readListQuery, readWriteQuery, VERBS } from "../../../surface/mod.ts";
import { refuse, refuseMember } from "../../refusal.ts";

/**
 * Returns the values of a write body by column, in stored form; fields that the body leaves out are absent (contract 4.1 rules
 * 1 and 2). Refuses with `VALIDATION_ERROR`.
 */
export function requireBody(
  checkBody: BodyChecker | null,
  body: JsonObject,
): ReadonlyMap<string, StoredValue> {
  if (checkBody === null) throw new Error("The operation takes no body");
  const reading = checkBody(body);
  if (reading.kind === "valid") return reading.values;
  return refuse("VALIDATION_ERROR", {
    details: { fields: reading.fields },
    pointer: reading.pointer,
  });
}

/**
 * Validates an id that the client chose, by the form of its table's ids (contract 4.1 rules 3 and 5). Refuses with
 * `VALIDATION_ERROR`. It is for ids outside the body: in the path, or beside the fields of a batch's record.
 */
export function requireClientId(table: TableModel, id: string): void {
  const pattern = clientIdPattern(table);
  if (pattern !== null && new RegExp(pattern).test(id)) return;
  refuseMember([table.primaryKey], "Must have the form of this table's ids");
}

/** The query of a request, with its caller. */
interface AskedQuery {
  readonly search: string;
  readonly principal: Principal;
}

/** Parses the query string of an operation (contract 4.3). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. */
export function requireListQuery(plan: QueryPlan, asked: AskedQuery): ListQuery {
  return required(readListQuery(plan, readable(asked)));
}

export function requireGetQuery(plan: QueryPlan, asked: AskedQuery): GetQuery {
  return required(readGetQuery(plan, readable(asked)));
}

export function requireWriteQuery(plan: QueryPlan, asked: AskedQuery): WriteQuery {
  return required(readWriteQuery(plan, readable(asked)));
}

function readable({ search, principal }: AskedQuery) {
  return { parameters: new URLSearchParams(search), principal };
}

function required<Query>(result: QueryResult<Query>): Query {
  if (result.kind === "query") return result.query;
  return refuse("VALIDATION_INVALID_INPUT", {
    detail: result.message,
    details: { parameter: result.parameter },
  });
}

export interface BatchRequest {
  readonly member: "records" | "ids";
  /** The entries of the body; only their ids were checked so far. */
  readonly entries: readonly unknown[];
  readonly failFast: boolean;
}

const INDEXES_LISTED_MAX = 100;

/**
 * Validates the body of a batch, before any of its records is judged (contract 4.1 rule 6, 8; definitions 7, "Batch"). Refuses
 * with `VALIDATION_ERROR`, `BATCH_SIZE_EXCEEDED` and `BATCH_MISSING_IDS`.
 */
export function requireBatch(
  { operation, table }: { readonly operation: Operation; readonly table: TableModel },
  body: JsonObject,
): BatchRequest {
  const { batch } = operation;
  if (batch === null) throw new Error(`${operation.id} is no batch`);
  const verb = VERBS[operation.kind];
  const member = verb === "delete" ? "ids" : "records";
  refuseUnknown(body, [member, "options"], []);
  const failFast = requireFailFast(body, batch);
  const entries = requireEntries(body, { member, max: batch.maxBatchSize });
  if (verb !== "create") {
    const ids = entries.map((entry) =>
      verb === "delete"
        ? entry
        : isJsonObject(entry) && Object.hasOwn(entry, table.primaryKey)
        ? entry[table.primaryKey]
        : undefined
    );
    const missing = ids.flatMap((id, index) => id === undefined || id === null ? [index] : []);
    const [first] = missing;
    if (first !== undefined) {
      refuse("BATCH_MISSING_IDS", {
        detail: `Record ${first} has no id`,
        details: { indexes: missing.slice(0, INDEXES_LISTED_MAX) },
        pointer: pointerTo(member, first, ...verb === "delete" ? [] : [table.primaryKey]),
      });
    }
    requireIdType(ids, { member, idStrategy: table.idStrategy });
  }
  return { member, entries, failFast };
}

export function refuseUnknown(
  object: JsonObject,
  known: readonly string[],
  below: readonly string[],
): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) refuseMember([...below, unknown.slice(0, 100)], "Unknown field");
}

export function requireFailFast(
  body: JsonObject,
  { allowFailFast }: Pick<BatchModel, "allowFailFast">,
): boolean {
  if (!Object.hasOwn(body, "options")) return false;
  const options = body["options"];
  if (!isJsonObject(options)) return refuseMember(["options"], "Must be an object");
  refuseUnknown(options, ["failFast"], ["options"]);
  const failFast = Object.hasOwn(options, "failFast") ? options["failFast"] : false;
  if (typeof failFast !== "boolean") {
    return refuseMember(["options", "failFast"], "Must be true or false");
  }
  if (failFast && !allowFailFast) {
    return refuseMember(["options", "failFast"], "Is not allowed for this batch");
  }
  return failFast;
}

export function requireEntries(
  body: JsonObject,
  { member, max }: { readonly member: "records" | "ids"; readonly max: number },
): readonly unknown[] {
  const entries = Object.hasOwn(body, member) ? body[member] : undefined;
  if (entries === undefined && member === "ids") {
    return refuse("BATCH_MISSING_IDS", { pointer: "/ids" });
  }
  if (entries === undefined) return refuseMember([member], "Required");
  if (!Array.isArray(entries)) return refuseMember([member], "Must be an array");
  if (entries.length === 0) {
    if (member === "ids") return refuse("BATCH_MISSING_IDS", { pointer: "/ids" });
    return refuseMember([member], "Must not be empty");
  }
  if (entries.length > max) {
    return refuse("BATCH_SIZE_EXCEEDED", {
      detail: `${entries.length} records are more than the ${max} of one batch`,
      details: { max, actual: entries.length },
      pointer: pointerTo(member),
    });
  }
  return entries;
}

/** Refuses ids of another type than the table's, before any record is judged. */
export function requireIdType(
  ids: readonly unknown[],
  { member, idStrategy }: {
    readonly member: "records" | "ids";
    readonly idStrategy: IdStrategy;
  },
): asserts ids is readonly (string | number)[] {
  const isSerial = idStrategy === "serial";
  const wrong = ids.findIndex((id) =>
    isSerial ? !Number.isSafeInteger(id) : typeof id !== "string" || isOtherSpelling(id, idStrategy)
  );
  if (wrong === -1) return;
  const wanted = { uuid: "a UUID in lower case", serial: "a whole number" };
  const needs = idStrategy === "uuid" || idStrategy === "serial" ? wanted[idStrategy] : "a text";
  refuseMember([member, wrong], `Needs ${needs} as its id`);
}
