/**
 * Reads the body of a changeset: its operations in order, with their records and data (definitions 7 "changeset"). Refuses with
 * `VALIDATION_ERROR` and `BATCH_SIZE_EXCEEDED`, naming the operation in `details.failedAt`.
 */
import { CHANGESET_OPERATIONS_MAX } from "../../../contract/mod.ts";
import { isJsonObject, type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { TableModel } from "../../../model/mod.ts";
import { CHANGESET_OPS, REFERENCE_PATTERN } from "../../../surface/mod.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import type { ChangesetRoute, ChangesetRoutes } from "./routes.ts";

export interface ChangesetOperation {
  readonly at: number;
  readonly route: ChangesetRoute;
  /** The record's id; null where the operation binds no record. */
  readonly id: string | Reference | null;
  /** The fields of the record, or the input of the action. */
  readonly data: readonly (readonly [field: string, value: unknown])[];
  /** The name by which later operations refer to its result; null: it has none. */
  readonly as: string | null;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Validates everything that can be known before the first operation runs. */
export function readChangeset(
  body: JsonObject,
  routes: ChangesetRoutes,
): readonly ChangesetOperation[] {
  const unknown = Object.keys(body).find((name) => name !== "operations");
  if (unknown !== undefined) refuseMember([unknown], "Unknown field");
  const { operations } = body;
  if (!Array.isArray(operations) || operations.length === 0) {
    return refuseMember(["operations"], "Must be a list of operations, and not empty");
  }
  if (operations.length > CHANGESET_OPERATIONS_MAX) {
    refuse("BATCH_SIZE_EXCEEDED", {
      detail: `A changeset takes ${CHANGESET_OPERATIONS_MAX} operations at most`,
      details: { limit: CHANGESET_OPERATIONS_MAX, count: operations.length },
    });
  }
  const named = new Set<string>();
  return operations.map((item: unknown, at) => {
    const operation = readOperation(item, { at, routes, named });
    if (operation.as !== null) named.add(operation.as);
    return operation;
  });
}

interface Surroundings {
  readonly at: number;
  readonly routes: ChangesetRoutes;
  /** Names that operations before this one have given. */
  readonly named: ReadonlySet<string>;
}

function readOperation(item: unknown, around: Surroundings): ChangesetOperation {
  const { at } = around;
  if (!isJsonObject(item)) return refuseAt(at, [], "Must be an object");
  const route = readRoute(item, around);
  const known = [
    "op",
    "resource",
    "as",
    ...(item["op"] === "action" ? ["action"] : []),
    ...(route.bound ? ["id"] : []),
    ...(route.data === "none" ? [] : ["data"]),
  ];
  const unknown = Object.keys(item).find((name) => !known.includes(name));
  if (unknown !== undefined) refuseAt(at, [unknown], "Unknown field of this operation");
  const isLeftOut = route.data !== "required" && item["data"] === undefined;
  return {
    at,
    route,
    id: route.bound ? readId(item["id"], route.bound, around) : null,
    data: isLeftOut ? [] : readData(item["data"], around),
    as: readName(item, around),
  };
}

function readRoute(item: JsonObject, { at, routes }: Surroundings): ChangesetRoute {
  const op = CHANGESET_OPS.find((name) => name === item["op"]);
  if (!op) return refuseAt(at, ["op"], `Must be one of ${CHANGESET_OPS.join(", ")}`);
  const { resource, action } = item;
  const own = typeof resource === "string" ? routes.get(resource) : undefined;
  if (!own) return refuseAt(at, ["resource"], "Must be the name of a resource");
  if (op !== "action") {
    return own.ops.get(op) ?? refuseAt(at, ["op"], `The resource has no "${op}"`);
  }
  const route = typeof action === "string" ? own.actions.get(action) : undefined;
  if (route === undefined) {
    return refuseAt(at, ["action"], "Must be the name of an action of the resource");
  }
  return typeof route === "string"
    ? refuseAt(at, ["action"], `The action "${action}" ${route}, which no changeset holds`)
    : route;
}

function readId(id: unknown, table: TableModel, around: Surroundings): string | Reference {
  if (typeof id === "string" && id !== "" && id.isWellFormed()) return id;
  if (table.idStrategy === "serial" && Number.isSafeInteger(id)) return String(id);
  return readReference(id, ["id"], around) ??
    refuseAt(around.at, ["id"], "Must be the id of a record");
}

function readData(data: unknown, around: Surroundings): ChangesetOperation["data"] {
  if (!isJsonObject(data)) return refuseAt(around.at, ["data"], "Must be an object");
  return Object.entries(data).map(([field, value]) =>
    [field, readReference(value, ["data", field], around) ?? value] as const
  );
}

/** Reads a reference; null for a value that is not one. It may name only results of operations before this one. */
function readReference(
  value: unknown,
  path: readonly string[],
  { at, named }: Surroundings,
): Reference | null {
  const found = referenceIn(value);
  if (found === null) return null;
  if (found === "malformed") return refuseAt(at, path, 'Must be { "$ref": "<as>.<member>" }');
  if (!named.has(found.name)) {
    return refuseAt(at, path, `No operation before this one is called "${found.name}"`);
  }
  return found;
}

function readName(item: JsonObject, { at, named }: Surroundings): string | null {
  const { as } = item;
  if (as === undefined) return null;
  if (typeof as !== "string" || !NAME.test(as)) {
    return refuseAt(at, ["as"], "Must be a name of letters, digits, _ and -");
  }
  return named.has(as) ? refuseAt(at, ["as"], "Must be a name of its own") : as;
}

/** Refuses one operation of the changeset. */
export function refuseAt(at: number, path: readonly string[], message: string): never {
  const pointer = pointerTo("operations", at, ...path);
  return refuse("VALIDATION_ERROR", {
    details: { fields: { [path.at(-1) ?? "operations"]: message }, failedAt: at },
    pointer,
  });
}

const KEY = "$ref";
const TARGET = new RegExp(REFERENCE_PATTERN);

/**
 * A reference `{ "$ref": "<as>.<member>" }`: a value that an earlier operation of the changeset answered (definitions 7).
 * References come from bodies alone, where no other value is an instance of this class.
 */
export class Reference {
  constructor(
    /** The `as` of an earlier operation. */
    readonly name: string,
    /** The member of that operation's answer. */
    readonly member: string,
  ) {}
}

/** Reads the reference in a value; null for any other value. An object with more members than `$ref` is an ordinary value. */
function referenceIn(value: unknown): Reference | "malformed" | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [only] = members;
  if (members.length !== 1 || !only || only[0] !== KEY) return null;
  const [, target] = only;
  const match = typeof target === "string" ? TARGET.exec(target) : null;
  return match?.[1] && match[2] ? new Reference(match[1], match[2]) : "malformed";
}

/** Answers of the operations so far, as their caller saw them, by name. */
export type Results = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Returns the value of a reference; undefined: the result has no such member for this caller. */
export function resolved({ name, member }: Reference, results: Results): unknown {
  const result = results.get(name);
  return result && Object.hasOwn(result, member) ? result[member] : undefined;
}
