/** The API's own description (OpenAPI 3.1), as far as the page reads it. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import { API_ANSWER, type ApiAnswer, type ApiRequest, ROUTES } from "../protocol.ts";
import type { Connection } from "./connection.ts";

const PARAMETER = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  description: z.string().default(""),
  required: z.boolean().default(false),
  example: z.unknown().optional(),
});

const OPERATION = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(""),
  description: z.string().default(""),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), PARAMETER])).default([]),
  requestBody: z.object({
    content: z.record(z.string(), z.object({ example: z.unknown().optional() })),
  }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default("") }))
    .default({}),
});

const DOCUMENT = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().default("") }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ parameters: z.record(z.string(), PARAMETER).default({}) })
    .default({ parameters: {} }),
});

export type Parameter = z.infer<typeof PARAMETER>;

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = typeof METHODS[number];

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** With `{names}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Undefined: it takes no JSON body. */
  readonly bodyExample: unknown;
  /** Status → what it means. */
  readonly answers: readonly (readonly [status: string, meaning: string])[];
}

export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
}

/** Null for anything that is no description. */
export function readApiDocument(text: string): ApiDocument | null {
  const document = DOCUMENT.safeParse(parsedJson(text));
  if (!document.success) return null;
  const { info, tags, paths, components } = document.data;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = OPERATION.safeParse(methods[method.toLowerCase()]);
      if (!operation.success) return [];
      return [operationOf(operation.data, method, path, components.parameters)];
    })
  );
  return { ...info, tags, operations };
}

function operationOf(
  operation: z.infer<typeof OPERATION>,
  method: Method,
  path: string,
  shared: Readonly<Record<string, Parameter>>,
): Operation {
  const { operationId, tags, summary, description, requestBody, responses } = operation;
  return {
    id: operationId,
    method,
    path,
    tag: tags[0] ?? "",
    summary,
    description,
    parameters: operation.parameters.flatMap((parameter) => {
      if (!("$ref" in parameter)) return [parameter];
      const name = parameter.$ref.split("/").at(-1) ?? "";
      const known = Object.hasOwn(shared, name) ? shared[name] : undefined;
      return known === undefined ? [] : [known];
    }),
    bodyExample: requestBody?.content["application/json"]?.example,
    answers: Object.entries(responses).map(([status, answer]) => [status, answer.description]),
  };
}

/** The running API, asked through the playground's server: in whose name, the page says; what proves it, the server keeps. */
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
