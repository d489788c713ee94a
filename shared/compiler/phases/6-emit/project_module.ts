/** `src/project.ts`: puts the model together from the settings and one literal per table. */
import type { JsonValue } from "../../../model/table.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";
import { moduleText } from "./typescript/module.ts";
import { statement } from "./typescript/print.ts";
import { array, call, literal, text } from "./typescript/source.ts";

export function projectModule({ model, specs }: OutputPlan): string {
  const list = array(specs.map(({ identifier }) => text(identifier)));
  return moduleText({
    comment: `The model of ${model.name}: what the runtime obeys.`,
    imports: [
      {
        from: "./quickback/model/table_spec.ts",
        names: ["assembleProject", "type ProjectSettings"],
      },
      ...specs.map(({ fileName, identifier }) => ({
        from: `./resources/${fileName}.ts`,
        names: [identifier],
      })),
    ],
    statements: [
      statement("const settings: ProjectSettings = ", literal(settingsOf(model))),
      statement("export const project = ", call("assembleProject", [text("settings"), list])),
    ],
  });
}

function settingsOf(
  { tables: _tables, resources: _resources, ...settings }: ProjectModel,
): JsonValue {
  return JSON.parse(JSON.stringify(settings));
}
