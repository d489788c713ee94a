/**
 * Lists the codes of phase 3 about constructs that cannot be read statically, and names without a target (contract 4.8,
 * definitions 1 and 2).
 */
import { didYouMean, quote, quotedWords, wayOut } from "../wording.ts";
import { row } from "../diagnostic.ts";

export const EVALUATE = {
  NOT_STATIC: row<{ construct: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A value is computed and cannot be read statically",
    message: ({ construct }) => `Value cannot be read statically: ${construct}`,
    hint: () => "Write the value out as a literal, or as a constant made of literals",
  }),
  CONFIG_NOT_LITERAL: row<{ construct: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "The configuration holds something other than literals and define* calls",
    message: ({ construct }) => `Configuration takes literals only, not ${construct}`,
    hint: ({ construct }) =>
      construct === "`undefined`"
        ? "Leave the key out, or write null"
        : "Write the value out in place",
  }),
  CONFIG_EXPORT_MISSING: row<Record<never, never>>({
    severity: "error",
    section: "definitions 2",
    title: "The configuration exports nothing",
    message: () => "Configuration has no default export",
    hint: () => 'Write: export default defineConfig({ name: "my-project" })',
  }),
  CONFIG_IMPORT: row<{ name: string | null; module: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "The configuration imports a value that is no define* helper",
    message: ({ name, module }) =>
      `Configuration cannot import ${name === null ? "" : `the value ${name} from `}${
        quote(module)
      }`,
    hint: () => 'Only define* helpers from "quickback" and types may be imported here',
  }),
  IMPORT_UNKNOWN: row<
    { name: string; module: string; nearest: string | null; known: readonly string[] }
  >({
    severity: "error",
    section: "definitions 1",
    title: "An import names something that the authoring module does not have",
    message: ({ name, module }) => `${quote(module)} has no export ${quote(name)}`,
    hint: ({ nearest, known }) => wayOut(quotedWords({ form: null, nearest, known })),
  }),
  IMPORT_MODULE_UNKNOWN: row<{ module: string; nearest: string }>({
    severity: "error",
    section: "definitions 1",
    title: "An import names a module that is one slip away from the authoring module",
    message: ({ module }) => `Unknown module ${quote(module)}`,
    hint: didYouMean,
  }),
  IMPORT_FILE_MISSING: row<{ specifier: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "An import names a file that the project does not have",
    message: ({ specifier }) => `Imported file ${quote(specifier)} does not exist in the project`,
    hint: (reported) =>
      didYouMean(reported) ?? "Paths are relative to the importing file and stay inside quickback/",
  }),
  IMPORT_NAME_MISSING: row<{ name: string; specifier: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "An import names something that the imported file does not export",
    message: ({ name, specifier }) =>
      name === "default"
        ? `File ${quote(specifier)} has no default export`
        : `File ${quote(specifier)} has no export ${quote(name)}`,
    hint: (reported) => didYouMean(reported) ?? "Export it there, or correct the name",
  }),
  NAME_UNDECLARED: row<{ name: string; nearest: string | null; module: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "A name is used that the file neither declares nor imports",
    message: ({ name }) => `Name ${quote(name)} is not declared or imported`,
    hint: ({ name, nearest, module }) =>
      module === null ? didYouMean({ nearest }) : `Add: import { ${name} } from ${quote(module)}`,
  }),
  CALL_MISSING: row<{ name: string }>({
    severity: "error",
    section: "definitions 3",
    title: "An authoring function is named but not called",
    message: ({ name }) => `Function ${quote(name)} is not called`,
    hint: ({ name }) => `Write ${name}()`,
  }),
  DUPLICATE_KEY: row<{ key: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "An object has the same key twice",
    message: ({ key }) => `Key ${quote(key)} stands twice in the same object`,
    hint: () => "Remove one of the two",
  }),
  KEY_FORBIDDEN: row<{ key: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A key has a meaning of its own in JavaScript",
    message: ({ key }) => `Key ${quote(key)} cannot be used`,
    hint: () => "Choose another name",
  }),
  DEFAULT_EXPORT_REPEATED: row<Record<string, never>>({
    severity: "error",
    section: "definitions 1",
    title: "A file has more than one default export",
    message: () => "File has a second default export",
    hint: () => "One table or action per file: move this one to its own file",
  }),
  CONSTANT_CYCLE: row<{ name: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A constant is made of itself",
    message: ({ name }) => `Constant ${quote(name)} is made of itself`,
    hint: () => "Write one of the constants in the circle out as a literal",
  }),
  VALUE_TOO_DEEP: row<{ limit: number }>({
    severity: "error",
    section: "contract 4.8",
    title: "A value is nested deeper than the compiler reads",
    message: ({ limit }) => `Value is nested deeper than ${limit} levels`,
    hint: () => "Flatten the value",
  }),
  VALUE_TOO_LARGE: row<{ limit: number }>({
    severity: "error",
    section: "contract 4.8",
    title: "Constants made of constants add up to more values than the compiler reads",
    message: ({ limit }) => `Constants add up to more than ${limit} values`,
    hint: () => "Use the large constant in fewer places",
  }),
} as const;
