/** Soft-deleted records are seen and brought back by those who may (contract 3.1). */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const member: Claims = { sub: "user_2", orgId: "org_1", roles: ["member"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

function file(name: string, columns: string, rest = ""): readonly [string, string] {
  const targets = new Set([...columns.matchAll(/\(\) => (\w+)\.id/g)].map(([, target]) => target));
  const imports = [...targets].filter((target) => target !== name)
    .map((target) => `import ${target} from "../${target}/${target}.ts";\n`);
  return [
    `quickback/features/${name}/${name}.ts`,
    `import { feature, q } from "quickback";
${imports.join("")}
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false,
  read: {
    access: { roles: ["admin", "member"] },
    views: { named: { fields: ["id", "name"], aggregations: { all: { fn: "count" } } } },
  },
  create: { access: { roles: ["admin", "member"] } },
  update: { access: { roles: ["admin", "member"] } },
  delete: {
    access: { roles: ["admin", "member"] },
    restore: { access: { roles: ["admin"] } },
  },
  ${rest}
});
`,
  ];
}

const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": 'export default { name: "restores" };\n',
  ...Object.fromEntries([
    file("firms", "name: q.text().unique(), version: q.revision()"),
    file("crews", "name: q.text(), firmId: q.text().references(() => firms.id)"),
    file(
      "desks",
      "name: q.text(), crewId: q.text().references(() => crews.id), firmId: q.text().references(() => firms.id)",
    ),
    file(
      "notes",
      'name: q.text(), ownerId: q.scope("owner"), firmId: q.text().references(() => firms.id)',
      'masking: { name: { type: "redact", show: { roles: ["auditor"] } } },',
    ),
    file(
      "badges",
      'name: q.text(), firmId: q.text().references(() => firms.id, { onDelete: "set null" })',
    ),
    file("folders", "name: q.text(), folderId: q.text()"),
  ]),
};

async function add(api: ApiUnderTest, path: string, body: unknown, as = admin): Promise<string> {
  const answer = await api.ask(path, { as, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function remove(api: ApiUnderTest, path: string, as = admin): Promise<void> {
  assertEquals((await api.ask(path, { as, method: "DELETE" })).status, 200);
}

function restore(api: ApiUnderTest, path: string, as = admin): Promise<Answer> {
  return api.ask(`${path}/restore`, { as, method: "POST" });
}

/** The names on a page, and its total. */
async function listed(api: ApiUnderTest, path: string, as = admin): Promise<readonly unknown[]> {
  const { body } = await api.ask(`${path}${path.includes("?") ? "&" : "?"}total=true&sort=id`, {
    as,
  });
  const { data, pagination } = body;
  const names = Array.isArray(data) ? data.map(({ name }) => name).sort() : [body["code"]];
  return isRecord(pagination) ? [...names, pagination["total"]] : names;
}

async function reaches(api: ApiUnderTest, ...paths: readonly string[]): Promise<readonly number[]> {
  const answers = await Promise.all(paths.map((path) => api.ask(path, { as: admin })));
  return answers.map(({ status }) => status);
}

Deno.test("a restored record is bare, counted up and stamped; what its deletion took along comes back", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const crewId = await add(api, "crews", { name: "Red", firmId });
    const deskId = await add(api, "desks", { name: "Low", firmId, crewId });
    const earlier = await add(api, "crews", { name: "Blue", firmId });
    const badgeId = await add(api, "badges", { name: "Gold", firmId });
    await remove(api, `crews/${earlier}`);
    api.pass(1000);
    await remove(api, `firms/${firmId}`);
    api.pass(1000);
    const answer = await restore(api, `firms/${firmId}`);
    const { id, name, version, deletedAt, deletedBy, modifiedAt, modifiedBy } = answer.body;
    assertEquals(
      [answer.status, id, name, version, deletedAt, deletedBy, modifiedAt, modifiedBy],
      [200, firmId, "Acme", 3, null, null, "2026-01-02T03:04:07.678Z", "user_1"],
    );
    assertEquals(answer.headers.get("etag"), '"3"');
    // What another deletion stamped stays; a cleared key stays cleared.
    assertEquals(await reaches(api, `crews/${crewId}`, `desks/${deskId}`, `crews/${earlier}`), [
      200,
      200,
      403,
    ]);
    assertEquals((await api.ask(`badges/${badgeId}`, { as: admin })).body["firmId"], null);
  });
});

Deno.test("If-Match on a restore names the revision of the deleted record", async () => {
  await withDefinitions(FILES, async (api) => {
    const id = await add(api, "firms", { name: "Acme" });
    await remove(api, `firms/${id}`);
    const ask = async (tag: string, as = admin) => {
      const headers = { "if-match": tag };
      const path = `firms/${id}/restore`;
      const { status, body } = await api.ask(path, { as, method: "POST", headers });
      return [status, body["code"]];
    };
    assertEquals(await ask('"1"'), [412, "PRECONDITION_FAILED"]);
    // Who may not see it learns nothing of its revision.
    assertEquals(await ask('"2"', stranger), [403, "FIREWALL_NOT_FOUND"]);
    assertEquals(await ask('"2"', member), [403, "ACCESS_ROLE_REQUIRED"]);
    assertEquals(await reaches(api, `firms/${id}`), [403]);
    assertEquals(await ask('"2"'), [200, undefined]);
    assertEquals(await ask('"2"'), [412, "PRECONDITION_FAILED"]);
    assertEquals(await ask('"3"'), [409, "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"]);
    const note = await add(api, "notes", { name: "Memo" });
    await remove(api, `notes/${note}`);
    const unanchored = await api.ask(`notes/${note}/restore`, {
      as: admin,
      method: "POST",
      headers: { "if-match": '"1"' },
    });
    assertEquals([unanchored.status, unanchored.body["code"]], [428, "PRECONDITION_UNSUPPORTED"]);
  });
});

Deno.test("only what is deleted is restored, by those who may, within their own organization", async () => {
  await withDefinitions(FILES, async (api) => {
    const id = await add(api, "firms", { name: "Acme" });
    const codes = async () => {
      const callers = [admin, member, stranger];
      const answers = await Promise.all(callers.map((as) => restore(api, `firms/${id}`, as)));
      return answers.map(({ body }) => body["code"]);
    };
    const others = ["ACCESS_ROLE_REQUIRED", "FIREWALL_NOT_FOUND"];
    assertEquals(await codes(), ["ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", ...others]);
    await remove(api, `firms/${id}`);
    const [, ...refused] = await Promise.all(
      [member, member, stranger].map((as) => restore(api, `firms/${id}`, as)),
    );
    assertEquals(refused.map(({ body }) => body["code"]), others);
    assertEquals((await restore(api, "firms/nobody")).body["code"], "FIREWALL_NOT_FOUND");
    assertEquals((await restore(api, `firms/${id}`)).status, 200);
  });
});

Deno.test("a record whose parent is deleted waits for it, and so does one of two parents", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const otherId = await add(api, "firms", { name: "Umbrella" });
    const crewId = await add(api, "crews", { name: "Red", firmId });
    const deskId = await add(api, "desks", { name: "Low", firmId: otherId, crewId });
    await remove(api, `firms/${firmId}`);
    api.pass(1000);
    const early = await restore(api, `crews/${crewId}`);
    assertEquals([early.status, early.body["code"], early.body["detail"]], [
      409,
      "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
      "A record that it belongs to is still deleted",
    ]);
    assertEquals(await reaches(api, `crews/${crewId}`), [403]);
    await remove(api, `firms/${otherId}`);
    assertEquals((await restore(api, `firms/${firmId}`)).status, 200);
    assertEquals(await reaches(api, `crews/${crewId}`, `desks/${deskId}`), [200, 403]);
    assertEquals((await restore(api, `firms/${otherId}`)).status, 200);
    assertEquals((await restore(api, `desks/${deskId}`)).status, 200);
  });
});

