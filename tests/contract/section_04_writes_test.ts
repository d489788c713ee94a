/** Create, update and delete through guards and validation (contract 3.1, 4.1). */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type ApiUnderTest, type Ask, isRecord, withApi } from "../support/api.ts";
import { model as desk } from "../support/sample_model.ts";
import { project } from "../support/sample_project.ts";

const test = ofOneDatabase("an id is taken within its organization's database alone");

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const agent = { ...admin, sub: "user_2", roles: ["agent"] };
const member = { ...admin, sub: "user_3", roles: ["member"] };

async function newProject(api: ApiUnderTest, name = "Apollo"): Promise<string> {
  const { body } = await api.ask("projects", { as: admin, body: { name } });
  return String(body["id"]);
}

async function newTask(api: ApiUnderTest, as = member): Promise<string> {
  const projectId = await newProject(api);
  const { body } = await api.ask("tasks", { as, body: { projectId, title: "Fly" } });
  return String(body["id"]);
}

interface Refused {
  readonly what: string;
  readonly body: unknown;
  readonly code: string;
  readonly fields: unknown;
  readonly pointer?: string;
}

const CREATES: readonly Refused[] = [
  {
    what: "an unknown column",
    body: { name: "a", nope: 1 },
    code: "GUARD_FIELD_NOT_CREATEABLE",
    fields: ["nope"],
    pointer: "/nope",
  },
  {
    what: "a system column before all others",
    body: { nope: 1, createdAt: "x", deletedBy: null },
    code: "GUARD_SYSTEM_MANAGED",
    fields: ["createdAt", "deletedBy"],
    pointer: "/createdAt",
  },
  { what: "an id", body: { id: "x", name: "a" }, code: "GUARD_SYSTEM_MANAGED", fields: ["id"] },
  {
    what: "a missing required column",
    body: {},
    code: "VALIDATION_ERROR",
    fields: { name: "Required" },
    pointer: "/name",
  },
  {
    what: "null in a required column",
    body: { name: null },
    code: "VALIDATION_ERROR",
    fields: { name: "Must not be null" },
    pointer: "/name",
  },
  {
    what: "wrong types, all of them at once",
    body: { name: 1, isPublic: "true", budget: "1" },
    code: "VALIDATION_ERROR",
    fields: {
      name: "Must be text",
      isPublic: "Must be true or false",
      budget: "Must be a number",
    },
    pointer: "/name",
  },
  {
    what: "a text beyond its length",
    body: { name: "é".repeat(101) },
    code: "VALIDATION_ERROR",
    fields: { name: "Must be at most 100 characters" },
  },
];

for (const { what, body, code, fields, pointer } of CREATES) {
  Deno.test(`a create with ${what} is refused with ${code}, and nothing is written`, async () => {
    await withApi(project, async (api) => {
      const answer = await api.ask("projects", { as: admin, body });
      assertEquals([answer.status, answer.body["code"]], [400, code]);
      assertEquals(answer.body["details"], { fields });
      if (pointer) assertEquals(answer.body["pointer"], pointer);
      const { body: list } = await api.ask("projects?total=true", { as: admin });
      assertEquals(list["data"], []);
    });
  });
}

Deno.test("an empty text is a value, and text of exactly the length fits", async () => {
  await withApi(project, async (api) => {
    assertEquals((await api.ask("projects", { as: admin, body: { name: "" } })).status, 201);
    const long = { name: "😀".repeat(100) };
    assertEquals((await api.ask("projects", { as: admin, body: long })).status, 201);
  });
});

