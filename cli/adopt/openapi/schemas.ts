/** Resolves schemas: without references, without null, and with the parts of `allOf` merged. */
import { isJsonObject, type JsonObject } from "../../../shared/lib/json.ts";
import type { Documents, Placed } from "./documents.ts";

/** Maximum depth of nested references and parts; a deeper schema counts as empty. */
const DEPTH_MAX = 12;

/** Member without its null variant. */
export interface Member {
  readonly placed: Placed;
  readonly isNullable: boolean;
  /** Targets of its references in order, the final one last. */
  readonly targets: readonly string[];
}

export function memberOf(placed: Placed, documents: Documents, depth = 0): Member {
  const { schema, path } = placed;
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const target = documents.target(ref, path);
    const found = depth < DEPTH_MAX ? documents.at(target) : null;
    if (!found) return { placed: { path, schema: {} }, isNullable: false, targets: [target] };
    const inner = memberOf(found, documents, depth + 1);
    return { ...inner, targets: [target, ...inner.targets] };
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const parts = objectsIn(schema[key]);
    const real = parts.filter((part) => !isNull(part));
    const [only, ...others] = real;
    // `allOf: [$ref]` beside its own members counts as that reference.
    const isAlone = only !== undefined && others.length === 0 && schema["properties"] === undefined;
    if (!isAlone || depth >= DEPTH_MAX) continue;
    const inner = memberOf({ path, schema: only }, documents, depth + 1);
    return {
      ...inner,
      isNullable: inner.isNullable || real.length < parts.length || hasNull(schema),
    };
  }
  return { placed, isNullable: hasNull(schema), targets: [] };
}

function isNull(schema: JsonObject): boolean {
  return schema["type"] === "null" ||
    (Array.isArray(schema["enum"]) && schema["enum"].every((one) => one === null));
}

function hasNull({ type, nullable, enum: values }: JsonObject): boolean {
  return nullable === true || (Array.isArray(type) && type.includes("null")) ||
    (Array.isArray(values) && values.includes(null));
}

/** Returns all parts of a schema: those of `allOf` at any depth, then its own. */
function partsOf(placed: Placed, documents: Documents, depth = 0): readonly Placed[] {
  if (depth > DEPTH_MAX) return [];
  const { schema, path } = placed;
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const found = documents.at(documents.target(ref, path));
    return found ? partsOf(found, documents, depth + 1) : [];
  }
  const all = objectsIn(schema["allOf"]).flatMap((part) =>
    partsOf({ path, schema: part }, documents, depth + 1)
  );
  return [...all, placed];
}

export interface Properties {
  readonly members: ReadonlyMap<string, Placed>;
  readonly required: ReadonlySet<string>;
}

export function propertiesOf(placed: Placed, documents: Documents): Properties {
  const members = new Map<string, Placed>();
  const required = new Set<string>();
  for (const { schema, path } of partsOf(placed, documents)) {
    const own = schema["properties"];
    for (const [name, member] of isJsonObject(own) ? Object.entries(own) : []) {
      if (isJsonObject(member)) members.set(name, { path, schema: member });
      else members.set(name, { path, schema: {} });
    }
    const names = schema["required"];
    for (const name of Array.isArray(names) ? names : []) required.add(String(name));
  }
  return { members, required };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
