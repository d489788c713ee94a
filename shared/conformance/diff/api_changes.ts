/** What of the description a client could trip over, and what is new (contract 9.3). Both sides are OpenAPI documents of ours. */
import type { JsonValue } from "../../model/column.ts";
import type { Change } from "./change.ts";

type Json = { readonly [member: string]: JsonValue };

export function apiChanges(before: Json, after: Json): readonly Change[] {
  return [
    ...operationChanges(operationsOf(before), operationsOf(after)),
    ...schemaChanges(schemasOf(before), schemasOf(after)),
  ];
}

type Operations = ReadonlyMap<string, Json>;

function operationsOf({ paths }: Json): Operations {
  return new Map(
    entriesOf(paths).flatMap(([path, item]) =>
      entriesOf(item).flatMap(([method, operation]) =>
        isObject(operation) ? [[`${method.toUpperCase()} ${path}`, operation] as const] : []
      )
    ),
  );
}

function schemasOf({ components }: Json): ReadonlyMap<string, Json> {
  const { schemas } = isObject(components) ? components : {};
  return new Map(
    entriesOf(schemas).flatMap(([name, schema]) => isObject(schema) ? [[name, schema]] : []),
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

function operationChange(subject: string, old: Json, now: Json): readonly Change[] {
  const [before, after] = [parametersOf(old), parametersOf(now)];
  return [
    ...(old.operationId === now.operationId
      ? []
      : [change("breaking", subject, `operationId ${old.operationId} → ${now.operationId}`)]),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) =>
      change("breaking", subject, `the parameter ${name} is gone`)
    ),
    ...[...after].filter(([name, { required }]) => required === true && !before.has(name)).map(
      ([name]) => change("breaking", subject, `the parameter ${name} is needed now`),
    ),
    ...statusChanges(subject, old, now),
  ];
}

function parametersOf({ parameters }: Json): ReadonlyMap<string, Json> {
  return new Map(
    (Array.isArray(parameters) ? parameters : []).filter(isObject)
      .map((one) => [String(one.name ?? one.$ref), one]),
  );
}

function statusChanges(subject: string, old: Json, now: Json): readonly Change[] {
  const successes = (operation: Json) =>
    entriesOf(operation.responses).map(([status]) => status).filter((one) => one.startsWith("2"));
  const kept = successes(now);
  return successes(old).filter((status) => !kept.includes(status))
    .map((status) => change("breaking", subject, `no longer answers ${status}`));
}

/** What callers send must not get narrower, what they receive must not get wider. */
function schemaChanges(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): readonly Change[] {
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (now === undefined) return [];
    return /(?:Create|Update|Upsert)$/.test(name)
      ? memberChanges(name, { old, now, isSent: true })
      : memberChanges(name, { old, now, isSent: false });
  });
}

interface Versions {
  readonly old: Json;
  readonly now: Json;
  readonly isSent: boolean;
}

function memberChanges(schema: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [new Map(entriesOf(old.properties)), new Map(entriesOf(now.properties))];
  const [neededBefore, neededNow] = [listOf(old.required), listOf(now.required)];
  const subject = (name: string) => `${schema}.${name}`;
  return [
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) =>
      change("breaking", subject(name), isSent ? "is no longer taken" : "is no longer answered")
    ),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) =>
      isSent && neededNow.includes(name)
        ? change("breaking", subject(name), "is new and needed")
        : change("addition", subject(name), "is new")
    ),
    ...(isSent
      ? neededNow.filter((name) => before.has(name) && !neededBefore.includes(name))
        .map((name) => change("breaking", subject(name), "is needed now"))
      : []),
    ...[...before].flatMap(([name, type]) => {
      const other = after.get(name);
      return isObject(type) && isObject(other)
        ? typeChanges(subject(name), { old: type, now: other, isSent })
        : [];
    }),
  ];
}

function typeChanges(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [types, nowTypes] = [listOf(old.type), listOf(now.type)];
  const [from, to] = isSent ? [types, nowTypes] : [nowTypes, types];
  const lost = from.filter((type) =>
    !to.includes(type) && !(type === "integer" && to.includes("number"))
  );
  const values = enumChange(subject, { old, now, isSent });
  return [
    ...(lost.length > 0
      ? [change("breaking", subject, `${types.join(" or ")} → ${nowTypes.join(" or ")}`)]
      : []),
    ...values,
    ...lengthChange(subject, { old, now, isSent }),
  ];
}

function enumChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [listOf(old.enum), listOf(now.enum)];
  if (before.length === 0 && after.length === 0) return [];
  if (before.length === 0) {
    return isSent ? [change("breaking", subject, `only ${after.join(", ")} is taken now`)] : [];
  }
  const gone = before.filter((value) => !after.includes(value));
  const added = after.length === 0 ? ["any text"] : after.filter((one) => !before.includes(one));
  return [
    ...(isSent && after.length > 0 && gone.length > 0
      ? [change("breaking", subject, `${gone.join(", ")} is no longer taken`)]
      : []),
    ...(!isSent && added.length > 0
      ? [change("breaking", subject, `may now be ${added.join(", ")}`)]
      : []),
  ];
}

function lengthChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [limitOf(old.maxLength), limitOf(now.maxLength)];
  const isNarrower = isSent ? after < before : after > before;
  return isNarrower && before !== after
    ? [change("breaking", subject, `at most ${before} characters → at most ${after}`)]
    : [];
}

function limitOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : Infinity;
}

function change(kind: Change["kind"], subject: string, text: string): Change {
  return { kind, subject, text, principals: [] };
}

function listOf(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
