/** Checks that a JSON Schema that came with a request can be used: shape, size and depth, patterns (contract 4.8). */
import { isJsonObject } from "../../../../../lib/json.ts";
import type { JsonValue } from "../../../../../model/mod.ts";
import { isFormatPattern } from "./format_patterns.ts";
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, withoutLocalRefs } from "./local_refs.ts";
import { PatternProofs } from "./pattern_proofs.ts";

type UsableSchema =
  | { readonly kind: "usable"; readonly schema: { readonly [key: string]: JsonValue } }
  /** The reason, worded as the end of a sentence. */
  | { readonly kind: "unusable"; readonly problem: string };

const SIZE_MAX = 65_536;
const DEPTH_MAX = 32;
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Keywords whose value contains no schema. A keyword in no list is an annotation and may have any value. */
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const TEXTS = ["title", "description", "format", "$schema", "$id", "$ref", "pattern", "$comment"];

type Proofs = Pick<PatternProofs, "faultOf">;

interface Level {
  readonly depth: number;
  readonly proofs: Proofs;
}

export function usableSchema(
  value: unknown,
  proofs: Proofs = new PatternProofs(),
): UsableSchema {
  if (!isJsonObject(value)) return unusable("is no object");
  const problem = faultOf(value, { depth: 0, proofs });
  if (problem !== null) return unusable(problem);
  if (JSON.stringify(value).length > SIZE_MAX) return unusable(`is larger than ${SIZE_MAX} bytes`);
  const written = withoutLocalRefs(JSON.parse(JSON.stringify(value)));
  if (written.kind === "missing") {
    return unusable(
      `refers to ${JSON.stringify(written.ref.slice(0, 80))}, which it does not have`,
    );
  }
  if (written.kind === "tooLarge" || JSON.stringify(written.schema).length > SIZE_MAX) {
    return unusable(`is larger than ${SIZE_MAX} bytes with its references written out`);
  }
  return { kind: "usable", schema: written.schema };
}

function unusable(problem: string): UsableSchema {
  return { kind: "unusable", problem };
}

function faultOf(value: unknown, { depth, proofs }: Level): string | null {
  if (typeof value === "boolean") return null;
  if (!isJsonObject(value)) return "holds a schema that is neither an object nor a boolean";
  if (depth > DEPTH_MAX) return `nests deeper than ${DEPTH_MAX} levels`;
  for (const [keyword, operand] of Object.entries(value)) {
    const fault = keywordFault(keyword, operand, { depth: depth + 1, proofs });
    if (fault !== null) return fault;
  }
  return null;
}

function keywordFault(keyword: string, operand: unknown, level: Level): string | null {
  if (SCHEMAS.includes(keyword)) return faultOf(operand, level);
  if (SCHEMA_LISTS.includes(keyword)) {
    return Array.isArray(operand) && operand.length > 0
      ? firstFault(operand.map((schema: unknown) => () => faultOf(schema, level)))
      : `has no list of schemas in ${keyword}`;
  }
  if (SCHEMA_MAPS.includes(keyword)) {
    if (!isJsonObject(operand)) return `has no object in ${keyword}`;
    return firstFault(
      Object.entries(operand).map(([name, schema]) => () =>
        (keyword === "patternProperties" ? patternProblem(name, level) : null) ??
          faultOf(schema, level)
      ),
    );
  }
  return plainFault(keyword, operand, level) ?? annotationFault(operand, level.depth);
}

function plainFault(keyword: string, operand: unknown, level: Level): string | null {
  const wrong = `has a wrong ${keyword}`;
  if (keyword === "type") {
    const types: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    return types.length > 0 && types.every((type) => TYPES.some((one) => one === type))
      ? null
      : wrong;
  }
  if (keyword === "required") {
    return Array.isArray(operand) && operand.every((item) => typeof item === "string")
      ? null
      : wrong;
  }
  if (keyword === "enum") return Array.isArray(operand) && operand.length > 0 ? null : wrong;
  if (COUNTS.includes(keyword)) {
    return Number.isSafeInteger(operand) && Number(operand) >= 0 ? null : wrong;
  }
  if (NUMBERS.includes(keyword)) return Number.isFinite(operand) ? null : wrong;
  if (TEXTS.includes(keyword)) {
    if (typeof operand !== "string") return `has a wrong ${keyword}`;
    if (keyword === "$ref" && !operand.startsWith("#")) return "refers to another document";
    return keyword === "pattern" ? patternProblem(operand, level) : null;
  }
  return null;
}

function patternProblem(pattern: string, { proofs }: Level): string | null {
  const fault = isFormatPattern(pattern) ? null : proofs.faultOf({ source: pattern, flags: "u" });
  return fault === null
    ? null
    : `has the pattern ${JSON.stringify(pattern.slice(0, 80))}: ${fault}`;
}

/** Returns the fault of an annotation's value, which may be any value of limited depth. */
function annotationFault(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (depth > DEPTH_MAX) return `nests deeper than ${DEPTH_MAX} levels`;
  return firstFault(Object.values(value).map((member) => () => annotationFault(member, depth + 1)));
}

function firstFault(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const fault = check();
    if (fault !== null) return fault;
  }
  return null;
}
