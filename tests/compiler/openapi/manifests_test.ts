import { assert, assertEquals } from "@std/assert";
import { emitOpenApi } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { emitOperationsManifest } from "../../../shared/compiler/phases/6-emit/operations_manifest.ts";
import { emitSchemaRegistry } from "../../../shared/compiler/phases/6-emit/schema_registry.ts";
import { model } from "../../support/sample_model.ts";

interface Entry {
  readonly operationId: string;
  readonly kind: string;
  readonly auth: { readonly roles: readonly string[] };
}

const manifest: readonly Entry[] = JSON.parse(emitOperationsManifest(model));

Deno.test("the manifest lists what the description lists, sorted by operation id", () => {
  const ids = manifest.map((entry) => entry.operationId);
  assertEquals(ids, [...new Set(ids)].sort());
  const described = [...emitOpenApi(model).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  assertEquals([...described].sort(), ids);
});

Deno.test("a manifest entry has exactly the contract's members", () => {
  const entry = (id: string) => manifest.find(({ operationId }) => operationId === id);
  assertEquals<unknown>(entry("updateTickets"), {
    operationId: "updateTickets",
    method: "PATCH",
    path: "/api/v1/tickets/:id",
    auth: { required: true, roles: ["agent"], record: true },
    feature: "desk",
    kind: "update",
  });
  assertEquals<unknown>(entry("listArticles"), {
    operationId: "listArticles",
    method: "GET",
    path: "/api/v1/articles",
    auth: { required: false, roles: ["PUBLIC"], record: false },
    feature: "desk",
    kind: "list",
  });
  assertEquals<unknown>(entry("serviceToken"), {
    operationId: "serviceToken",
    method: "POST",
    path: "/api/v1/token",
    auth: { required: true, roles: ["SESSION"], record: false },
    feature: null,
    kind: "service",
  });
});

Deno.test("the manifest names who queues a job across tenants", () => {
  const jobs = [
    { name: "plain", module: "quickback/jobs/plain.ts", timeout: 60 },
    { name: "own", module: "quickback/jobs/own.ts", timeout: 60, unsafe: unsafe(false) },
    { name: "across", module: "quickback/jobs/across.ts", timeout: 60, unsafe: unsafe(true) },
  ];
  const entries: readonly Entry[] = JSON.parse(
    emitOperationsManifest({ ...model, authored: { ...model.authored, jobs } }),
  );
  const roles = Object.fromEntries(
    entries.filter(({ kind }) => kind === "job").map((
      { operationId, auth },
    ) => [operationId, auth.roles]),
  );
  assertEquals(roles, { "jobs.across": ["sysadmin"], "jobs.own": [], "jobs.plain": [] });
});

function unsafe(crossTenant: boolean) {
  return { reason: "Why", crossTenant };
}

interface Registry {
  readonly resources: readonly (Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly columns: readonly { readonly name: string }[];
  })[];
}

const registry: Registry = JSON.parse(emitSchemaRegistry(model));

function resourceNamed(name: string) {
  const found = registry.resources.find((resource) => resource.name === name);
  if (!found) throw new Error(`The registry has no resource "${name}"`);
  return found;
}

Deno.test("the registry tells of each column what a form needs", () => {
  const column = (resource: string, name: string) =>
    resourceNamed(resource).columns.find((one) => one.name === name);
  assertEquals<unknown>(column("tickets", "customerId"), {
    name: "customerId",
    type: "text",
    required: false,
    nullable: true,
    default: null,
    enum: null,
    maxLength: null,
    managedBy: "client",
    searchable: false,
    references: { table: "customers", column: "id", onDelete: null, display: "name" },
    mask: null,
  });
  assertEquals<unknown>(column("tickets", "status"), {
    name: "status",
    type: "enum",
    required: false,
    nullable: false,
    default: { kind: "literal", value: "open" },
    enum: ["open", "closed"],
    maxLength: null,
    managedBy: "client",
    searchable: false,
    references: null,
    mask: null,
  });
  assertEquals<unknown>(column("customers", "email"), {
    name: "email",
    type: "text",
    required: true,
    nullable: false,
    default: null,
    enum: null,
    maxLength: 200,
    managedBy: "client",
    searchable: true,
    references: null,
    mask: {
      type: "email",
      showRoles: ["admin"],
      showOwner: true,
      queryRoles: ["admin"],
      automatic: false,
    },
  });
});

Deno.test("the registry's guards are the fields that a body may really carry", () => {
  assertEquals(resourceNamed("customers")["guards"], {
    createable: ["name", "email", "phone", "tier", "balance"],
    updatable: ["name", "email", "phone", "tier", "balance"],
    immutable: [],
    protected: {},
  });
  assertEquals(resourceNamed("articles")["guards"], {
    createable: ["title", "secretNote"],
    updatable: [],
    immutable: [],
    protected: {},
  });
});

Deno.test("input hints and layouts pass unchanged", () => {
  const inputHints = { subject: { control: "textarea", "__proto__x": [1, null] } };
  const layouts = [{ columns: 2 }];
  const resources = model.resources.map((resource) => ({ ...resource, inputHints, layouts }));
  const emitted: Registry = JSON.parse(emitSchemaRegistry({ ...model, resources }));
  assert(emitted.resources.length > 0);
  for (const resource of emitted.resources) {
    assertEquals([resource["inputHints"], resource["layouts"]], [inputHints, layouts]);
  }
});

Deno.test("equal models give equal bytes", () => {
  const copy = structuredClone(model);
  assertEquals(emitSchemaRegistry(copy), emitSchemaRegistry(model));
  assertEquals(emitOperationsManifest(copy), emitOperationsManifest(model));
});