const UPDATES: readonly (Refused & { readonly resource: "projects" | "tasks" })[] = [
  {
    resource: "tasks",
    what: "an immutable column",
    body: { projectId: "x", title: "y" },
    code: "GUARD_FIELD_IMMUTABLE",
    fields: ["projectId"],
  },
  {
    resource: "tasks",
    what: "a column that no update may write",
    body: { status: "done" },
    code: "GUARD_FIELD_NOT_UPDATABLE",
    fields: ["status"],
  },
  {
    resource: "tasks",
    what: "the revision",
    body: { revision: 7 },
    code: "GUARD_SYSTEM_MANAGED",
    fields: ["revision"],
  },
  {
    resource: "projects",
    what: "null in a required column",
    body: { name: null },
    code: "VALIDATION_ERROR",
    fields: { name: "Must not be null" },
  },
];

for (const { resource, what, body, code, fields } of UPDATES) {
  Deno.test(`an update of ${resource} with ${what} is refused with ${code}`, async () => {
    await withApi(project, async (api) => {
      const id = resource === "tasks" ? await newTask(api, admin) : await newProject(api);
      const answer = await api.ask(`${resource}/${id}`, { as: admin, method: "PATCH", body });
      assertEquals([answer.status, answer.body["code"]], [400, code]);
      assertEquals(answer.body["details"], { fields });
    });
  });
}

Deno.test("a field that only an action writes is protected", async () => {
  await withApi(desk, async (api) => {
    const ticket = { subject: "Help", phone: "1234567" };
    const { body } = await api.ask("tickets", { as: agent, body: ticket });
    assertEquals(body["code"], "GUARD_FIELD_PROTECTED");
  });
});

Deno.test("an update leaves omitted columns alone, and null clears a nullable one", async () => {
  await withApi(project, async (api) => {
    const id = await newProject(api);
    const patch = (body: unknown) =>
      api.ask(`projects/${id}`, { as: admin, method: "PATCH", body });
    const set = await patch({ budget: 5, settings: { a: 1 } });
    assertEquals([set.body["budget"], set.body["settings"]], [5, { a: 1 }]);
    const cleared = await patch({ budget: null });
    assertEquals([cleared.body["budget"], cleared.body["settings"]], [null, { a: 1 }]);
  });
});

Deno.test("a write whose row condition fails is refused, and asks for ownership by its name", async () => {
  await withApi(desk, async (api) => {
    const { body: { id } } = await api.ask("tickets", { as: admin, body: { subject: "Help" } });
    const ask: Ask = { as: agent, method: "PATCH", body: { subject: "Mine" } };
    const foreign = await api.ask(`tickets/${id}`, ask);
    assertEquals([foreign.status, foreign.body["code"]], [403, "ACCESS_OWNERSHIP_REQUIRED"]);
    const own = await api.ask("tickets", { as: agent, body: { subject: "Help" } });
    assertEquals((await api.ask(`tickets/${own.body["id"]}`, ask)).status, 200);
  });
});

Deno.test("a create is judged by its access rule's row condition, and undone when it fails", async () => {
  const rule: ProjectModel = {
    ...project,
    resources: project.resources.map((resource) =>
      resource.name === "projects" && resource.create
        ? { ...resource, create: { ...resource.create, access: publicProjectsOnly } }
        : resource
    ),
  };
  await withApi(rule, async (api) => {
    const create = (isPublic: boolean) =>
      api.ask("projects", { as: member, body: { name: `public ${isPublic}`, isPublic } });
    const refused = await create(false);
    assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_CONDITION_FAILED"]);
    assertEquals((await create(true)).status, 201);
    const { body } = await api.ask("projects?fields=name", { as: admin });
    assertEquals(body["data"], [{ name: "public true" }]);
  });
});

const publicProjectsOnly = {
  kind: "all",
  of: [
    { kind: "roles", roles: ["member"] },
    {
      kind: "record",
      conditions: [{
        column: "isPublic",
        operator: "equals",
        operand: { kind: "literal", value: true },
      }],
    },
  ],
} as const;

