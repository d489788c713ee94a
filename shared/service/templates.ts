/** Projects to start from (contract 4.8, definitions 7, `GET /templates`). */
import type { ServiceRoutes } from "./ports.ts";
import { ServiceRefusal } from "./refusal.ts";
import { jsonResponse } from "./response/gzipped.ts";
import { Template } from "./template.ts";

/** `GET /templates` and `GET /templates/{name}`. */
export function templateAnswers(
  templates: readonly Template[],
): NonNullable<ServiceRoutes["templates"]> {
  return ({ raw }, name) => {
    if (name === null) {
      return jsonResponse({
        templates: templates.map(({ files, ...about }) => ({
          ...about,
          files: Object.keys(files).sort(),
        })),
      }, raw);
    }
    const template = templates.find((candidate) => candidate.name === name);
    if (template) return jsonResponse(template, raw);
    throw new ServiceRefusal("ROUTE_NOT_FOUND", {
      detail: "There is no such template",
      hint: `The templates are ${templates.map(({ name }) => name).join(", ")}`,
    });
  };
}
