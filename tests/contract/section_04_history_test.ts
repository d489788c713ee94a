/** The history of a record: who changed it, from what to what, as its reader may see it (definitions 4, `audit`). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import {
  ADMIN,
  changesOf,
  historyOf,
  historyProject,
  made,
  MEMBER,
  OTHER,
} from "../support/history_project.ts";

const withHistory = (body: (api: ApiUnderTest) => Promise<void>) =>
  withCompiledActions(historyProject(), body);

/** Kind, actor, operation, and the fields before and after. */
async function toldOf(api: ApiUnderTest, path: string, as = ADMIN) {
  const changes = await changesOf(api, path, as);
  return changes.map(({ kind, actorUserId, operation, before, after }) => [
    kind,
    actorUserId,
    operation,
    without(before),
    without(after),
  ]);
}

/** Stamps change with every write. */
function without(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  const left = Object.entries(fields).filter(([name]) =>
    !/^(?:id|organizationId|created|modified|deleted|version|ownerId|firmId)/.test(name)
  );
  return Object.fromEntries(left);
}

const count = async ({ database }: ApiUnderTest) =>
  Number(
    (await database.run({ sql: `SELECT count(*) FROM audit_changes`, args: [] })).rows[0]?.[0],
  );

Deno.test("every writing route leaves a change in its own transaction, newest first", async () => {
  await withHistory(async (api) => {
    const id = await made(api, "tickets", { title: "A" });
    const path = `tickets/${id}`;
    const ask = (method: string, at: string, body: unknown, as = MEMBER) =>
      api.ask(at, { method, as, body });
    await ask("PATCH", path, { title: "B" });
    await ask("PATCH", "tickets/batch", { records: [{ id, title: "C" }] }, ADMIN);
    await ask("POST", "changeset", {
      operations: [{ op: "update", resource: "tickets", id, data: { title: "D" } }],
    });
    await ask("POST", `${path}/close`, {});
    await api.ask(path, { method: "DELETE", as: MEMBER });
    await api.ask(`${path}/restore`, { method: "POST", as: ADMIN });
    assertEquals(await toldOf(api, path), [
      ["restore", "user_1", "restoreTickets", {}, {}],
      ["delete", "user_2", "deleteTickets", {}, {}],
      ["update", "user_2", "runTickets_Close", { status: "open" }, { status: "closed" }],
      ["update", "user_2", "changeset", { title: "C" }, { title: "D" }],
      ["update", "user_1", "batchUpdateTickets", { title: "B" }, { title: "C" }],
      ["update", "user_2", "updateTickets", { title: "A" }, { title: "B" }],
      ["create", "user_2", "createTickets", null, {
        title: "A",
        status: "open",
        phone: null,
        secret: null,
      }],
    ]);
  });
});

Deno.test("a write that is undone, refused or rehearsed leaves no change", async () => {
  await withHistory(async (api) => {
    const id = await made(api, "tickets", { title: "A" });
    const before = await count(api);
    await api.ask(`tickets/${id}/close`, { as: MEMBER, body: { fails: true } });
    await api.ask(`tickets/${id}/close?dryRun=true`, { as: MEMBER, body: {} });
    await api.ask("changeset", {
      as: MEMBER,
      body: {
        operations: [
          { op: "update", resource: "tickets", id, data: { title: "B" } },
          { op: "update", resource: "tickets", id: "none", data: { title: "C" } },
        ],
      },
    });
    await api.ask(`tickets/${id}`, { method: "PATCH", as: MEMBER, body: { title: 7 } });
    assertEquals(await count(api), before);
  });
});

Deno.test("a keyed write that is repeated leaves one change", async () => {
  await withHistory(async (api) => {
    const keyed = { as: MEMBER, body: { title: "A" }, headers: { "idempotency-key": "one" } };
    const first = await api.ask("tickets", keyed);
    await api.ask("tickets", keyed);
    const path = `tickets/${first.body["id"]}`;
    assertEquals((await toldOf(api, path)).map(([kind]) => kind), ["create"]);
  });
});

Deno.test("what a deletion takes along has its own change, also where the database removes it", async () => {
  await withHistory(async (api) => {
    const firmId = await made(api, "firms", { name: "Acme" });
    const id = await made(api, "tickets", { title: "A", firmId });
    const commentId = await made(api, "comments", { text: "hello", ticketId: id });
    // The comment would keep its ticket, so the firm stays.
    const kept = await api.ask(`firms/${firmId}`, { method: "DELETE", as: MEMBER });
    assertEquals([kept.status, kept.body["code"]], [409, "DB_REFERENCE_VIOLATION"]);
    assertEquals((await toldOf(api, `tickets/${id}`)).map(([kind]) => kind), ["create"]);
    await api.ask(`comments/${commentId}`, { method: "DELETE", as: MEMBER });
    await api.ask(`firms/${firmId}`, { method: "DELETE", as: MEMBER });
    assertEquals((await toldOf(api, `comments/${commentId}`))[0], [
      "delete",
      "user_2",
      "deleteComments",
      { text: "hello", ticketId: id },
      null,
    ]);
    const [gone] = await toldOf(api, `tickets/${id}`);
    assertEquals(gone?.slice(0, 3), ["delete", "user_2", "deleteFirms"]);
  });
});

