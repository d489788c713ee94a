/**
 * Collects declarations of everything that definitions may import, as one file for an editor without a disk
 * (docs/decisions/commands.md).
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { EditorLibrary } from "../../playground/mod.ts";
import {
  AUTHOR_PACKAGES,
  AUTHORING,
  AUTHORING_NAMES,
  packageFolder,
  packageModule,
} from "./package_modules.ts";
import { TSCONFIG_OPTIONS } from "./type_settings.ts";

/** Modules that definitions and their declarations import. */
const ENTRIES = ["quickback", ...AUTHOR_PACKAGES, "drizzle-orm/sqlite-core"];

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Folder of this package's own modules in the library. */
const OWN = "/library";

/** Reads the library from disk. That takes a second or more, so it should run in its own thread. */
export function editorLibrary(): EditorLibrary {
  const options = ts.convertCompilerOptionsFromJson(TSCONFIG_OPTIONS, ROOT).options;
  const host = ts.createCompilerHost(options);
  const entry = join(ROOT, "entry.ts");
  host.getSourceFile = (path) => {
    const text = path === entry
      ? ENTRIES.map((name) => `import ${JSON.stringify(name)};`).join("\n")
      : host.readFile(path);
    if (text === undefined) return undefined;
    const parsing = {
      languageVersion: options.target ?? ts.ScriptTarget.ESNext,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    };
    return ts.createSourceFile(path, text, parsing);
  };
  // This package's own modules come before those of the same name in a surrounding installation.
  host.resolveModuleNameLiterals = (names, importer, _redirected, given) =>
    names.map(({ text }) =>
      packageModule(text, given, host) ?? ts.resolveModuleName(text, importer, given, host)
    );
  const program = ts.createProgram({ rootNames: [entry], options, host });
  const found = program.getSourceFiles().filter(({ fileName }) => fileName !== entry)
    .map(({ fileName, text }) =>
      [placeOf(fileName), withVariances(placeOf(fileName), text)] as const
    );
  return {
    options: {
      ...TSCONFIG_OPTIONS,
      paths: Object.fromEntries(AUTHORING_NAMES.map((name) => [name, [placeOf(AUTHORING)]])),
    },
    files: Object.fromEntries([
      ...found,
      ...AUTHOR_PACKAGES.map((name) => {
        const manifest = join(packageFolder(name), "package.json");
        return [placeOf(manifest), Deno.readTextFileSync(manifest)] as const;
      }),
    ]),
  };
}

const ZOD_SCHEMAS = "/node_modules/zod/v4/classic/schemas.d.cts";

/**
 * Adds the variance of each kind of schema: a schema is covariant in its parts. Otherwise the checker would compute it by
 * comparing whole schemas after each key, which takes two thirds of the time of a completion in a handler.
 */
function withVariances(place: string, text: string): string {
  if (place !== ZOD_SCHEMAS) return text;
  let count = 0;
  const said = text.replace(
    /^(export interface Zod\w+<)(.+?)(> extends )/gm,
    (_whole, begin: string, parameters: string, end: string) => {
      count += 1;
      return begin + parameters.replace(/(^|, )(?=[A-Z]\w*(?: extends| =) )/g, "$1out ") + end;
    },
  );
  if (count === 0) throw new Error(`"${place}" declares no schemas in the form that zod has them`);
  return said;
}

const LIBRARY = dirname(ts.getDefaultLibFilePath({}));

/** Returns the path in the editor's own tree, which is the same on every machine. */
function placeOf(file: string): string {
  const homes = [
    [LIBRARY, "/typescript"] as const,
    ...AUTHOR_PACKAGES.map((name) => [packageFolder(name), `/node_modules/${name}`] as const),
    [ROOT.slice(0, -1), OWN] as const,
  ];
  const home = homes.find(([folder]) => file.startsWith(`${folder}/`));
  if (home === undefined) throw new Error(`"${file}" is part of no package that definitions use`);
  return home[1] + file.slice(home[0].length);
}