Deno.test("a value that was taken meanwhile keeps the record deleted, with all below it", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const crewId = await add(api, "crews", { name: "Red", firmId });
    await remove(api, `firms/${firmId}`);
    await add(api, "firms", { name: "Acme" });
    const { status, body } = await restore(api, `firms/${firmId}`);
    assertEquals([status, body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
    assertEquals(await reaches(api, `firms/${firmId}`, `crews/${crewId}`), [403, 403]);
  });
});

Deno.test("rows below that the caller could not touch stay deleted", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const own = await add(api, "notes", { name: "mine", firmId });
    const theirs = await add(api, "notes", { name: "theirs", firmId }, member);
    await remove(api, `notes/${theirs}`, member);
    await remove(api, `firms/${firmId}`);
    const sql = "UPDATE notes SET deleted_by = 'user_1'";
    await api.database.write((transaction) => transaction.run({ sql, args: [] }));
    assertEquals((await restore(api, `firms/${firmId}`)).status, 200);
    assertEquals(await reaches(api, `notes/${own}`), [200]);
    const { rows } = await api.database.run({
      sql: "SELECT count(*) FROM notes WHERE deleted_at IS NOT NULL",
      args: [],
    });
    assertEquals(rows, [[1]]);
  });
});

Deno.test("lists and views show deleted records to those who may restore them", async () => {
  await withDefinitions(FILES, async (api) => {
    await add(api, "firms", { name: "Acme" });
    const gone = await add(api, "firms", { name: "Gone" });
    await add(api, "firms", { name: "Elsewhere" }, stranger);
    await remove(api, `firms/${gone}`);
    assertEquals(await listed(api, "firms"), ["Acme", 1]);
    assertEquals(await listed(api, "firms?deleted=only"), ["Gone", 1]);
    assertEquals(await listed(api, "firms?deleted=with"), ["Acme", "Gone", 2]);
    assertEquals(await listed(api, "firms/views/named?deleted=with"), ["Acme", "Gone", 2]);
    assertEquals(await listed(api, "firms?deleted=only&name=Acme"), [0]);
    assertEquals(await listed(api, "firms?deleted=only", member), ["ACCESS_ROLE_REQUIRED"]);
    assertEquals(await listed(api, "firms?deleted=no"), ["VALIDATION_INVALID_INPUT"]);
    assertEquals(await listed(api, "firms?deleted=only", stranger), [0]);
  });
});

