/**
 * Writes the types of one API for its TypeScript clients (contract 9.5). They are computed from its description and used by
 * `createClient<Api>()`.
 */
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

/** Returns one module without imports, which works in any place. */
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
 * Returns the objects of bodies and responses. Schemas of parameters have types of their own. A value that is no object is
 * written in place, because a named text type adds nothing.
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

/** Replaces references to these schemas by the schemas themselves. */
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

/** Returns the names of the schemas that a part of the document other than a parameter refers to. */
function usedSchemas({ paths, components }: JsonSchema): ReadonlySet<string> {
  const used = new Set<string>();
  const seen = new Set<unknown>();
  const pending: unknown[] = [paths];
  // The loop also visits values that are added during it.
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

/** Returns the closed enum of the API's error codes. */
function codesOf({ Problem }: Readonly<Record<string, JsonSchema>>): TypeNode {
  const type = Problem === undefined ? text("string") : schemaType(Problem);
  const code = type.kind === "object"
    ? type.members.find(({ name }) => name === "code")
    : undefined;
  return code ? text('Problem["code"] | "RATE_LIMITED"') : text("string");
}
