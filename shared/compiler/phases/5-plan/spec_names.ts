/** Names of generated files and constants: readable, unique, and never a word that TypeScript or a file keeps for itself. */
import { camelCase, kebabCase } from "../../../surface/names.ts";

interface SpecNames {
  readonly fileName: string;
  readonly identifier: string;
}

/** `mod.ts` is the index of its folder. */
const RESERVED_FILES = ["mod"];

/** Reserved words, and what generated modules import. */
const RESERVED_IDENTIFIERS =
  ("abstract any arguments as async await boolean break case catch class column const continue debugger declare " +
    "default delete do else enum eval export extends false finally for from function if implements import in index " +
    "infer instanceof integer interface is let many namespace never new null number object of one package private " +
    "project protected public real relations return schema sql sqliteTable static string super switch symbol table this throw true " +
    "try type typeof undefined unique uniqueIndex unknown using var void while with yield globalThis text NaN " +
    "Infinity assembleProject settings TableSpec ProjectSettings predicate allOf anyOf hasRole hasUserRole recordMatches")
    .split(" ");

/** One pair per table name, in the given order; a taken name gets a number. */
export function specNames(tables: readonly string[]): ReadonlyMap<string, SpecNames> {
  const files = new Set(RESERVED_FILES);
  const identifiers = new Set(RESERVED_IDENTIFIERS);
  return new Map(tables.map((name) => [name, {
    fileName: take(kebabCase(name) || "table", { taken: files, separator: "-" }),
    identifier: take(identifierOf(name), { taken: identifiers, separator: "" }),
  }]));
}

function take(
  wanted: string,
  { taken, separator }: { readonly taken: Set<string>; readonly separator: string },
): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}${separator}${number}`;
  taken.add(name);
  return name;
}

function identifierOf(name: string): string {
  const camel = camelCase(name).replace(/[^A-Za-z0-9_$]/g, "");
  return /^[A-Za-z_$]/.test(camel) ? camel : `table${camel}`;
}
