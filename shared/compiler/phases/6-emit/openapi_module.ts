/** `src/openapi.ts`: the API description as a text that a worker carries, having no files. */
import type { ProjectModel } from "../../../model/project.ts";
import { moduleText } from "./typescript/module.ts";

const CARRIED = `import document from "../openapi.json" with { type: "json" };

export const openapi: string | null = JSON.stringify(document, null, 2) + "\\n";`;

export function openapiModule({ openapi }: ProjectModel): string {
  return moduleText({
    comment: "The description of this API, as the worker serves it.",
    imports: [],
    statements: [openapi.generate ? CARRIED : "export const openapi: string | null = null;"],
  });
}