Deno.test("a list shows the rows of the condition alone, and a total counts no more", async () => {
  await withApi(project, async (api) => {
    const id = await newTask(api, member);
    const list = async (as: typeof member) => {
      const { body } = await api.ask("tasks?total=true&fields=id", { as });
      assert(isRecord(body["pagination"]));
      return [body["data"], body["pagination"]["total"]];
    };
    assertEquals(await list(member), [[{ id }], 1]);
    assertEquals(await list({ ...member, sub: "user_4" }), [[], 0]);
    assertEquals(await list(admin), [[{ id }], 1]);
  });
});

Deno.test("a mask covers a write's own answer too", async () => {
  await withApi(project, async (api) => {
    const id = await newTask(api, member);
    const ask = { method: "PATCH", body: { assigneeEmail: "jane.doe@example.com" } };
    const access = await api.ask(`tasks/${id}`, { ...ask, as: admin });
    assertEquals(access.body["assigneeEmail"], "jane.doe@example.com");
    const seen = await api.ask(`tasks/${id}`, { as: member });
    assertEquals(seen.body["assigneeEmail"], "jane.doe@example.com");
  });
});

Deno.test("a soft-deleted record is gone everywhere, and its unique value is free again", async () => {
  await withApi(project, async (api) => {
    const id = await newProject(api);
    const { status, body } = await api.ask(`projects/${id}`, { as: admin, method: "DELETE" });
    assertEquals([status, body], [200, { success: true }]);
    assertEquals((await api.ask("projects", { as: admin })).body["data"], []);
    const again = await api.ask(`projects/${id}`, { as: admin, method: "DELETE" });
    assertEquals(again.body["code"], "FIREWALL_SOFT_DELETED");
    assertEquals((await api.ask("projects", { as: admin, body: { name: "Apollo" } })).status, 201);
  });
});

Deno.test("a hard-deleted record leaves nothing", async () => {
  await withApi(project, async (api) => {
    const id = await newTask(api);
    assertEquals((await api.ask(`tasks/${id}`, { as: admin, method: "DELETE" })).status, 200);
    assertEquals((await api.ask(`tasks/${id}`, { as: admin })).status, 404);
    const { rows } = await api.database.run({ sql: "SELECT count(*) FROM tasks", args: [] });
    assertEquals(rows, [[0]]);
  });
});

test("a client's id is taken where the table allows it, in its form, once", async () => {
  await withApi(desk, async (api) => {
    const id = "0b2a8f5e-6f0e-4a7e-9d6c-1f2e3d4c5b6a";
    const create = (body: unknown, orgId = "org_1") =>
      api.ask("articles", { as: { ...admin, orgId }, body });
    assertEquals((await create({ id: "nope", title: "a" })).body["code"], "VALIDATION_ERROR");
    assertEquals((await create({ id, title: "a" })).body["id"], id);
    for (const orgId of ["org_1", "org_2"]) {
      const { status, body } = await create({ id, title: "b" }, orgId);
      assertEquals([status, body["code"], body["details"]], [
        409,
        "DB_UNIQUE_VIOLATION",
        undefined,
      ]);
    }
  });
});

Deno.test("a unique violation names its column, unless the column is masked for the caller", async () => {
  await withApi(desk, async (api) => {
    const customer = { name: "Jane", email: "jane@example.com" };
    const create = () => api.ask("customers", { as: admin, body: customer });
    await create();
    const { status, body } = await create();
    assertEquals([status, body["details"], body["pointer"]], [409, { column: "email" }, "/email"]);
  });
  const open: ProjectModel = {
    ...desk,
    resources: desk.resources.map((resource) =>
      resource.create ? { ...resource, create: { ...resource.create, access: agents } } : resource
    ),
  };
  await withApi(open, async (api) => {
    const create = () =>
      api.ask("customers", { as: agent, body: { name: "Jane", email: "jane@example.com" } });
    await create();
    const { status, body } = await create();
    assertEquals([status, body["details"], body["pointer"]], [409, undefined, undefined]);
  });
});

const agents = { kind: "roles", roles: ["agent"] } as const;
