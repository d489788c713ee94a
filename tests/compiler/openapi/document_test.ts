import { Ajv2020 } from "ajv/2020";
import { assert, assertEquals } from "@std/assert";
import {
  emitOpenApi,
  openApiDocument,
} from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { operationsOf } from "../../../shared/surface/operations.ts";
import { openApiCheck } from "../../support/openapi_check.ts";
import { projectWithBatches } from "../../support/batch_project.ts";
import { model } from "../../support/sample_model.ts";
import { project as sample } from "../../support/sample_project.ts";

type Json = Record<string, unknown>;

const parsed = (text: string): Json => JSON.parse(text);
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function member(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => isObject(inner) ? inner[key] : undefined, value);
}

function members(value: unknown, ...keys: readonly string[]): [string, unknown][] {
  const found = member(value, ...keys);
  return isObject(found) ? Object.entries(found) : [];
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
}

function operationsIn(document: unknown): readonly Described[] {
  return members(document, "paths").flatMap(([path, item]) =>
    members(item).map(([method, operation]) => ({ path, method, operation }))
  );
}

/** Every object below a value, with its place. */
function* objectsBelow(value: unknown, place = "#"): Generator<readonly [string, Json]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsBelow(item, `${place}/${index}`);
  }
  if (!isObject(value)) return;
  yield [place, value];
  for (const [key, inner] of Object.entries(value)) {
    yield* objectsBelow(inner, `${place}/${key.replaceAll("/", "~1")}`);
  }
}

const MODELS: readonly (readonly [string, ProjectModel])[] = [
  ["desk", model],
  ["sample", sample],
  ["batches", projectWithBatches],
  ["v2 without tokens", {
    ...model,
    contract: "v2",
    auth: { ...model.auth, jwt: null },
  }],
  ["single-tenant, unpublished", {
    ...model,
    multiTenant: false,
    openapi: { ...model.openapi, publish: false },
  }],
  ["empty", { ...model, tables: [], resources: [] }],
];