Deno.test("a record's history is read behind the record's own layers, deleted or not", async () => {
  await withHistory(async (api) => {
    const id = await made(api, "comments", { text: "A" });
    const path = `comments/${id}`;
    const statuses = async (...callers: (typeof ADMIN | undefined)[]) =>
      await Promise.all(callers.map(async (as) => {
        const { status, body } = await api.ask(`${path}/history`, as ? { as } : {});
        return [status, body["code"] ?? null];
      }));
    const guest = { ...MEMBER, roles: ["guest"] };
    const expected = [
      [200, null],
      [200, null],
      [403, "ACCESS_ROLE_REQUIRED"],
      [403, "FIREWALL_NOT_FOUND"],
      [401, "AUTH_MISSING"],
    ];
    assertEquals(await statuses(ADMIN, MEMBER, guest, OTHER, undefined), expected);
    await api.ask(path, { method: "DELETE", as: MEMBER });
    assertEquals(await statuses(ADMIN, MEMBER, guest, OTHER, undefined), expected);
    const missing = await historyOf(api, "comments/none");
    assertEquals([missing.status, missing.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    const own = await historyOf(
      api,
      `tickets/${await made(api, "tickets", { title: "A" })}`,
      MEMBER,
    );
    assertEquals(own.body["code"], "ACCESS_ROLE_REQUIRED");
  });
});

Deno.test("masks of today stand before both values, and hide that a masked one changed", async () => {
  await withHistory(async (api) => {
    const path = `tickets/${await made(api, "tickets", {
      title: "A",
      phone: "1",
      secret: "s1",
    })}`;
    await api.ask(path, { method: "PATCH", as: MEMBER, body: { phone: "2", secret: "s2" } });
    const hidden = await historyOf(api, path);
    assert(!/"(?:1|2|s1|s2)"/.test(hidden.text), hidden.text);
    assertEquals((await toldOf(api, path))[0]?.slice(3), [{}, {}]);
    const owner = { ...MEMBER, roles: ["admin"] };
    assertEquals((await toldOf(api, path, owner))[0]?.slice(3), [{ phone: "1" }, { phone: "2" }]);
    const auditor = { ...ADMIN, roles: ["admin", "auditor"] };
    assertEquals((await toldOf(api, path, auditor))[0]?.slice(3), [
      { phone: "1", secret: "s1" },
      { phone: "2", secret: "s2" },
    ]);
  });
});

Deno.test("a history is paged by cursors of its own record", async () => {
  await withHistory(async (api) => {
    const ids = [
      await made(api, "tickets", { title: "0" }),
      await made(api, "tickets", { title: "0" }),
    ];
    for (const title of ["1", "2", "3", "4"]) {
      await api.ask(`tickets/${ids[0]}`, { method: "PATCH", as: MEMBER, body: { title } });
    }
    const titles: unknown[] = [];
    let query = "?limit=2";
    for (let pages = 0; pages < 5; pages += 1) {
      const { status, body, text } = await api.ask(`tickets/${ids[0]}/history${query}`, {
        as: ADMIN,
      });
      assertEquals(status, 200, text);
      const { data, pagination } = JSON.parse(text);
      titles.push(data.map((one: { after: { title: string } }) => one.after.title));
      assertEquals(body["view"], null);
      if (pagination.nextCursor === null) {
        const back = `?limit=2&ending_before=${pagination.prevCursor}`;
        const before = await api.ask(`tickets/${ids[0]}/history${back}`, { as: ADMIN });
        const page = JSON.parse(before.text).data;
        assertEquals(page.map((one: { after: { title: string } }) => one.after.title), ["2", "1"]);
        break;
      }
      query = `?limit=2&starting_after=${pagination.nextCursor}`;
      const other = await api.ask(`tickets/${ids[1]}/history${query}`, { as: ADMIN });
      assertEquals(other.body["code"], "VALIDATION_INVALID_INPUT");
    }
    assertEquals(titles, [["4", "3"], ["2", "1"], ["0"]]);
    const refused = await api.ask(`tickets/${ids[0]}/history?offset=1`, { as: ADMIN });
    assertEquals(refused.status, 400);
  });
});

Deno.test("changes are kept as long as the resource says, and then removed by later ones", async () => {
  await withHistory(async (api) => {
    const path = `comments/${await made(api, "comments", { text: "A" })}`;
    for (let at = 0; at < 40; at += 1) await made(api, "comments", { text: String(at) });
    api.pass(31 * 24 * 60 * 60 * 1000);
    assertEquals(await changesOf(api, path), []);
    assert(await count(api) >= 41);
    for (let at = 0; at < 64; at += 1) await made(api, "comments", { text: String(at) });
    assert(await count(api) <= 64 + 9, String(await count(api)));
  });
});

Deno.test("an action of a resource with a history is not called history, and a table not as its own", () => {
  const taken = validate(historyProject("", {
    "quickback/features/tickets/actions/history.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Another one",
  method: "GET",
  input: z.object({}),
  access: { roles: ["admin"] },
  async execute() { return {}; },
});
`,
  }));
  assertEquals(taken.ok ? [] : taken.errors.map(({ code }) => code), ["ACTION_PATH_RESERVED"]);
});
