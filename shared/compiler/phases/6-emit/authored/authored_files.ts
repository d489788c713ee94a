/** The author's code in the output, and what stands around it so that its imports resolve and its types are the project's. */
import type { GeneratedFile } from "../../../host.ts";
import type { OutputPlan } from "../../5-plan/output_plan.ts";
import type { CodeFile } from "../../values.ts";
import { moduleText } from "../typescript/module.ts";
import { ACTIONS_MODULE, actionsModule } from "./actions_module.ts";
import { authoringModules } from "./authoring_modules.ts";
import { carriedCode } from "./carried_code.ts";
import { authoredPath, schemaPath } from "./output_paths.ts";
import { SERVICES_MODULE, servicesModule } from "./services_module.ts";

export function authoredFiles(plan: OutputPlan): readonly GeneratedFile[] {
  const { authored, model, specs } = plan;
  const authoring = authoringModules(plan);
  const specOf = (path: string) => {
    const name = authored.tables.get(path);
    return specs.find(({ table }) => table.name === name) ?? null;
  };
  return [
    { path: ACTIONS_MODULE, content: actionsModule(model.actions) },
    { path: SERVICES_MODULE, content: servicesModule(plan) },
    ...authoring.files,
    ...authored.code.map((file) =>
      carriedCode(file, {
        authoring: authoring.moduleOf.get(file.file) ?? null,
        spec: specOf(file.file),
      })
    ),
    ...[...authored.texts].map(([path, content]) => ({ path: authoredPath(path), content })),
    ...[...authored.schemas].map(([feature, files]) => ({
      path: schemaPath(feature),
      content: schemaModule(files, plan),
    })),
  ];
}

/** `../schema` of a feature: what its table files export, the tables by their own names included. */
function schemaModule(files: readonly CodeFile[], { authored }: OutputPlan): string {
  const taken = new Set(["default"]);
  const statements = files.map(({ file, exports }) => {
    const table = authored.tables.get(file);
    const names = [...new Set([...(table === undefined ? [] : [table]), ...exports])]
      .filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    const base = file.slice(file.lastIndexOf("/") + 1);
    return `export { ${names.sort().join(", ")} } from "./${base}";`;
  });
  return moduleText({
    comment: "All tables of the feature.",
    imports: [],
    statements: [statements.join("\n")],
  });
}
