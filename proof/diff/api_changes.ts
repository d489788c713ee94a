/**
 * Changes of the description that can break a client, and additions (contract 9.3). Both sides are OpenAPI documents of
 * ours.
 */
import type { Change } from "./change.ts";
import { entriesOf, isObject, type Json, valueAt } from "./json_tree.ts";
import { schemaChanges, typeChanges } from "./schema_changes.ts";

export function apiChanges(before: Json, after: Json): readonly Change[] {
  return [
    ...operationChanges(operationsOf(before), operationsOf(after)),
    ...schemaChanges(schemasOf(before), schemasOf(after)),
  ];
}

/** One operation, and the document that its references lead into. */
interface Operation {
  readonly operation: Json;
  readonly document: Json;
}

type Operations = ReadonlyMap<string, Operation>;

function operationsOf(document: Json): Operations {
  return new Map(
    entriesOf(document.paths).flatMap(([path, item]) =>
      entriesOf(item).flatMap(([method, operation]) =>
        isObject(operation)
          ? [[`${method.toUpperCase()} ${path}`, { operation, document }] as const]
          : []
      )
    ),
  );
}

function schemasOf(document: Json): ReadonlyMap<string, Json> {
  return new Map(
    entriesOf(valueAt(document, "components", "schemas"))
      .flatMap(([name, schema]) => isObject(schema) ? [[name, schema]] : []),
  );
}

function operationChanges(before: Operations, after: Operations): readonly Change[] {
  const gone = [...before.keys()].filter((key) => !after.has(key));
  const added = [...after.keys()].filter((key) => !before.has(key));
  return [
    ...gone.map((subject) => change("breaking", subject, "the route is gone")),
    ...added.map((subject) => change("addition", subject, "a new route")),
    ...[...before].flatMap(([subject, old]) => {
      const now = after.get(subject);
      return now ? operationChange(subject, old, now) : [];
    }),
  ];
}

function operationChange(subject: string, old: Operation, now: Operation): readonly Change[] {
  const [before, after] = [parametersOf(old), parametersOf(now)];
  const [id, idNow] = [old.operation.operationId, now.operation.operationId];
  return [
    ...(id === idNow ? [] : [change("breaking", subject, `operationId ${id} → ${idNow}`)]),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) =>
      change("breaking", subject, `the parameter ${name} is gone`)
    ),
    ...[...after].flatMap(([name, { required }]) =>
      required === true && before.get(name)?.required !== true
        ? [change("breaking", subject, `the parameter ${name} is needed now`)]
        : []
    ),
    ...statusChanges(subject, old, now),
    ...bodyChanges(subject, old, now),
  ];
}

/** By their names. */
function parametersOf({ operation, document }: Operation): ReadonlyMap<string, Json> {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  return new Map(
    parameters.filter(isObject).map((one) => {
      const parameter = followed(one, document);
      return [String(parameter.name), parameter];
    }),
  );
}

function followed(value: Json, document: Json): Json {
  if (typeof value.$ref !== "string") return value;
  const target = valueAt(document, ...value.$ref.replace(/^#\//, "").split("/"));
  return isObject(target) ? target : value;
}

function statusChanges(subject: string, old: Operation, now: Operation): readonly Change[] {
  const kept = successesOf(now);
  return successesOf(old).filter((status) => !kept.includes(status))
    .map((status) => change("breaking", subject, `no longer answers ${status}`));
}

function successesOf({ operation }: Operation): readonly string[] {
  return entriesOf(operation.responses).map(([status]) => status)
    .filter((status) => status.startsWith("2"));
}

/** Changes of bodies that no component describes, those of actions. All others are reported once, with their component. */
function bodyChanges(
  subject: string,
  { operation: old }: Operation,
  { operation: now }: Operation,
): readonly Change[] {
  const places = [
    { name: "body", at: ["requestBody"], isSent: true },
    ...entriesOf(old.responses).filter(([status]) => status.startsWith("2"))
      .map(([status]) => ({ name: `${status} answer`, at: ["responses", status], isSent: false })),
  ];
  return [
    ...(isNeeded(now) && !isNeeded(old)
      ? [change("breaking", subject, "a body is needed now")]
      : []),
    ...places.flatMap(({ name, at, isSent }) => {
      const [before, after] = [bodySchema(old, at), bodySchema(now, at)];
      return before && after
        ? typeChanges(`${subject} ${name}`, { old: before, now: after, isSent })
        : [];
    }),
  ];
}

function isNeeded(operation: Json): boolean {
  return valueAt(operation, "requestBody", "required") === true;
}

function bodySchema(operation: Json, at: readonly string[]): Json | null {
  const schema = valueAt(operation, ...at, "content", "application/json", "schema");
  return isObject(schema) ? schema : null;
}

function change(kind: Change["kind"], subject: string, text: string): Change {
  return { kind, subject, text, principals: [] };
}
