/**
 * Modules of the runtime that outputs import, by their paths in `src/quickback/`: an output carries them there, built and as
 * sources, or depends on the package that exports them (docs/decisions/package.md).
 */
import { PACKAGE, VERSION } from "../contract/mod.ts";

/** Modules that people's code and the templates import, by name. */
export const FACES = {
  "quickback": "authoring/mod.ts",
  "quickback/accounts": "accounts/mod.ts",
  "quickback/client": "client/mod.ts",
  "quickback/client/tanstack": "client/tanstack.ts",
  "quickback/platform": "platform/mod.ts",
  "quickback/runtime": "runtime/mod.ts",
  "quickback/testing": "testing/mod.ts",
} as const;

/** Modules that only generated ones import. */
const PARTS = [
  "authoring/action.ts",
  "authoring/handler.ts",
  "authoring/register.ts",
  "authoring/service.ts",
  "model/access.ts",
  "model/table_spec.ts",
  "surface/action_implementation.ts",
  "surface/authored_code.ts",
] as const;

export type RuntimePart = typeof PARTS[number];

/** Every module by the name that an output imports it by when it carries none of them. */
export const RUNTIME_MODULES: Readonly<Record<string, string>> = {
  ...FACES,
  ...Object.fromEntries(PARTS.map((path) => [partName(path), path])),
};

/** `model/access.ts` → `quickback/model/access`. */
export function partName(path: RuntimePart): string {
  return `quickback/${path.slice(0, -".ts".length)}`;
}

/** `quickback/model/access` → `built/model/access.js`: the module as JavaScript, below `src/quickback/`. */
export function builtPath(name: string): string {
  return `built/${name.replace(/^quickback\//, "")}.js`;
}

/** The package at this version, as import maps and locks name it. */
export const PACKAGE_SPECIFIER = `npm:${PACKAGE}@${VERSION}`;

/** Members of a Deno configuration that names the package: Deno refuses other packages on the day of their release. */
export const PACKAGE_EXEMPTION = { minimumDependencyAge: { exclude: [`npm:${PACKAGE}`] } };

/** Packages that authors' code shares with the runtime: it may import them without listing them. */
export const SHARED_PACKAGES = ["drizzle-orm", "hono", "zod"];