Deno.test("equal models give equal bytes, indented and ended by a line break", () => {
  const text = emitOpenApi(structuredClone(model));
  assertEquals(text, emitOpenApi(model));
  assertEquals(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
});

Deno.test("paths are exactly the surface's operations besides the service's and the accounts'", () => {
  for (const [name, project] of MODELS) {
    const described = operationsIn(parsed(emitOpenApi(project)))
      .map(({ method, operation }) => `${method} ${member(operation, "operationId")}`)
      .filter((text) => !/ (service|auth)[A-Z]/.test(text));
    const implied = operationsOf(project).map(({ method, id }) => `${method.toLowerCase()} ${id}`);
    assertEquals([...described].sort(), [...implied].sort(), name);
  }
});

Deno.test("operation ids are unique, and every operation is described, secured and refusable", () => {
  for (const [name, project] of MODELS) {
    const operations = operationsIn(parsed(emitOpenApi(project)));
    const ids = operations.map(({ operation }) => member(operation, "operationId"));
    assertEquals(new Set(ids).size, ids.length, name);
    for (const { path, operation } of operations) {
      for (const text of ["summary", "description"]) {
        assert(String(member(operation, text) ?? "").length > 5, `${path} ${text}`);
      }
      assert(Array.isArray(member(operation, "security")), path);
      const statuses = members(operation, "responses").map(([status]) => Number(status));
      // The link of a message leads on, and does nothing else.
      assert(statuses.some((status) => status < 400), path);
      assert(statuses.some((status) => status >= 400 && status < 500), path);
    }
  }
});

Deno.test("every reference leads somewhere, and every component is referred to", () => {
  for (const [name, project] of MODELS) {
    const document = parsed(emitOpenApi(project));
    const references = [...objectsBelow(document)].flatMap(([, { $ref }]) =>
      typeof $ref === "string" ? [$ref] : []
    );
    for (const reference of references) {
      const target = member(document, ...reference.slice(2).split("/"));
      assert(target !== undefined, `${name}: ${reference}`);
    }
    for (const kind of ["schemas", "responses", "parameters", "headers"]) {
      for (const [component] of members(document, "components", kind)) {
        assert(
          references.includes(`#/components/${kind}/${component}`),
          `${name}: ${kind} ${component} is unused`,
        );
      }
    }
  }
});

Deno.test("every example is valid against the schema beside it", () => {
  for (const [name, project] of MODELS) {
    const text = emitOpenApi(project);
    const check = openApiCheck(text);
    let count = 0;
    for (const { path, method, operation } of operationsIn(parsed(text))) {
      for (const [status] of members(operation, "responses")) {
        for (const exchange of exampleExchanges(parsed(text), operation, status)) {
          assertEquals(check({ method, path, ...exchange }), [], `${name}: ${method} ${path}`);
          count++;
        }
      }
    }
    assert(count > 5, name);
  }
});

function exampleExchanges(document: Json, operation: unknown, status: string) {
  const declared = member(operation, "responses", status);
  const reference = member(declared, "$ref");
  const response = typeof reference === "string"
    ? member(document, ...reference.slice(2).split("/"))
    : declared;
  return members(response, "content").filter(([, content]) => member(content, "example"))
    .map(([mediaType, content]) => ({
      status: Number(status),
      headers: new Headers({
        "content-type": mediaType,
        "x-request-id": "req_1",
        ...(member(response, "headers", "ETag") ? { etag: '"1"' } : {}),
        ...(member(response, "headers", "Link") ? { link: "</x>; rel=api-catalog" } : {}),
        ...(member(response, "headers", "Location") ? { location: "/x" } : {}),
        ...(status === "401" ? { "www-authenticate": "Bearer" } : {}),
        ...(member(response, "headers", "Retry-After") ? { "retry-after": "60" } : {}),
      }),
      body: JSON.stringify(member(content, "example")),
    }));
}

Deno.test("every request body has an example that its schema accepts", () => {
  for (const [name, project] of MODELS) {
    const document = parsed(emitOpenApi(project));
    const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
    ajv.addSchema(document, "openapi");
    for (const { path, operation } of operationsIn(document)) {
      for (const [, content] of members(operation, "requestBody", "content")) {
        const schema = member(content, "schema");
        const reference = member(schema, "$ref");
        if (!isObject(schema)) throw new Error(`${path} has a body without a schema`);
        const validate = ajv.compile(
          typeof reference === "string" ? { $ref: `openapi${reference}` } : schema,
        );
        assertEquals(validate(member(content, "example")), true, `${name}: ${path}`);
      }
    }
  }
});

Deno.test("an anonymous caller is admitted to PUBLIC operations only", () => {
  const open = operationsIn(parsed(emitOpenApi(model)))
    .filter(({ operation }) => {
      const security = member(operation, "security");
      return Array.isArray(security) &&
        security.some((one) => isObject(one) && Object.keys(one).length === 0);
    })
    .map(({ operation }) => member(operation, "operationId"));
  assertEquals(open, ["listArticles", "getArticles", "viewArticles_Titles"]);
});

Deno.test("a record component says what contract 2.3 wants of it", () => {
  const schemas = member(openApiDocument(model), "components", "schemas");
  const ticket = member(schemas, "TicketsRecord", "properties");
  const rows: readonly (readonly [string, unknown])[] = [
    ["id", { type: "string", minLength: 1 }],
    ["subject", { type: "string", maxLength: 20 }],
    ["status", { type: "string", enum: ["open", "closed"] }],
    ["size", { type: ["string", "null"], enum: ["s", "m", null] }],
    ["urgent", { type: ["boolean", "null"] }],
    ["dueAt", { type: ["string", "null"], format: "date-time" }],
    ["link", { type: ["string", "null"], format: "uri", maxLength: 60 }],
    ["meta", {}],
    ["phone", { type: ["string", "null"] }],
    ["customer_label", { type: ["string", "null"] }],
    ["createdAt", { type: "string", format: "date-time" }],
    ["deletedAt", { type: ["string", "null"], format: "date-time" }],
  ];
  for (const [field, schema] of rows) {
    assertEquals(undescribed(member(ticket, field)), schema, field);
  }
  assertEquals(
    member(schemas, "TicketsRecord", "required"),
    Object.keys(isObject(ticket) ? ticket : {}),
  );
  const customer = member(schemas, "CustomersRecord", "properties");
  assertEquals(undescribed(member(customer, "tier")), { type: ["string", "null"] });
  assertEquals(undescribed(member(customer, "balance")), { type: ["integer", "string", "null"] });
  assertEquals(undescribed(member(schemas, "ArticlesRecord", "properties", "id")), {
    type: "string",
    format: "uuid",
  });
});

function undescribed(schema: unknown): unknown {
  const { description: _, "x-masked": _mask, ...rest } = isObject(schema) ? schema : {};
  return rest;
}

Deno.test("a column says what it holds, who writes it and who sees it whole", () => {
  const schemas = member(openApiDocument(model), "components", "schemas");
  const texts = (component: string, field: string) =>
    member(schemas, component, "properties", field, "description");
  const rows: readonly (readonly [string, string, string])[] = [
    ["TicketsRecord", "id", "Id of the record. Set by the service."],
    ["TicketsRecord", "createdAt", "When the record was created. Set by the service."],
    ["TicketsCreate", "subject", "Subject: text of at most 20 characters."],
  ];
  for (const [component, field, text] of rows) assertEquals(texts(component, field), text);
});

Deno.test("every member of every schema of ours is described", () => {
  const bare: string[] = [];
  function walk(value: unknown, path: string): void {
    if (Array.isArray(value)) value.forEach((one, index) => walk(one, `${path}/${index}`));
    if (!isObject(value)) return;
    const { properties } = value;
    if (isObject(properties) && !("$ref" in value)) {
      for (const [name, schema] of Object.entries(properties)) {
        const isTold = isObject(schema) && ("description" in schema || "$ref" in schema);
        if (!isTold) bare.push(`${path}/properties/${name}`);
      }
    }
    for (const [key, one] of Object.entries(value)) walk(one, `${path}/${key}`);
  }
  const { paths, components } = Object(openApiDocument(model));
  walk(member(components, "schemas"), "#/components/schemas");
  walk(paths, "#/paths");
  assertEquals(bare, []);
});

Deno.test("v1 lists the accounts under the alias, v2 under its own base", () => {
  const accountPaths = (project: ProjectModel) =>
    members(openApiDocument(project), "paths").map(([path]) => path)
      .filter((path) => path.includes("auth") && !path.startsWith("/.well-known/"));
  assert(accountPaths(model).every((path) => path.startsWith("/api/auth/")));
  assert(accountPaths({ ...model, contract: "v2" }).every((path) => path.startsWith("/auth/v2/")));
});

Deno.test("text from definitions stays text", () => {
  const hostile = 'x"},"paths":{}\n</script>`';
  const [first, ...rest] = model.resources;
  if (!first) throw new Error("The sample has no resources");
  const text = emitOpenApi({
    ...model,
    name: hostile,
    resources: [{ ...first, feature: hostile }, ...rest],
  });
  assertEquals(member(parsed(text), "info", "title"), hostile);
  assertEquals(
    members(parsed(text), "paths").length,
    members(openApiDocument(model), "paths").length,
  );
});
