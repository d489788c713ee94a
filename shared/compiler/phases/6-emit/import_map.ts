/** Import map of a generated project: packages at exact versions, and its own parts. */
import { compareText } from "../../../lib/texts.ts";
import type { OpenApiModel } from "../../../model/project.ts";
import { TARGETS } from "../../platforms/mod.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";

const AUTHORING = "./src/quickback/authoring/mod.ts";

/** Names under which authored and template code import the generated and carried parts. */
const ALIASES = {
  "@quickback/compiler": AUTHORING,
  "@quickback/types": AUTHORING,
  "quickback": AUTHORING,
  "quickback/accounts": "./src/quickback/accounts/mod.ts",
  "quickback/actions": "./src/actions.ts",
  "quickback/client": "./src/quickback/client/mod.ts",
  "quickback/client/tanstack": "./src/quickback/client/tanstack.ts",
  "quickback/platform": "./src/quickback/platform/mod.ts",
  "quickback/project": "./src/project.ts",
  "quickback/runtime": "./src/quickback/runtime/mod.ts",
  "quickback/services": "./src/services.ts",
};

/** The packages of the documentation browsers: a project has the one that it serves. */
const DOCS_PACKAGES: ReadonlyMap<string, OpenApiModel["docs"]> = new Map([
  ["@scalar/api-reference", "browser_modern"],
  ["swagger-ui-dist", "browser_classic"],
]);

/** Sorted by name. */
export function importMap({ imports, model }: OutputPlan): Readonly<Record<string, string>> {
  const all = Object.entries({ ...imports, ...ALIASES, ...TARGETS[model.runtime].aliases })
    .filter(([name]) => (DOCS_PACKAGES.get(name) ?? model.openapi.docs) === model.openapi.docs)
    .sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(all);
}
