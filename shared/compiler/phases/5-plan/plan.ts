/** Phase 5: from what a project means to what its output consists of. Only migrations can be refused here. */
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { CompileHost, RawFiles } from "../../host.ts";
import type { Definitions } from "../values.ts";
import { planAuthored } from "./authored_plan.ts";
import type { OutputPlan, SpecPlan } from "./output_plan.ts";
import { TARGETS } from "../../platforms/mod.ts";
import { planMigrations } from "./plan_migrations.ts";
import { specNames } from "./spec_names.ts";

export interface PlanInput {
  readonly model: ProjectModel;
  readonly definitions: Definitions;
  readonly places: DefinitionPlaces;
  readonly host: CompileHost;
}

/** Null when something was reported. */
export function plan(input: PlanInput, report: Report): OutputPlan | null {
  const { model, definitions, places, host } = input;
  const migration = planMigrations(input, report);
  if (report.hasErrors) return null;
  const own = host.platforms?.[model.runtime];
  return {
    model,
    places,
    specs: specsOf(model),
    migration,
    authored: planAuthored(model, definitions),
    platform: TARGETS[model.runtime].files(model, definitions),
    carried: {
      ...templateFor(model, host.template),
      ...host.vendored,
      ...own?.template,
      ...own?.vendored,
    },
    imports: { ...authorImports(model), ...host.imports },
    lock: host.lock,
  };
}

/** Without commands for what the project does not have. */
function templateFor({ webhooks }: ProjectModel, template: RawFiles): RawFiles {
  if (webhooks.outbound) return template;
  return Object.fromEntries(Object.entries(template).filter(([path]) => path !== REDELIVER));
}

const REDELIVER = "src/redeliver.ts";

/** Every table with its name in the output. */
export function specsOf(model: ProjectModel): readonly SpecPlan[] {
  const names = specNames(model.tables.map(({ name }) => name));
  const resources = new Map(model.resources.map((resource) => [resource.table, resource]));
  return model.tables.map((table) => {
    const spec = names.get(table.name);
    if (!spec) throw new Error(`Table '${table.name}' has no name in the output`);
    return { table, resource: resources.get(table.name) ?? null, ...spec };
  });
}

/** Specifiers of the author's dependencies. The runtime's pins win over them: it was tested with those. */
function authorImports({ dependencies }: ProjectModel): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [name, `npm:${name}@${range}`]),
  );
}
