/**
 * Compares API descriptions: changes that can break a client, and additions (contract 9.3). Both sides are OpenAPI documents
 * that quickback has generated.
 */
import type { JsonValue } from "../../shared/model/mod.ts";
import type { Change } from "./change.ts";

export function apiChanges(before: Json, after: Json): readonly Change[] {
  return [
    ...operationChanges(operationsOf(before), operationsOf(after)),
    ...schemaChanges(schemasOf(before), schemasOf(after)),
  ];
}

/** Operation, with the document that its references point into. */
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
  const kept = successesOf(now);
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
    ...successesOf(old).filter((status) => !kept.includes(status))
      .map((status) => change("breaking", subject, `no longer answers ${status}`)),
    ...bodyChanges(subject, old, now),
  ];
}

/** Returns the parameters by name. */
function parametersOf({ operation, document }: Operation): ReadonlyMap<string, Json> {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  return new Map(
    parameters.filter(isObject).flatMap((one): readonly (readonly [string, Json])[] => {
      const parameter = followed(one, document);
      const members = parameter.explode === true ? membersOf(parameter.schema, document) : [];
      return members.length > 0 ? members : [[String(parameter.name), parameter]];
    }),
  );
}

/** Returns the parameters that one object contains, as filters do. */
function membersOf(schema: JsonValue | undefined, document: Json): readonly [string, Json][] {
  if (!isObject(schema)) return [];
  const { properties, allOf } = followed(schema, document);
  const parts = Array.isArray(allOf) ? allOf.flatMap((part) => membersOf(part, document)) : [];
  const own = entriesOf(properties).flatMap(([name, member]): [string, Json][] =>
    isObject(member) ? [[name, member]] : []
  );
  return [...parts, ...own];
}

function followed(value: Json, document: Json): Json {
  if (typeof value.$ref !== "string") return value;
  const target = valueAt(document, ...value.$ref.replace(/^#\//, "").split("/"));
  return isObject(target) ? target : value;
}

function successesOf({ operation }: Operation): readonly string[] {
  return entriesOf(operation.responses).map(([status]) => status)
    .filter((status) => status.startsWith("2"));
}

/**
 * Compares bodies that are not described by components, which are those of actions. All others are reported once, with their
 * component.
 */
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

/**
 * Compares schemas for changes that can break a client (contract 9.3): requests must not get narrower, responses must not get
 * wider. Components are matched by name. A batch accepts what the single operations accept, and is reported there; permissions
 * of keys name routes, which are reported themselves.
 */
function schemaChanges(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): readonly Change[] {
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (now === undefined || name.endsWith("Batch") || name.startsWith("KeyVerbs")) return [];
    return typeChanges(name, { old, now, isSent: /(?:Create|Update|Upsert)$/.test(name) });
  });
}

interface Versions {
  readonly old: Json;
  readonly now: Json;
  readonly isSent: boolean;
}

/** Compares one value and everything inside it. */
function typeChanges(subject: string, versions: Versions): readonly Change[] {
  const { old, now, isSent } = versions;
  const [items, itemsNow] = [old.items, now.items];
  return [
    ...kindChange(subject, versions),
    ...enumChange(subject, versions),
    ...LIMITS.flatMap((limit) => {
      const { keyword, isUpper } = limit;
      const [before, after] = [versions.old[keyword], versions.now[keyword]];
      const open = isUpper ? Infinity : -Infinity;
      const growth = Number(after ?? open) - Number(before ?? open);
      const isWider = isUpper ? growth > 0 : growth < 0;
      const isNarrower = isUpper ? growth < 0 : growth > 0;
      return (versions.isSent ? isNarrower : isWider)
        ? [breaking(subject, `${keyword} ${before ?? "none"} → ${after ?? "none"}`)]
        : [];
    }),
    ...shapeChange(subject, versions),
    ...memberChanges(subject, versions),
    ...(isObject(items) && isObject(itemsNow)
      ? typeChanges(`${subject}[]`, { old: items, now: itemsNow, isSent })
      : []),
  ];
}

function kindChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [types, nowTypes] = [listOf(old.type), listOf(now.type)];
  const [from, to] = isSent ? [types, nowTypes] : [nowTypes, types];
  const lost = from.filter((type) =>
    !to.includes(type) && !(type === "integer" && to.includes("number"))
  );
  return lost.length > 0 && to.length > 0
    ? [breaking(subject, `${types.join(" or ")} → ${nowTypes.join(" or ")}`)]
    : [];
}

function enumChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [listOf(old.enum), listOf(now.enum)];
  if (before.length === 0 && after.length === 0) return [];
  if (before.length === 0) {
    return isSent ? [breaking(subject, `only ${after.join(", ")} is taken now`)] : [];
  }
  const gone = before.filter((value) => !after.includes(value));
  const added = after.length === 0 ? ["any text"] : after.filter((one) => !before.includes(one));
  if (isSent) {
    return after.length > 0 && gone.length > 0
      ? [breaking(subject, `${gone.join(", ")} is no longer taken`)]
      : [];
  }
  return added.length > 0
    // A client that does not know a problem's code uses its status: a new rule does not break it.
    ? [
      change(
        subject === "Problem.code" || subject === "BatchError.code" ? "addition" : "breaking",
        subject,
        `may now be ${added.join(", ")}`,
      ),
    ]
    : [];
}

const LIMITS = [
  { keyword: "maxLength", isUpper: true },
  { keyword: "minLength", isUpper: false },
  { keyword: "maximum", isUpper: true },
  { keyword: "minimum", isUpper: false },
  { keyword: "maxItems", isUpper: true },
  { keyword: "minItems", isUpper: false },
] as const;

/** Reports that a value must have another form, or that members which the server ignored are now refused. */
function shapeChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  if (!isSent) return [];
  const changed = ["format", "pattern"].filter((keyword) =>
    now[keyword] !== undefined && now[keyword] !== old[keyword]
  );
  const isClosed = now.additionalProperties === false && old.additionalProperties !== false;
  return [
    ...changed.map((keyword) =>
      breaking(subject, `${keyword} ${old[keyword] ?? "none"} → ${now[keyword]}`)
    ),
    ...(isClosed ? [breaking(subject, "takes no unknown members any more")] : []),
  ];
}

function memberChanges(schema: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [new Map(entriesOf(old.properties)), new Map(entriesOf(now.properties))];
  const [neededBefore, neededNow] = [listOf(old.required), listOf(now.required)];
  const subject = (name: string) => `${schema}.${name}`;
  return [
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) =>
      breaking(subject(name), isSent ? "is no longer taken" : "is no longer answered")
    ),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) =>
      isSent && neededNow.includes(name)
        ? breaking(subject(name), "is new and needed")
        : change("addition", subject(name), "is new")
    ),
    ...[...before.keys()].filter((name) => after.has(name)).flatMap((name) => {
      const isNeeded = neededNow.includes(name);
      if (isNeeded === neededBefore.includes(name) || isNeeded !== isSent) return [];
      return [breaking(subject(name), isSent ? "is needed now" : "may be left out now")];
    }),
    ...[...before].flatMap(([name, type]) => {
      const other = after.get(name);
      return isObject(type) && isObject(other)
        ? typeChanges(subject(name), { old: type, now: other, isSent })
        : [];
    }),
  ];
}

function breaking(subject: string, text: string): Change {
  return change("breaking", subject, text);
}

type Json = { readonly [member: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the members of an object; none if the value is not an object. */
function entriesOf(
  value: JsonValue | undefined,
): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Returns the value at a path; undefined if a member on the path is missing. */
function valueAt(value: JsonValue, ...keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (inner, key) => isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    value,
  );
}

/** Reads a value as a list: one value is a list of one, and no value an empty list. */
function listOf(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
