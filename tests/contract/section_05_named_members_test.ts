/** `onMemberRemoved`: what becomes of rows that name a member who goes, whichever way they go (definitions 3). */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { createReleaseWork } from "../../shared/runtime/background/release_members.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type ApiUnderTest, isRecord } from "../support/api.ts";
import {
  founder,
  ORIGIN,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { listeningTo } from "../support/realtime.ts";
import { analyzed, CONFIG_FILE } from "../support/analysis.ts";

const OWNERS = '{ access: { roles: ["owner", "member"] } }';
const FILES = {
  [CONFIG_FILE]: 'export default { name: "tasks" };\n',
  "quickback/features/tasks/tasks.ts": `import { feature, q } from "quickback";
export default feature("tasks", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text(),
    keptId: q.account(),
    heldId: q.account({ onMemberRemoved: "restrict" }),
    freeId: q.account({ onMemberRemoved: "setNull" }),
    version: q.revision(),
  },
  guards: false, audit: { access: { roles: ["owner"] } },
  read: ${OWNERS}, create: ${OWNERS}, update: ${OWNERS},
  delete: { access: { roles: ["owner"] }, restore: ${OWNERS} },
});
`,
  "quickback/features/jobs/jobs.ts": `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: {
    organizationId: q.scope("organization"),
    mustId: q.account({ onMemberRemoved: "restrict" }).required(),
  },
  guards: false, read: ${OWNERS}, create: ${OWNERS},
});
`,
};

const TELLING = {
  ...FILES,
  [CONFIG_FILE]: 'export default { name: "tasks", realtime: { enabled: true } };\n',
  "quickback/features/tasks/tasks.ts": FILES["quickback/features/tasks/tasks.ts"]
    .replace("guards: false,", "guards: false, realtime: true,"),
};

function modelOf(files: Readonly<Record<string, string>>): ProjectModel {
  const validation = validate(files);
  if (!validation.ok) throw new Error(JSON.stringify(validation, null, 2));
  return validation.model;
}

interface Scene {
  readonly api: ApiUnderTest;
  readonly anna: Visitor;
  readonly ben: Visitor;
  readonly benId: string;
  readonly organizationId: string;
  /** The path and token of the newest message's link. */
  link(): readonly [path: string, token: string];
  /** Adds a task with these accounts. */
  task(columns: Readonly<Record<string, unknown>>): Promise<string>;
  read(id: string): Promise<Readonly<Record<string, unknown>>>;
  change(path: string, method: string, body?: unknown): Promise<number>;
}

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

function withTasks(body: (scene: Scene) => Promise<void>): Promise<void> {
  const sent: string[] = [];
  const email = {
    send: ({ text }: { readonly text: string }) => Promise.resolve(void sent.push(text)),
  };
  return withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const ben = await signedUp(api, "ben");
    const idOf = async (visitor: Visitor) => {
      const { body: { user } } = await visitor.ask("/auth/v1/get-session");
      return isRecord(user) ? String(user["id"]) : "";
    };
    const benId = await idOf(ben);
    const { rows } = await api.database.run({ sql: "SELECT id FROM auth_organization", args: [] });
    const organizationId = String(rows[0]?.[0]);
    await join(api, benId, organizationId);
    await ben.ask("/auth/v1/organization/set-active", { organizationId });
    const asked = { cookie: anna.cookie, ...ORIGIN };
    await body({
      api,
      anna,
      ben,
      benId,
      organizationId,
      link() {
        const { pathname, searchParams } = new URL(/http\S+/.exec(sent.at(-1) ?? "")?.[0] ?? "");
        return [pathname, searchParams.get("token") ?? pathname.split("/").at(-1) ?? ""];
      },
      async task(columns) {
        const made = await anna.ask("/api/v1/tasks", { title: "a", ...columns });
        assertEquals(made.status, 201, made.text);
        return String(made.body["id"]);
      },
      read: async (id) => (await anna.ask(`/api/v1/tasks/${id}`)).body,
      change: async (path, method, body) =>
        (await api.ask(path, { method, body, headers: asked })).status,
    });
  }, { project: modelOf(FILES), sysadminEmails: ["root@example.com"], given: { email } });
}

