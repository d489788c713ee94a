/** Records, the collection envelope and problem documents: exactly the contract's members (contract 2). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ApiUnderTest, BASE_URL, isRecord, withApi } from "../support/api.ts";
import { project } from "../support/sample_project.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const NOW = "2026-01-02T03:04:05.678Z";

const create = (api: ApiUnderTest, name: string) =>
  api.ask("projects", { as: admin, body: { name } });

Deno.test("a created record is bare, has every column, its stamps and its scope", async () => {
  await withApi(project, async (api) => {
    const { status, body } = await api.ask("projects", {
      as: admin,
      body: { name: "Apollo", isPublic: true, settings: { deep: [1, null] } },
    });
    assertEquals(status, 201);
    assertMatch(String(body["id"]), /^project_[0-9a-f]{32}$/);
    assertEquals(body, {
      id: body["id"],
      organizationId: "org_1",
      name: "Apollo",
      isPublic: true,
      budget: null,
      settings: { deep: [1, null] },
      createdAt: NOW,
      createdBy: "user_1",
      modifiedAt: NOW,
      modifiedBy: body["modifiedBy"],
      deletedAt: null,
      deletedBy: null,
    });
  });
});

Deno.test("an update stamps who and when, and answers with every column", async () => {
  await withApi(project, async (api) => {
    const { body: { id, ...before } } = await create(api, "Apollo");
    api.pass(60_000);
    const { status, body } = await api.ask(`projects/${id}`, {
      as: { ...admin, sub: "user_2" },
      method: "PATCH",
      body: { budget: 1.5 },
    });
    assertEquals(status, 200);
    assertEquals(body, {
      id,
      ...before,
      budget: 1.5,
      modifiedAt: "2026-01-02T03:05:05.678Z",
      modifiedBy: "user_2",
    });
  });
});

Deno.test("a collection has exactly data, view and pagination", async () => {
  await withApi(project, async (api) => {
    for (const name of ["a", "b", "c"]) await create(api, name);
    const { body } = await api.ask("projects?limit=2&fields=name&sort=name", { as: admin });
    assertEquals(body, {
      data: [{ name: "a" }, { name: "b" }],
      view: null,
      pagination: {
        count: 2,
        page: 1,
        pageSize: 2,
        hasMore: true,
        nextCursor: isRecord(body["pagination"]) ? body["pagination"]["nextCursor"] : null,
        prevCursor: null,
      },
    });
  });
});

const PAGES: readonly (readonly [query: string, pagination: Record<string, unknown>])[] = [
  ["limit=2", { count: 2, page: 1, pageSize: 2, hasMore: true }],
  ["limit=2&offset=2", { count: 1, page: 2, pageSize: 2, hasMore: false }],
  ["limit=3", { count: 3, page: 1, pageSize: 3, hasMore: false }],
  ["limit=2&total=true", { count: 2, page: 1, hasMore: true, total: 3, totalPages: 2 }],
  ["limit=2&offset=2&total=true", { count: 1, page: 2, hasMore: false, total: 3, totalPages: 2 }],
  ["offset=9&total=true", { count: 0, page: 1, pageSize: 50, total: 3, totalPages: 1 }],
  ["limit=1000", { count: 3, pageSize: 100 }],
];

for (const [query, expected] of PAGES) {
  Deno.test(`a list of three with ${query} has ${JSON.stringify(expected)}`, async () => {
    await withApi(project, async (api) => {
      for (const name of ["a", "b", "c"]) await create(api, name);
      const { body } = await api.ask(`projects?${query}`, { as: admin });
      assert(isRecord(body["pagination"]));
      const { pagination } = body;
      const seen = Object.fromEntries(Object.keys(expected).map((key) => [key, pagination[key]]));
      assertEquals(seen, expected);
      assertEquals("total" in pagination, query.includes("total"));
    });
  });
}

Deno.test("a view answers with its name and its fields alone", async () => {
  await withApi(project, async (api) => {
    const { body: { id } } = await create(api, "Apollo");
    const { status, body } = await api.ask("projects/views/names", { as: admin });
    assertEquals([status, body["view"], body["data"]], [200, "names", [{ id, name: "Apollo" }]]);
  });
});

Deno.test("a label stands beside its foreign key", async () => {
  await withApi(project, async (api) => {
    const { body: { id } } = await create(api, "Apollo");
    const { body } = await api.ask("tasks", { as: admin, body: { projectId: id, title: "Fly" } });
    assertEquals([body["projectId"], body["project_label"]], [id, "Apollo"]);
  });
});

Deno.test("a problem document has exactly the contract's members", async () => {
  await withApi(project, async (api) => {
    const answer = await api.ask("projects?a=1&token=abc", {
      as: admin,
      body: { name: "x", nope: 1, password: "hunter2", deep: { apiKey: "k" } },
    });
    const { body, headers } = answer;
    assertEquals(headers.get("content-type"), "application/problem+json");
    assert(isRecord(body["request"]));
    const requestId = String(headers.get("x-request-id"));
    assertEquals(body, {
      type: `${BASE_URL}/problems/guard-field-not-createable`,
      title: "Field not createable",
      status: 400,
      instance: "/api/v1/projects",
      layer: "guards",
      code: "GUARD_FIELD_NOT_CREATEABLE",
      details: { fields: ["nope", "password", "deep"] },
      pointer: "/nope",
      hint: body["hint"],
      request: {
        method: "POST",
        url: `${BASE_URL}/api/v1/projects?a=1&token=[REDACTED]`,
        body: { name: "x", nope: 1, password: "[REDACTED]", deep: { apiKey: "[REDACTED]" } },
        requestId,
      },
    });
    assert(typeof body["hint"] === "string" && !answer.text.includes("hunter2"));
  });
});

Deno.test("a request refused before its body was needed still echoes it, unless authentication refused", async () => {
  await withApi(project, async (api) => {
    const body = { name: "x" };
    const refused = await api.ask("projects", { as: { ...admin, roles: [] }, body });
    const anonymous = await api.ask("projects", { body });
    assert(isRecord(refused.body["request"]) && isRecord(anonymous.body["request"]));
    assertEquals(refused.body["request"]["body"], body);
    assertEquals("body" in anonymous.body["request"], false);
  });
});

Deno.test("the echo of a large body stays within 4 KB", async () => {
  await withApi(project, async (api) => {
    const { body } = await api.ask("projects", { as: admin, body: { nope: "é".repeat(100_000) } });
    assert(isRecord(body["request"]));
    const size = new TextEncoder().encode(JSON.stringify(body["request"]["body"])).length;
    assert(size <= 4096 && size > 1000, `${size} bytes`);
  });
});

Deno.test("every answer carries a request id of our own and says who may keep it", async () => {
  await withApi(project, async (api) => {
    const kept = { projects: "private, no-cache", nope: "no-store", "/health": "no-store" };
    for (const [path, expected] of Object.entries(kept)) {
      const { headers } = await api.ask(path, { as: admin, headers: { "x-request-id": "forged" } });
      assertMatch(headers.get("x-request-id") ?? "", /^req_[0-9a-f]{24}$/);
      assertEquals(headers.get("cache-control"), expected);
      assertEquals(headers.get("x-content-type-options"), "nosniff");
    }
  });
});
