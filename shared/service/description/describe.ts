/** `GET /openapi.json` of the build service. It is made from the schemas that check its requests (contract 4.8). */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { HEADERS, PROBLEM_MEDIA_TYPE, PROBLEM_PATH, problemSlug } from "../../contract/mod.ts";
import type { AppSettings } from "../ports.ts";
import { COMPILE_BODY, COMPLETE, STREAM_PROTOCOL } from "../request/compile_options.ts";
import { ANSWER_CODES } from "../refusal.ts";
import * as schemas from "./answer_schemas.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const TITLE = "quickback build service";

type Registry = OpenAPIHono["openAPIRegistry"];

/** Makes the document. A backend without templates does not list them. */
export function describeService(
  { version, baseUrl, backend }: AppSettings,
  { hasTemplates }: { readonly hasTemplates: boolean },
) {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "key", {
    type: "apiKey",
    in: "header",
    name: HEADERS.apiKey,
    description: "One of the keys in the service's SERVICE_API_KEY",
  });
  registry.registerComponent("securitySchemes", "session", {
    type: "http",
    scheme: "bearer",
    description: "A session token, as `quickback login` keeps it",
  });
  registry.registerPath({
    method: "get",
    path: "/health",
    operationId: "health",
    summary: "Says what answers",
    responses: { 200: answer("It lives", schemas.HEALTH), 500: FAILED },
  });
  registry.registerPath({
    method: "get",
    path: "/openapi.json",
    operationId: "describe",
    summary: "This description",
    responses: { 200: answer("The description", z.looseObject({})), 500: FAILED },
  });
  registerProblems(registry);
  if (hasTemplates) registerTemplates(registry);
  registerCompile(registry, backend === "container" ? {} : { [HEADERS.compileBackend]: BACKEND });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version,
      description: "Compiles definitions of an API into the files of its backend",
    },
    servers: [{ url: baseUrl }],
  });
}

function registerProblems(registry: Registry): void {
  registry.registerPath({
    method: "get",
    path: `${PROBLEM_PATH}/{code}`,
    operationId: "describeProblem",
    summary: "Where a problem's `type` leads: a page, or JSON where `Accept` prefers it",
    request: { params: z.object({ code: z.enum(ANSWER_CODES.map(problemSlug)) }) },
    responses: {
      200: {
        description: "The way out, and what all problems of the kind have in common",
        headers: headers(),
        content: {
          "text/html": { schema: z.string() },
          [JSON_TYPE]: { schema: schemas.PROBLEM_PAGE },
        },
      },
      404: problem("No problem of this service has this code"),
      500: FAILED,
    },
  });
}

function registerTemplates(registry: Registry): void {
  registry.registerPath({
    method: "get",
    path: "/templates",
    operationId: "listTemplates",
    summary: "Projects to start from and runtimes, with the paths of their files",
    responses: { 200: answer("All templates", schemas.TEMPLATE_LIST), 500: FAILED, 503: BUSY },
  });
  registry.registerPath({
    method: "get",
    path: "/templates/{name}",
    operationId: "getTemplate",
    summary: "One template with the texts of its files",
    request: { params: z.object({ name: z.string() }) },
    responses: {
      200: answer("The template", schemas.TEMPLATE),
      404: problem("There is no such template"),
      500: FAILED,
      503: BUSY,
    },
  });
}

/** Header of an answer that names its backend. The container omits it, unless it replaces an edge. */
const BACKEND = z.enum(["edge", "container-fallback"]).optional();

function registerCompile(registry: Registry, named: z.ZodRawShape): void {
  registry.registerPath({
    method: "post",
    path: "/compile",
    operationId: "compile",
    summary: "Compiles a project, or validates it",
    description: "One JSON document, or Server-Sent Events for `Accept: text/event-stream`. " +
      "In a stream, mistakes are an `error` event. A body may be compressed with gzip.",
    security: [{ key: [] }, { session: [] }],
    request: {
      query: z.object({ complete: COMPLETE.default("true") }),
      headers: z.object({ [HEADERS.streamProtocol]: STREAM_PROTOCOL.default("v1") }),
      body: { required: true, content: { [JSON_TYPE]: { schema: COMPILE_BODY } } },
    },
    responses: {
      200: {
        description: "What was compiled",
        headers: headers({
          ...named,
          "server-timing": z.string().optional(),
          [HEADERS.streamProtocol]: STREAM_PROTOCOL.optional(),
        }),
        content: {
          [JSON_TYPE]: { schema: schemas.COMPILE_RESULT },
          [STREAM_TYPE]: { schema: z.string() },
        },
      },
      400: problem("Mistakes in the project or in the request", named),
      401: problem("No key or session that is known", {
        ...named,
        "www-authenticate": z.string(),
      }),
      408: problem("It took too long", named),
      413: problem("It is too large", named),
      415: problem("It is encoded in another way than JSON, plain or with gzip", {
        ...named,
        "accept-encoding": z.string().optional(),
      }),
      500: problem(FAILED_TEXT, named),
      503: busy(named),
    },
  });
}

function answer(description: string, schema: z.ZodType) {
  return { description, headers: headers(), content: { [JSON_TYPE]: { schema } } };
}

function problem(description: string, own: z.ZodRawShape = {}) {
  return {
    description,
    headers: headers(own),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: schemas.PROBLEM } },
  };
}

/** Returns the headers of every answer, with further ones. */
function headers(own: z.ZodRawShape = {}) {
  return z.object({ [HEADERS.requestId]: z.string().min(1), ...own });
}

const FAILED_TEXT = "A failure of the service";
const FAILED = problem(FAILED_TEXT);

const BUSY = busy({});

function busy(own: z.ZodRawShape) {
  return problem("Too much is under way, or the compiler does not answer", {
    ...own,
    [HEADERS.retryAfter]: z.int(),
  });
}
