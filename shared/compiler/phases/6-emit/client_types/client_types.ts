/** The types of one API for its TypeScript clients (contract 9.5): computed from its description, used by `createClient<Api>()`. */
import { CONTRACT_VERSIONS } from "../../../../contract/versions.ts";
import { isJsonObject } from "../../../../lib/json.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { openApiDocument } from "../openapi/emit_openapi.ts";
import { moduleText } from "../typescript/source.ts";
import { apiType } from "./api_type.ts";
import { queryTypes } from "./query_types.ts";
import { schemaType } from "./schema_type.ts";
import { declaration, text, type TypeNode } from "./type_node.ts";

/** One module without imports: it may stand anywhere. */
export function clientTypes(model: ProjectModel, document = openApiDocument(model)): string {
  const schemas = schemasOf(document);
  const { apiBase } = CONTRACT_VERSIONS[model.contract];
  return moduleText({
    comment: `Types of the API ${model.name} below ${apiBase}: hand Api to createClient.`,
    imports: [],
    statements: [
      MASKED,
      ...Object.entries(schemas).map(([name, schema]) =>
        declaration(name, schemaType(schema), commentOf(schema))
      ),
      ...queryTypes(model).map(([name, type]) => declaration(name, type, "")),
      declaration("Api", apiType(model, codesOf(schemas)), "What the API offers, for the client."),
    ],
  });
}

const MASKED = `declare const mask: unique symbol;

/** A value that is a mask instead for callers who may not see it: fit to be shown, not to be computed with. */
export type Masked<T> = (T | string) & { readonly [mask]?: T };`;

function schemasOf(document: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const components: unknown = document.components;
  const schemas = isJsonObject(components) ? components.schemas : undefined;
  return Object.fromEntries(
    Object.entries(isJsonObject(schemas) ? schemas : {}).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, schema] as const] : []
    ),
  );
}

/** The closed enum of what the API refuses with. */
function codesOf({ Problem }: Readonly<Record<string, JsonSchema>>): TypeNode {
  const type = Problem === undefined ? text("string") : schemaType(Problem);
  const code = type.kind === "object"
    ? type.members.find(({ name }) => name === "code")
    : undefined;
  return code ? text('Problem["code"] | "RATE_LIMITED"') : text("string");
}

function commentOf({ description }: JsonSchema): string {
  return typeof description === "string" ? description : "";
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}