async function join(api: ApiUnderTest, userId: string, organizationId: string): Promise<void> {
  await api.database.write((transaction) =>
    transaction.run({
      sql:
        `INSERT INTO auth_member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'member', ${NOW})`,
      args: [`m_${userId}_${organizationId}`, organizationId, userId],
    })
  );
}

/** The two ways in which a member goes and could be kept. */
const LEAVINGS: Readonly<Record<string, (scene: Scene) => ReturnType<Visitor["ask"]>>> = {
  removed: ({ anna, organizationId }) =>
    anna.ask("/auth/v1/organization/remove-member", {
      memberIdOrEmail: "ben@example.com",
      organizationId,
    }),
  left: ({ ben, organizationId }) => ben.ask("/auth/v1/organization/leave", { organizationId }),
};

for (const [how, leave] of Object.entries(LEAVINGS)) {
  Deno.test(`a member whom living rows keep is not ${how}, and one whom none keeps leaves rows without an id`, () =>
    withTasks(async (scene) => {
      const { task, read, benId, change, anna } = scene;
      const held = await task({ heldId: benId, freeId: benId, keptId: benId });
      const deleted = await task({ heldId: benId });
      assertEquals(await change(`/api/v1/tasks/${deleted}`, "DELETE"), 200);
      const refused = await leave(scene);
      assertEquals(
        [refused.status, refused.body["code"]],
        [409, "MEMBER_REFERENCED"],
        refused.text,
      );
      assertEquals(refused.body["details"], { count: 1 });
      // Nothing was let go of by a refusal.
      assertEquals((await read(held))["freeId"], benId);
      assertEquals(await change(`/api/v1/tasks/${held}`, "PATCH", { heldId: null }), 200);
      const before = await read(held);
      const done = await leave(scene);
      assertEquals(done.status, 200, done.text);
      const after = await read(held);
      assertEquals([after["keptId"], after["heldId"], after["freeId"]], [benId, null, null]);
      assertEquals(after["version"], Number(before["version"]) + 1);
      const { body: { data } } = await anna.ask(`/api/v1/tasks/${held}/history`);
      const [newest] = Array.isArray(data) ? data : [];
      assertEquals(isRecord(newest) && newest["before"], {
        freeId: benId,
        version: 2,
        ...modifications(newest, "before"),
      });
      const remover = how === "left" ? benId : after["createdBy"];
      assertEquals([after["modifiedBy"], isRecord(newest) && newest["actorUserId"]], [
        remover,
        remover,
      ]);
    }));
}

/** Stamps that a change of history shows beside what it is about. */
function modifications(
  change: unknown,
  side: "before" | "after",
): Readonly<Record<string, unknown>> {
  const values = isRecord(change) ? change[side] : null;
  return Object.fromEntries(
    Object.entries(isRecord(values) ? values : {}).filter(([name]) => name.startsWith("modified")),
  );
}

Deno.test("rows of another organization keep nobody here, and keep whom they name", () =>
  withTasks(async (scene) => {
    const { api, benId, task, read } = scene;
    const other = await founder(api, "otto", "other");
    const { rows } = await api.database.run({
      sql: "SELECT id FROM auth_organization WHERE slug = 'other'",
      args: [],
    });
    await join(api, benId, String(rows[0]?.[0]));
    const theirs = await other.ask("/api/v1/tasks", { heldId: benId, freeId: benId });
    assertEquals(theirs.status, 201, theirs.text);
    const ours = await task({ freeId: benId });
    assertEquals((await LEAVINGS["removed"]?.(scene))?.status, 200);
    assertEquals((await read(ours))["freeId"], null);
    const { body } = await other.ask(`/api/v1/tasks/${theirs.body["id"]}`);
    assertEquals([body["heldId"], body["freeId"]], [benId, benId]);
  }));

