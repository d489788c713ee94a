/** Phase 7: what only shows when the output is bundled for its platform (contract 4.8). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

const SECTION = "contract 4.8";

export const BUNDLE = {
  BUNDLE_IMPORT_UNRESOLVED: row<{ specifier: string; chain: string }>({
    severity: "error",
    section: SECTION,
    title: "An import leads to nothing in the output or its packages",
    message: ({ specifier, chain }) => `Import ${quote(specifier)} leads to nothing${chain}`,
    hint: () =>
      "Import what the package's own exports name, and list packages in build.dependencies",
  }),
  BUNDLE_EXPORT_MISSING: row<{ name: string; module: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A named import is not exported by its module",
    message: ({ name, module }) => `${quote(module)} has no export ${quote(name)}`,
    hint: didYouMean,
  }),
  BUNDLE_MEMBER_MISSING: row<{ name: string; module: string; nearest: string | null }>({
    severity: "warning",
    section: SECTION,
    title: "A member of a namespace import is not exported by its module",
    message: ({ name, module }) =>
      `${quote(module)} has no export ${quote(name)}, so it is always undefined`,
    hint: didYouMean,
  }),
  BUNDLE_HOST_MODULE: row<{ specifier: string; chain: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code imports a module that the platform of the project cannot run",
    message: ({ specifier, chain, target }) =>
      `Module ${quote(specifier)} does not run on ${target}${chain}`,
    hint: () => "Leave it out, or choose another providers.runtime",
  }),
  BUNDLE_HOST_MEMBER: row<{ member: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code uses what the platform of the project does not have",
    message: ({ member, target }) => `${quote(member)} does not run on ${target}`,
    hint: () => "Leave it out, or choose another providers.runtime",
  }),
  BUNDLE_NATIVE_ADDON: row<{ specifier: string; chain: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code imports a native addon",
    message: ({ specifier, chain, target }) =>
      `Native addon ${quote(specifier)} does not run on ${target}${chain}`,
    hint: () => "Use a package that is written in JavaScript or WebAssembly",
  }),
  BUNDLE_NOT_CODE: row<{ specifier: string }>({
    severity: "error",
    section: SECTION,
    title: "An import leads to a file that is no module",
    message: ({ specifier }) => `File ${quote(specifier)} cannot be imported: it is no module`,
    hint: () => "Write its content into a .ts file that exports it",
  }),
  BUNDLE_REQUIRE: row<{ specifier: string }>({
    severity: "error",
    section: SECTION,
    title: "Code loads a module in a way that modules do not have",
    message: ({ specifier }) => `require(${quote(specifier)}) does not exist in a module`,
    hint: () => "Write an import statement",
  }),
  BUNDLE_INVALID: row<{ problem: string }>({
    severity: "error",
    section: SECTION,
    title: "Code cannot be bundled",
    message: ({ problem }) => problem,
  }),
  BUNDLE_TOO_LARGE: row<{ target: string; size: string; limit: string }>({
    severity: "error",
    section: SECTION,
    title: "The bundle is larger than its platform takes",
    message: ({ target, size, limit }) =>
      `The bundle has ${size} compressed, ${target} takes at most ${limit}`,
    hint: () => "Import less: large texts and data belong into tables or files",
  }),
  BUNDLE_NEEDS_LARGER_PLAN: row<{ target: string; size: string; limit: string }>({
    severity: "warning",
    section: SECTION,
    title: "The bundle is larger than the platform's free plan takes",
    message: ({ target, size, limit }) =>
      `The bundle has ${size} compressed, the free plan of ${target} takes at most ${limit}`,
    hint: () => "Import less, or deploy it with a paid plan",
  }),
} as const;
