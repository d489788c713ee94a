/** Runs phase 5, which turns the model into a plan of the output's files. Only migrations can be refused here. */
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import { isPerOrganization, keepsHistory, type ProjectModel } from "../../../model/mod.ts";
import { camelCase, kebabCase } from "../../../surface/mod.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { CompileHost } from "../../host.ts";
import { TARGETS } from "../../platforms/mod.ts";
import type { Definitions } from "../values.ts";
import { type OutputPlan, planAuthored, type SpecNames, type SpecPlan } from "./output_plan.ts";
import type { KnownDatabases } from "./plan_data_steps.ts";
import { planMigrations } from "./plan_migrations.ts";

export interface PlanInput {
  readonly model: ProjectModel;
  readonly definitions: Definitions;
  readonly places: DefinitionPlaces;
  readonly host: CompileHost;
  readonly vendor: boolean;
  readonly databases: KnownDatabases;
}

/** Returns the plan; null when something was reported. */
export function plan(input: PlanInput, report: Report): OutputPlan | null {
  const { model, definitions, places, host, vendor } = input;
  const migration = planMigrations(input, report);
  if (report.hasErrors) return null;
  // Lists the commands for features that the project does not use.
  const unneeded = [
    ...model.webhooks.outbound ? [] : ["src/redeliver.ts"],
    ...model.seed ? [] : ["src/seed.ts"],
    ...keepsHistory(model) ? [] : ["src/audit.ts"],
    ...isPerOrganization(model) ? [] : ["src/tenant.ts"],
  ];
  const own = host.platforms?.[model.runtime];
  const { bundlesRuntime } = TARGETS[model.runtime];
  const carriesRuntime = vendor || model.vendor === true || bundlesRuntime;
  const built = carriesRuntime && !bundlesRuntime ? host.built : undefined;
  return {
    model,
    places,
    specs: specsOf(model),
    migration,
    authored: planAuthored(model, definitions),
    platform: TARGETS[model.runtime].files(model, definitions),
    runtimeFrom: built ? "built" : carriesRuntime ? "sources" : "package",
    carried: {
      // Leaves out commands for features that the project does not use.
      ...Object.fromEntries(
        Object.entries(host.template).filter(([path]) => !unneeded.includes(path)),
      ),
      ...own?.template,
      ...(carriesRuntime ? { ...host.vendored, ...built, ...own?.vendored } : {}),
    },
    imports: {
      ...Object.fromEntries(
        Object.entries(model.dependencies).map(([name, range]) => [name, `npm:${name}@${range}`]),
      ),
      ...host.imports,
    },
    lock: host.lock,
  };
}

/** Returns every table with its name in the output. */
export function specsOf(model: ProjectModel): readonly SpecPlan[] {
  const names = specNames(model.tables.map(({ name }) => name));
  const resources = new Map(model.resources.map((resource) => [resource.table, resource]));
  return model.tables.map((table) => {
    const spec = names.get(table.name);
    if (!spec) throw new Error(`Table '${table.name}' has no name in the output`);
    return { table, resource: resources.get(table.name) ?? null, ...spec };
  });
}

/** File names that no table may take: `mod.ts` is the index of its folder. */
const RESERVED_FILES = ["mod"];

/** Identifiers that no table may take: reserved words, and the imports of generated modules. */
const RESERVED_IDENTIFIERS =
  ("abstract any arguments as async await boolean break case catch class column const continue debugger declare " +
    "default delete do else enum eval export extends false finally for from function if implements import in index " +
    "infer instanceof integer interface is let many namespace never new null number object of one package private " +
    "project protected public real relations return schema sql sqliteTable static string super switch symbol table this throw true " +
    "try type typeof undefined unique uniqueIndex unknown using var void while with yield globalThis text NaN " +
    "Infinity assembleProject settings TableSpec ProjectSettings predicate allOf anyOf hasRole hasUserRole recordMatches")
    .split(" ");

/** Returns a pair of names for each table, in the given order; a taken name gets a number. */
export function specNames(tables: readonly string[]): ReadonlyMap<string, SpecNames> {
  const files = new Set(RESERVED_FILES);
  const identifiers = new Set(RESERVED_IDENTIFIERS);
  return new Map(tables.map((name) => {
    const camel = camelCase(name).replace(/[^A-Za-z0-9_$]/g, "");
    return [name, {
      fileName: take(kebabCase(name) || "table", files, "-"),
      identifier: take(/^[A-Za-z_$]/.test(camel) ? camel : `table${camel}`, identifiers, ""),
    }];
  }));
}

function take(
  wanted: string,
  taken: Set<string>,
  separator: string,
): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}${separator}${number}`;
  taken.add(name);
  return name;
}