/** Ways to go that nothing stops. */
const ENDS: Readonly<Record<string, (scene: Scene, root: Visitor) => ReturnType<Visitor["ask"]>>> =
  {
    banned: ({ benId }, root) => root.ask("/auth/v1/admin/ban-user", { userId: benId }),
    "removed with the account": ({ benId }, root) =>
      root.ask("/auth/v1/admin/remove-user", { userId: benId }),
    "gone by their own deletion": async ({ ben, link }) => {
      assertEquals((await ben.ask("/auth/v1/delete-user", {})).status, 200);
      const [path, token] = link();
      return await ben.ask(path, { token });
    },
    "taken over": async ({ api, link }) => {
      const post = (path: string, body: unknown) => api.ask(path, { body, headers: ORIGIN });
      const asked = await post("/auth/v1/request-password-reset", { email: "ben@example.com" });
      assertEquals(asked.status, 200);
      const [, token] = link();
      return await post("/auth/v1/reset-password", { token, newPassword: "another correct horse" });
    },
  };

for (const [how, end] of Object.entries(ENDS)) {
  Deno.test(`an account that is ${how} is let go of by all but those that keep its id`, () =>
    withTasks(async (scene) => {
      const { api, anna, task, read, benId } = scene;
      const root = await signedUp(api, "root");
      const id = await task({ heldId: benId, freeId: benId, keptId: benId });
      const job = await anna.ask("/api/v1/jobs", { mustId: benId });
      assertEquals(job.status, 201, job.text);
      const done = await end(scene, root);
      assertEquals(done.status, 200, done.text);
      const { heldId, freeId, keptId } = await read(id);
      assertEquals({ heldId, freeId, keptId }, { heldId: null, freeId: null, keptId: benId });
      // A required column has no other value.
      const { body } = await anna.ask(`/api/v1/jobs/${job.body["id"]}`);
      assertEquals(body["mustId"], benId);
    }));
}

Deno.test("subscribers are told of what lets go, after the removal alone", () =>
  listeningTo(
    (use, options) => withAccountsApi(use, { ...options, project: modelOf(TELLING) }),
    async (api) => {
      const anna = await founder(api, "anna", "acme");
      await signedUp(api, "ben");
      const { rows: [ben = []] } = await api.database.run({
        sql: "SELECT id, (SELECT id FROM auth_organization) FROM auth_user WHERE name = 'ben'",
        args: [],
      });
      const [benId, organizationId] = ben.map(String);
      await join(api, String(benId), String(organizationId));
      const { body: { id } } = await anna.ask("/api/v1/tasks", { freeId: benId, heldId: benId });
      const listener = await api.listen({ sub: "" }, { cookie: anna.cookie });
      const remove = () =>
        anna.ask("/auth/v1/organization/remove-member", {
          memberIdOrEmail: "ben@example.com",
          organizationId,
        });
      assertEquals((await remove()).status, 409);
      const patch = {
        method: "PATCH",
        body: { heldId: null },
        headers: { cookie: anna.cookie, ...ORIGIN },
      };
      await api.ask(`/api/v1/tasks/${id}`, patch);
      assertEquals((await remove()).status, 200);
      const told = [await listener.next(), await listener.next()].map(({ data }) => data);
      assertEquals(told.map(({ type, id }) => [type, id]), [["record.updated", id], [
        "record.updated",
        id,
      ]]);
      assertEquals(told.map(({ data }) => isRecord(data) && data["freeId"]), [benId, null]);
      await listener.leave();
      api.end();
    },
  ));

