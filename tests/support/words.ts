/** The words of the definition language: those that the reader knows, taken from its own code, and those that a project uses. */
import { MASK_TYPES } from "../../shared/contract/masks.ts";
import { CONDITION_OPERATORS } from "../../shared/contract/operators.ts";
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

const READER = new URL("../../shared/compiler/phases/4-analyze/", import.meta.url);

/** Every key that some object of a definition may have, as `readFields` is told: the lists after `keys`, and what they name. */
async function knownKeys(folder = READER): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) {
      for (const key of await knownKeys(new URL(`${entry.name}/`, folder))) keys.add(key);
      continue;
    }
    const text = await Deno.readTextFile(new URL(entry.name, folder));
    for (const key of keysIn(text)) keys.add(key);
  }
  return keys;
}

/** The lists may stand as a choice between two. */
const KEYS_TOLD = /\bkeys(?:: | = )([^;{}]*?(?:\]|[A-Z_]{3,})(?: : \[[^\]]*\])?)(?=[\s,;})])/g;

function keysIn(text: string): readonly string[] {
  const lists = new Map(
    [...text.matchAll(/const ([A-Z_]+) = \[([^\]]*)\]/g)].map(([, name = "", list = ""]) => [
      name,
      list,
    ]),
  );
  return [...text.matchAll(KEYS_TOLD)]
    .flatMap(([, list = ""]) => [
      list,
      ...[...list.matchAll(/[A-Z_]{3,}/g)].map(([name]) => lists.get(name) ?? ""),
    ])
    .flatMap((list) => [...list.matchAll(/(?<!=== )"(\w+)"/g)].map(([, word = ""]) => word));
}

/** Keys, builders, modifiers, masks and operators. */
export async function knownWords(): Promise<readonly string[]> {
  return [
    ...new Set([
      ...await knownKeys(),
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