Deno.test("a walk by cursor goes over deleted records as over others, and masks hold", async () => {
  await withDefinitions(FILES, async (api) => {
    for (const name of ["a", "b", "c"]) {
      await remove(api, `notes/${await add(api, "notes", { name })}`);
    }
    const seen: unknown[] = [];
    let path = "notes?deleted=only&limit=1&sort=createdAt";
    for (;;) {
      const { body } = await api.ask(path, { as: admin });
      const { data, pagination } = body;
      if (Array.isArray(data)) seen.push(...data.map(({ name }) => name));
      const next = isRecord(pagination) ? pagination["nextCursor"] : null;
      if (typeof next !== "string") break;
      path = `notes?deleted=only&limit=1&sort=createdAt&starting_after=${next}`;
    }
    assertEquals(seen, ["[REDACTED]", "[REDACTED]", "[REDACTED]"]);
  });
});

Deno.test("a repeated key answers again, and nothing is restored twice", async () => {
  await withDefinitions(FILES, async (api) => {
    const id = await add(api, "firms", { name: "Acme" });
    await remove(api, `firms/${id}`);
    const ask = () =>
      api.ask(`firms/${id}/restore`, {
        as: admin,
        method: "POST",
        headers: { "Idempotency-Key": "once" },
      });
    const [first, again] = [await ask(), await ask()];
    assertEquals([first.status, again.status, again.text], [200, 200, first.text]);
  });
});

function codesFor(firms: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const path = "quickback/features/firms/firms.ts";
  const validation = validate({
    ...FILES,
    [path]: (FILES[path] ?? "").replace("delete: {", firms),
    ...more,
  });
  return validation.ok ? [] : validation.errors.map(({ code }) => code);
}

Deno.test("what is removed for good is not restored, and no action takes the route's name", () => {
  assertEquals(codesFor("delete: {"), []);
  assertEquals(codesFor('delete: { mode: "hard",'), ["RESTORE_HARD"]);
  const action = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Restore",
  input: z.object({}),
  access: { roles: ["admin"] },
  execute: () => ({ ok: true }),
});
`;
  const actions = { "quickback/features/firms/actions/restore.ts": action };
  assertEquals(codesFor("delete: {", actions), ["ACTION_PATH_RESERVED"]);
});

Deno.test("there is no batch of restores, and its path names no record", async () => {
  await withDefinitions(FILES, async (api) => {
    for (const as of [admin, member, stranger, undefined]) {
      const ask = { method: "POST", ...(as === undefined ? {} : { as }) };
      const { status, body } = await api.ask("firms/batch/restore", ask);
      assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"]);
    }
  });
});
