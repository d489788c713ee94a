/** `src/openapi.ts`: the API descriptions as texts that a worker carries, having no files. */
import type { ProjectModel } from "../../../model/project.ts";
import { moduleText } from "./typescript/module.ts";

const CARRIED = `import asyncapiDocument from "../asyncapi.json" with { type: "json" };
import openapiDocument from "../openapi.json" with { type: "json" };

export const asyncapi: string | null = JSON.stringify(asyncapiDocument, null, 2) + "\\n";
export const openapi: string | null = JSON.stringify(openapiDocument, null, 2) + "\\n";`;

const NONE = `export const asyncapi: string | null = null;
export const openapi: string | null = null;`;

export function openapiModule({ openapi }: ProjectModel): string {
  return moduleText({
    comment: "The descriptions of this API, as the worker serves them.",
    imports: [],
    statements: [openapi.generate ? CARRIED : NONE],
  });
}
