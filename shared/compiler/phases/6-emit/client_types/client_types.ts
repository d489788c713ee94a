/** The types of one API for its TypeScript clients (contract 9.5): computed from its description, used by `createClient<Api>()`. */
import { CONTRACT_VERSIONS } from "../../../../contract/mod.ts";
import { isJsonObject } from "../../../../lib/json.ts";
import type { ProjectModel } from "../../../../model/mod.ts";
import { isSchema, type JsonSchema } from "../../../../surface/mod.ts";
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
        declaration(
          name,
          schemaType(schema),
          typeof schema.description === "string" ? schema.description : "",
        )
      ),
      ...queryTypes(model).map(([name, type]) => declaration(name, type, "")),
      declaration("Api", apiType(model, codesOf(schemas)), "What the API offers, for the client."),
    ],
  });
}

const MASKED = `declare const mask: unique symbol;

/** A value that is a mask instead for callers who may not see it: fit to be shown, not to be computed with. */
export type Masked<T> = (T | string) & { readonly [mask]?: T };`;

/**
 * The objects of bodies and answers; the schemas of parameters, which have types of their own, are none of them. A value that
 * is no object stands where it is: a name for a text says nothing.
 */
function schemasOf(document: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const components: unknown = document.components;
  const schemas = isJsonObject(components) ? components.schemas : undefined;
  const isUsed = usedSchemas(document);
  const used = Object.entries(isJsonObject(schemas) ? schemas : {}).flatMap(([name, schema]) =>
    isSchema(schema) && isUsed.has(name) ? [[name, schema] as const] : []
  );
  const values = new Map(
    used.filter(([, { type }]) => type !== "object").map(([name, schema]) => [name, schema]),
  );
  return Object.fromEntries(
    used.filter(([name]) => !values.has(name))
      .map(([name, schema]) => [name, withValues(schema, values)]),
  );
}

/** With these schemas in the place of references to them. */
function withValues(schema: JsonSchema, values: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const known = values.get(REFERENCE.exec(String(schema.$ref))?.[2] ?? "");
  if (known !== undefined) return known;
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      isSchema(part) ? withValues(part, values) : part,
    ]),
  );
}

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

/** Names of the schemas that something besides a parameter refers to. */
function usedSchemas({ paths, components }: JsonSchema): ReadonlySet<string> {
  const used = new Set<string>();
  const seen = new Set<unknown>();
  const pending: unknown[] = [paths];
  // The loop visits values that are pushed meanwhile, too.
  for (const value of pending) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const member of Object.values(value)) {
      if (typeof member === "object") pending.push(member);
    }
    const [, section = "", name = ""] = REFERENCE.exec(
      "$ref" in value && typeof value.$ref === "string" ? value.$ref : "",
    ) ?? [];
    if (section === "schemas") used.add(name);
    if (section !== "" && section !== "parameters") {
      const made = isJsonObject(components) ? components[section] : undefined;
      pending.push(isJsonObject(made) ? made[name] : undefined);
    }
  }
  return used;
}

/** The closed enum of what the API refuses with. */
function codesOf({ Problem }: Readonly<Record<string, JsonSchema>>): TypeNode {
  const type = Problem === undefined ? text("string") : schemaType(Problem);
  const code = type.kind === "object"
    ? type.members.find(({ name }) => name === "code")
    : undefined;
  return code ? text('Problem["code"] | "RATE_LIMITED"') : text("string");
}