Deno.test("a transaction lets five hundred rows go, and the worker the others, as the remover", () =>
  withTasks(async (scene) => {
    const { api, anna, benId, organizationId } = scene;
    const { body: { user } } = await anna.ask("/auth/v1/get-session");
    const annaId = isRecord(user) ? String(user["id"]) : null;
    await api.database.write((transaction) =>
      transaction.run({
        sql: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1201)
          INSERT INTO tasks (id, organization_id, free_id, held_id, version, created_at)
          SELECT 'task_' || x, ?1, ?2, NULL, 1, ?3 FROM n`,
        args: [organizationId, benId, new Date(api.ports.clock.now()).toISOString()],
      })
    );
    const left = async () => {
      const sql = "SELECT count(*) FROM tasks WHERE free_id IS NOT NULL";
      return (await api.database.run({ sql, args: [] })).rows[0]?.[0];
    };
    assertEquals((await LEAVINGS["removed"]?.(scene))?.status, 200);
    assertEquals(await left(), 701);
    const project = modelOf(FILES);
    const step = createReleaseWork(project, { ...api.ports, database: api.database });
    const seen = [];
    for (let turn = 0; turn < 4; turn += 1) seen.push(await step(), await left());
    assertEquals(seen, [true, 201, true, 0, false, 0, false, 0]);
    const { rows } = await api.database.run({
      sql: "SELECT DISTINCT modified_by, version FROM tasks",
      args: [],
    });
    assertEquals(rows, [[annaId, 2]]);
    const { body: { data } } = await anna.ask("/api/v1/tasks/task_1201/history");
    assertEquals(Array.isArray(data) && data.map(({ actorUserId }) => actorUserId), [annaId]);
    assertEquals(
      (await api.database.run({ sql: "SELECT * FROM qb_member_releases", args: [] })).rows,
      [],
    );
  }));

Deno.test("a deleted row is let go of, too, and comes back without the member", () =>
  withTasks(async (scene) => {
    const { task, change, read, benId } = scene;
    const id = await task({ freeId: benId });
    assertEquals(await change(`/api/v1/tasks/${id}`, "DELETE"), 200);
    assertEquals((await LEAVINGS["removed"]?.(scene))?.status, 200);
    assertEquals(await change(`/api/v1/tasks/${id}/restore`, "POST"), 200);
    assertEquals((await read(id))["freeId"], null);
  }));

Deno.test("a removal beside writes that name the member leaves no row that names a stranger", () =>
  withTasks(async (scene) => {
    const { anna, benId, api } = scene;
    const writes = Array.from({ length: 12 }, () => anna.ask("/api/v1/tasks", { freeId: benId }));
    const removal = LEAVINGS["removed"]?.(scene);
    writes.push(...Array.from({ length: 12 }, () => anna.ask("/api/v1/tasks", { freeId: benId })));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    assertEquals((await removal)?.status, 200);
    assertEquals(
      statuses.every((status) => status === 201 || status === 400),
      true,
      String(statuses),
    );
    const { rows } = await api.database.run({
      sql: "SELECT count(*) FROM tasks WHERE free_id IS NOT NULL",
      args: [],
    });
    assertEquals(rows, [[0]]);
  }));

Deno.test("what cannot be let go of is a mistake of the definitions", () => {
  const told = (columns: string, config = "") => {
    const { errors } = analyzed({
      [CONFIG_FILE]: `export default { name: "x", ${config} };`,
      "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", { columns: { organizationId: q.scope("organization"), ${columns} } });`,
    });
    return errors.map(({ code, message }) => `${code} ${message}`);
  };
  assertEquals(
    told('forId: q.account({ onMemberRemoved: "setNull" }).required().default("$ctx.userId")'),
    [
      'ACCOUNT_SET_NULL_REQUIRED Column "forId" is required and cannot be set to null',
    ],
  );
  assertEquals(
    told(
      'forId: q.account({ onMemberRemoved: "restrict" })',
      'providers: { database: { name: "libsql", tenancy: "perOrganization" } }',
    ),
    ['ACCOUNT_REMOVAL_APART Column "forId" has an onMemberRemoved, and rows of organizations stand in other databases than accounts'],
  );
  assertEquals(told('forId: q.account({ onMemberRemoved: "cascade" })').length, 1);
});
