/**
 * Reads `input` and `output` from Zod statically, or from the JSON Schema that came with the request (contract 4.8, definitions
 * 5).
 */
import { CONTRACT_VERSIONS } from "../../../../contract/mod.ts";
import type { SchemaModel } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { described } from "../read/reader.ts";
import type { ActionScope } from "./action_scope.ts";
import { construct } from "./schema/constructors.ts";
import { usableSchema } from "./schema/json_schema.ts";
import { applyMethod } from "./schema/methods.ts";
import type { Pattern } from "./schema/pattern_proofs.ts";
import { type Unreadable, unreadable, UnreadableSchema } from "./schema/reading.ts";

const OPEN: SchemaModel = { kind: "open" };

export function readInput(scope: ActionScope): SchemaModel {
  const { fields, analysis } = scope;
  const entry = fields.entries.get("input");
  if (!entry) {
    analysis.report.add("KEY_MISSING", fields.place, { key: "input", owner: fields.at.path });
    return OPEN;
  }
  vetPatterns(entry.value, scope);
  const reading = readSchema(entry.value);
  const given = givenSchema(scope);
  if (given === undefined) reportAbsent(scope, reading);
  if (reading.kind === "read") return reading.schema;
  return given ? { kind: "jsonSchema", schema: given } : OPEN;
}

/**
 * Reports a missing JSON Schema, which contract v2 requires. If a request cannot bring one, a schema that the compiler can read
 * replaces it.
 */
function reportAbsent(scope: ActionScope, reading: SchemaReading): void {
  const { analysis, found, readsSchemas, key } = scope;
  const isRead = reading.kind === "read";
  if (CONTRACT_VERSIONS[analysis.config.model.contract].requiresActionSchemas) {
    if (isRead && readsSchemas) return;
    return analysis.report.add("INPUT_SCHEMA_MISSING", found.place, { key });
  }
  if (isRead) return;
  const { construct, place } = reading.reason;
  analysis.report.add("SCHEMA_OPEN", place, { action: found.name, key: "input", construct });
}

export function readOutput(scope: ActionScope): SchemaModel | null {
  const entry = scope.fields.entries.get("output");
  if (!entry) return null;
  vetPatterns(entry.value, scope);
  const reading = readSchema(entry.value);
  if (reading.kind === "read") return reading.schema;
  const { construct, place } = reading.reason;
  const details = { action: scope.found.name, key: "output", construct };
  scope.analysis.report.add("SCHEMA_OPEN", place, details);
  return OPEN;
}

/** Returns the JSON Schema that came with the request; undefined if there is none, null if it is wrong, which is reported. */
function givenSchema({ inputSchemas, key, found, analysis, proofs }: ActionScope) {
  if (inputSchemas === null || !Object.hasOwn(inputSchemas, key)) return undefined;
  const usable = usableSchema(inputSchemas[key], proofs);
  if (usable.kind === "usable") return usable.schema;
  analysis.report.add("INPUT_SCHEMA_INVALID", found.place, { key, problem: usable.problem });
  return null;
}

/**
 * Returns the patterns of an action's schemas that `readInput` and `readOutput` need proofs for. `given` is the schema that
 * came with the request.
 */
export function patternsOf(definition: Value, given: unknown): readonly Pattern[] {
  const entries = definition.kind === "object" ? definition.entries : [];
  const written = entries.filter(({ key }) => key === "input" || key === "output");
  const asked: Pattern[] = written.flatMap(({ value }) => patternsIn(value));
  usableSchema(given, {
    faultOf: (pattern) => {
      asked.push(pattern);
      return null;
    },
  });
  return asked;
}

/** Checks every pattern, also those in unsupported constructs, because the author's own schema runs them. */
function vetPatterns(value: Value, scope: ActionScope): void {
  for (const part of patternsIn(value)) {
    const fault = scope.proofs.faultOf(part);
    if (fault === null) continue;
    const pattern = `/${part.source}/${part.flags}`;
    scope.analysis.report.add("PATTERN_UNSAFE", part.place, { pattern, fault });
  }
}

function patternsIn(value: Value): readonly (Value & { readonly kind: "regex" })[] {
  switch (value.kind) {
    case "regex":
      return [value];
    case "array":
      return value.items.flatMap(patternsIn);
    case "object":
      return value.entries.flatMap((entry) => patternsIn(entry.value));
    case "call":
      return [...value.args, ...value.chain.flatMap(({ args }) => args)].flatMap(patternsIn);
    default:
      return [];
  }
}

type SchemaReading =
  | { readonly kind: "read"; readonly schema: SchemaModel }
  | { readonly kind: "unreadable"; readonly reason: Unreadable };

function readSchema(value: Value): SchemaReading {
  try {
    return { kind: "read", schema: schemaOf(value) };
  } catch (error) {
    if (error instanceof UnreadableSchema) return { kind: "unreadable", reason: error.reading };
    throw error;
  }
}

function schemaOf(value: Value): SchemaModel {
  if (value.kind !== "call" || value.module !== "zod") {
    return unreadable(described(value), value.place);
  }
  const { callee, args, place, chain } = value;
  const start = construct({ name: callee, args, place }, schemaOf);
  return chain.reduce(applyMethod, start);
}
