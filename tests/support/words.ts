/** The words of the definition language: those of its shapes and of its readers, and those that a project uses. */
import * as ACTIONS from "../../shared/definition_language/action.ts";
import * as COLUMNS from "../../shared/definition_language/columns.ts";
import * as CONFIG from "../../shared/definition_language/config.ts";
import * as PROVIDERS from "../../shared/definition_language/providers.ts";
import * as RESOURCES from "../../shared/definition_language/resource.ts";
import * as RULES from "../../shared/definition_language/rules.ts";
import * as SERVICES from "../../shared/definition_language/services.ts";
import type { Kind } from "../../shared/definition_language/shape.ts";
import { MASK_TYPES } from "../../shared/contract/masks.ts";
import { CONDITION_OPERATORS } from "../../shared/contract/fields.ts";
import { Report } from "../../shared/compiler/diagnostics/report.ts";
import { read } from "../../shared/compiler/phases/1-read/read.ts";
import { parse } from "../../shared/compiler/phases/2-parse/parse.ts";
import { evaluate } from "../../shared/compiler/phases/3-evaluate/evaluate.ts";
import {
  DRIZZLE_BUILDERS,
  Q_BUILDERS,
} from "../../shared/compiler/phases/4-analyze/tables/builders.ts";
import {
  DRIZZLE_MODIFIERS,
  Q_MODIFIERS,
} from "../../shared/compiler/phases/4-analyze/tables/modifiers.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { atOnce } from "../../shared/lib/steps.ts";
import { isRecord } from "./api.ts";

const LANGUAGE = [ACTIONS, COLUMNS, CONFIG, PROVIDERS, RESOURCES, RULES, SERVICES];

/** Every key of an object of this kind, and of those within it. */
function keysOf(kind: Kind): readonly string[] {
  switch (kind.kind) {
    case "object":
      return Object.entries(kind.members).flatMap(([key, member]) => [key, ...keysOf(member)]);
    case "list":
      return keysOf(kind.item);
    case "map":
      return keysOf(kind.member);
    case "either":
      return kind.options.flatMap(keysOf);
    default:
      return [];
  }
}

/** Every key that some object of a definition may have. */
function knownKeys(): readonly string[] {
  const exported = LANGUAGE.flatMap((module) => Object.values(module));
  return exported.flatMap((value) => "kind" in value ? keysOf(value) : []);
}

/** Keys, builders, modifiers, masks and operators. */
export function knownWords(): readonly string[] {
  return [
    ...new Set([
      ...knownKeys(),
      ...Q_BUILDERS.keys(),
      ...DRIZZLE_BUILDERS.keys(),
      ...[...Q_MODIFIERS.keys(), ...DRIZZLE_MODIFIERS.keys()].map((name) => `.${name}`),
      ...CONDITION_OPERATORS,
      ...MASK_TYPES.map((name) => `mask ${name}`),
    ]),
  ].sort();
}

/** Keys of objects, callees and modifiers of calls, and the types of masks, wherever they stand in the definitions. */
export function wordsOf(files: RawFiles): ReadonlySet<string> {
  const report = new Report();
  const definitions = atOnce(evaluate(atOnce(parse(read(files, report), report)), report));
  const words = new Set<string>();
  collect(definitions, words);
  return words;
}

function collect(value: unknown, words: Set<string>): void {
  if (value instanceof Map) return [...value.values()].forEach((one) => collect(one, words));
  if (Array.isArray(value)) return value.forEach((one) => collect(one, words));
  if (!isRecord(value)) return;
  const { key, callee, name } = value;
  if (typeof key === "string") {
    words.add(key);
    const said = value["value"];
    if (key === "type" && isRecord(said)) words.add(`mask ${said["value"]}`);
  }
  if (typeof callee === "string") words.add(callee);
  if (typeof name === "string" && Array.isArray(value["args"])) words.add(`.${name}`);
  Object.values(value).forEach((one) => collect(one, words));
}
