/**
 * Settings with which a project's definitions are type-checked: those of its own tsconfig.json and deno.json, and of `check`.
 */

export const DECLARATIONS_FOLDER = ".quickback";

export const STRICTNESS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
} as const;

/** Root folders that make `../schema` of a feature resolve to the declarations, as if it were in the feature's folder. */
export const ROOT_FOLDERS = [".", `./${DECLARATIONS_FOLDER}/types`];

export const DECLARATIONS = `./${DECLARATIONS_FOLDER}/types.d.ts`;

/** `compilerOptions` of a tsconfig.json. */
export const TSCONFIG_OPTIONS = {
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "dom", "dom.iterable"],
  types: [],
  ...STRICTNESS,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  rootDirs: ROOT_FOLDERS,
} as const;
