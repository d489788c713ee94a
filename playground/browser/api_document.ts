/** Reads the API's own description (OpenAPI 3.1), as far as the page needs it. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import { schemaExample } from "../../shared/lib/schema_example.ts";
import { API_ANSWER, type ApiAnswer, type ApiRequest, ROUTES } from "../protocol.ts";
import type { Connection } from "./connection.ts";

const SCHEMA = z.record(z.string(), z.json());
type Schema = z.infer<typeof SCHEMA>;

const PARAMETER = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  description: z.string().default(""),
  required: z.boolean().default(false),
  example: z.unknown().optional(),
  explode: z.boolean().default(false),
  schema: SCHEMA.default({}),
});

const REFERENCE = z.object({ $ref: z.string() });

const RESPONSE = z.object({ description: z.string().default("") });

const CONTENT = z.object({
  schema: SCHEMA.default({}),
  examples: z.object({ sample: z.object({ value: z.unknown() }) }).optional(),
});

const OPERATION = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(""),
  description: z.string().default(""),
  parameters: z.array(z.union([REFERENCE, PARAMETER])).default([]),
  requestBody: z.object({ content: z.record(z.string(), CONTENT) }).optional(),
  responses: z.record(z.string(), z.union([REFERENCE, RESPONSE])).default({}),
});

const DOCUMENT = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().default("") }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    parameters: z.record(z.string(), PARAMETER).default({}),
    responses: z.record(z.string(), RESPONSE).default({}),
    schemas: z.record(z.string(), SCHEMA).default({}),
  }).default({ parameters: {}, responses: {}, schemas: {} }),
});

type Components = z.infer<typeof DOCUMENT>["components"];

export interface Parameter
  extends Pick<z.infer<typeof PARAMETER>, "name" | "in" | "description" | "required" | "example"> {
  /** True when the parameter compares a column. */
  readonly isFilter: boolean;
  /** Values that the parameter accepts; empty if the description does not list them. */
  readonly choices: readonly string[];
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = typeof METHODS[number];

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path with parameters in braces, as in `/tickets/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Example of the JSON body; undefined if the operation takes none. */
  readonly bodyExample: unknown;
  /** Statuses, each with its meaning. */
  readonly answers: readonly (readonly [status: string, meaning: string])[];
}

export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
}

/** Parses an OpenAPI document; null if the text is not one. */
export function readApiDocument(text: string): ApiDocument | null {
  const document = DOCUMENT.safeParse(parsedJson(text));
  if (!document.success) return null;
  const { info, tags, paths, components } = document.data;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = OPERATION.safeParse(methods[method.toLowerCase()]);
      if (!operation.success) return [];
      return [operationOf(operation.data, method, path, components)];
    })
  );
  return { ...info, tags, operations };
}

function operationOf(
  operation: z.infer<typeof OPERATION>,
  method: Method,
  path: string,
  components: Components,
): Operation {
  const { operationId, tags, summary, description, requestBody, responses } = operation;
  return {
    id: operationId,
    method,
    path,
    tag: tags[0] ?? "",
    summary,
    description,
    parameters: operation.parameters.flatMap((given) => {
      const parameter = "$ref" in given ? named(given.$ref, components.parameters) : given;
      return parameter === undefined ? [] : parametersOf(parameter, components);
    }),
    bodyExample: bodyExample(requestBody?.content["application/json"], components),
    answers: Object.entries(responses).map(([status, given]) => {
      const answer = "$ref" in given ? named(given.$ref, components.responses) : given;
      return [status, answer?.description ?? ""];
    }),
  };
}

/** Returns the fields of a parameter. An exploded object yields its members, which are comparisons with columns. */
function parametersOf(
  parameter: z.infer<typeof PARAMETER>,
  components: Components,
): readonly Parameter[] {
  const members = parameter.explode ? membersOf(parameter.schema, components) : [];
  const choicesOfOwn = choicesOf(parameter.schema, components);
  return members.length === 0
    ? [{ ...parameter, isFilter: false, choices: choicesOfOwn }]
    : members.map(([name, schema]) => ({
      ...parameter,
      name,
      isFilter: true,
      choices: choicesOf(schema, components),
    }));
}

function membersOf(given: Schema, components: Components): readonly (readonly [string, Schema])[] {
  const schema = resolved(given, components);
  const parts = z.array(SCHEMA).safeParse(schema["allOf"]).data ?? [];
  return [
    ...parts.flatMap((part) => membersOf(part, components)),
    ...Object.entries(PROPERTIES.safeParse(schema["properties"]).data ?? {}),
  ];
}

const PROPERTIES = z.record(z.string(), SCHEMA);
const WORDS = z.array(z.string());

function choicesOf(given: Schema, components: Components): readonly string[] {
  const schema = resolved(given, components);
  if (schema["type"] === "boolean") return ["true", "false"];
  const items = SCHEMA.safeParse(schema["items"]).data ?? {};
  return WORDS.safeParse(schema["enum"] ?? resolved(items, components)["enum"]).data ?? [];
}

function bodyExample(
  content: z.infer<typeof CONTENT> | undefined,
  components: Components,
): unknown {
  if (content === undefined) return undefined;
  return content.examples === undefined
    ? schemaExample(content.schema, ($ref) => resolved({ $ref }, components))
    : content.examples.sample.value;
}

function resolved(schema: Schema, { schemas }: Components): Schema {
  const { $ref } = schema;
  return typeof $ref === "string" ? named($ref, schemas) ?? {} : schema;
}

/** Returns the target of a reference; undefined if the target does not exist. */
function named<T>(reference: string, shared: Readonly<Record<string, T>>): T | undefined {
  const name = reference.split("/").at(-1) ?? "";
  return Object.hasOwn(shared, name) ? shared[name] : undefined;
}

/**
 * Sends a request to the running API through the playground's server. The page names the caller; the server keeps the caller's
 * credential.
 */
export type AskApi = (request: ApiRequest) => Promise<ApiAnswer>;

export function apiClient(connection: Connection): AskApi {
  return async (request) =>
    API_ANSWER.parse(
      await connection.json(ROUTES.requests, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      }),
    );
}
