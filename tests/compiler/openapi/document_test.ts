import { assert, assertEquals } from "@std/assert";
import {
  emitOpenApi,
  openApiDocument,
} from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { operationsOf } from "../../../shared/surface/operations.ts";
import { schemaExample } from "../../../shared/lib/schema_example.ts";
import { validatorsOf } from "../../support/openapi_check.ts";
import { projectWithBatches } from "../../support/batch_project.ts";
import { manyResources } from "../../support/many_resources.ts";
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

Deno.test("equal models give equal bytes, without indentation, ended by a line break", () => {
  const text = emitOpenApi(structuredClone(model));
  assertEquals(text, emitOpenApi(model));
  assertEquals(text, `${JSON.stringify(JSON.parse(text))}\n`);
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
      const statuses = members(operation, "responses").map(([status]) => status);
      // The link of a message leads on, and does nothing else.
      assert(statuses.some((status) => /^[123]/.test(status)), path);
      assert(statuses.some((status) => status.startsWith("4")), path);
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

Deno.test("every example is valid against the schema that it stands in or beside", () => {
  for (const [name, project] of MODELS) {
    const document = parsed(emitOpenApi(project));
    const validators = validatorsOf(document);
    let count = 0;
    for (const [place, object] of objectsBelow(document)) {
      const pointer = place.slice(2).split("/").map((key) => key.replaceAll("~1", "/"));
      const own = Array.isArray(object["examples"]) ? object["examples"] : [];
      const beside = members(object, "examples").map(([, one]) => member(one, "value"));
      for (const example of own) {
        assertEquals(validators.faults(pointer, example), [], `${name}: ${place}`);
      }
      if (isObject(object["schema"])) {
        const values = "example" in object ? [object["example"], ...beside] : beside;
        for (const example of values) {
          const faults = validators.faults([...pointer, "schema"], example);
          assertEquals(faults, [], `${name}: ${place}`);
        }
        count += values.length;
      }
      count += own.length;
    }
    assert(count > 5, name);
  }
});

Deno.test("every request body has an example, or its members say one that its schema accepts", () => {
  for (const [name, project] of MODELS) {
    const document = parsed(emitOpenApi(project));
    const validators = validatorsOf(document);
    const resolve = (reference: string) =>
      Object(member(document, ...reference.slice(2).split("/")));
    for (const { path, method, operation } of operationsIn(document)) {
      for (const [type, content] of members(operation, "requestBody", "content")) {
        const [example] = members(content, "examples").map(([, one]) => member(one, "value"));
        const value = example ?? schemaExample(Object(member(content, "schema")), resolve);
        const pointer = ["paths", path, method, "requestBody", "content", type, "schema"];
        assertEquals(validators.faults(pointer, value), [], `${name}: ${path}`);
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

/** What is checked, wherever it stands. */
function undescribed(schema: unknown): unknown {
  const { description: _, "x-masked": _mask, examples: _examples, ...rest } = resolved(schema);
  return rest;
}

function resolved(schema: unknown): Json {
  const reference = member(schema, "$ref");
  const target = typeof reference === "string"
    ? member(openApiDocument(model), ...reference.slice(2).split("/"))
    : schema;
  return isObject(target) ? target : {};
}

Deno.test("a column says what it holds, who writes it and who sees it whole", () => {
  const schemas = member(openApiDocument(model), "components", "schemas");
  const texts = (component: string, field: string) =>
    resolved(member(schemas, component, "properties", field))["description"];
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

Deno.test("the description of one resource stays below 120 kB, a further one below 15 kB", () => {
  const size = (count: number) => {
    const validation = validate(manyResources(count));
    if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
    return emitOpenApi(validation.model).length;
  };
  const [one, seven] = [size(1), size(7)];
  assert(one <= 120_000, `${one} bytes`);
  assert(seven - one <= 6 * 15_000, `${(seven - one) / 6} bytes each`);
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
