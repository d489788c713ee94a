/**
 * Lists the modules of the runtime that outputs import, by their paths in `src/quickback/`. An output contains them there,
 * built and as sources, or depends on the package that exports them (docs/decisions/package.md).
 */
import { PACKAGE, VERSION } from "../contract/mod.ts";

/** Modules that authors' code and the templates import, by name. */
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

/** Every module by the name with which an output imports it if the output does not contain the runtime. */
export const RUNTIME_MODULES: Readonly<Record<string, string>> = {
  ...FACES,
  ...Object.fromEntries(PARTS.map((path) => [partName(path), path])),
};

/** Returns the name of a module: `quickback/model/access` for `model/access.ts`. */
export function partName(path: RuntimePart): string {
  return `quickback/${path.slice(0, -".ts".length)}`;
}

/** Returns the path of a module as JavaScript, below `src/quickback/`: `built/model/access.js` for `quickback/model/access`. */
export function builtPath(name: string): string {
  return `built/${name.replace(/^quickback\//, "")}.js`;
}

/** Specifier of the package at this version in import maps and locks. */
export const PACKAGE_SPECIFIER = `npm:${PACKAGE}@${VERSION}`;

/** Members of a Deno configuration that exempt the package. Deno refuses other packages on the day of their release. */
export const PACKAGE_EXEMPTION = { minimumDependencyAge: { exclude: [`npm:${PACKAGE}`] } };

/** Packages that authors' code shares with the runtime, so that it may import them without listing them. */
export const SHARED_PACKAGES = ["drizzle-orm", "hono", "zod"];
