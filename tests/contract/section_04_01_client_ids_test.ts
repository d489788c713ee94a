/** Ids that clients choose, by strategy (contract 4.1 rule 5, definitions 7). */
import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { idsProject } from "../support/shop.ts";

const test = ofOneDatabase("an id is taken within its organization's database alone");

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const stranger: Claims = { sub: "user_2", orgId: "org_2", roles: ["admin"] };

interface Strategy {
  readonly name: string;
  readonly good: readonly string[];
  readonly bad: readonly unknown[];
}

const HEX = "0123456789abcdef0123456789abcdef";

const STRATEGIES: readonly Strategy[] = [
  {
    name: '"uuid"',
    good: ["0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b"],
    bad: ["0190a1b2c3d44e5f8a9b0c1d2e3f4a5b", "x", "", 7, null],
  },
  {
    name: '"prefixed"',
    good: [`thing_${HEX}`],
    bad: [`other_${HEX}`, HEX, `thing_${HEX}0`, `thing_${HEX.toUpperCase()}`],
  },
  {
    name: '"cuid"',
    good: ["tz4a98xxat96iws9zmbrgj3a"],
    bad: ["tz4a98xxat96iws9zmbrgj3", "Tz4a98xxat96iws9zmbrgj3a", "1z4a98xxat96iws9zmbrgj3a"],
  },
  {
    name: '"nanoid"',
    good: ["V1StGXR8_Z5jdHi6B-myT"],
    bad: ["V1StGXR8_Z5jdHi6B-my", "V1StGXR8_Z5jdHi6B-my.", "V1StGXR8_Z5jdHi6B-myT\n"],
  },
  { name: '"short"', good: ["aB3xY9"], bad: ["aB3xY", "aB3x-9", "aB3xY99"] },
  {
    name: "false",
    good: ["a", "A.b_c~d-e", "x".repeat(128)],
    bad: ["", "a b", "a/b", "..", ".", "batch", "views", "x".repeat(129)],
  },
];

function create(api: ApiUnderTest, body: unknown, as = admin) {
  return api.ask("things", { as, body });
}

for (const { name, good, bad } of STRATEGIES) {
  test(`with ${name} a client's id has the form of the strategy`, async () => {
    await withDefinitions(idsProject(name), async (api) => {
      for (const id of good) {
        const made = await create(api, { id, name: "first" });
        assertEquals([made.status, made.body["id"]], [201, id]);
        const again = await create(api, { id, name: "second" });
        assertEquals([again.status, again.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
        const read = await api.ask(`things/${id}`, { as: admin });
        assertEquals(read.body["name"], "first");
        const foreign = await create(api, { id, name: "theirs" }, stranger);
        assertEquals([foreign.status, foreign.body["code"], foreign.body["details"]], [
          409,
          "DB_UNIQUE_VIOLATION",
          undefined,
        ]);
      }
      for (const id of bad) {
        const answer = await create(api, { id, name: "x" });
        assertEquals([answer.status, answer.body["code"], answer.body["pointer"]], [
          400,
          "VALIDATION_ERROR",
          "/id",
        ], JSON.stringify(id));
      }
    });
  });
}

Deno.test("an id that the service made can be chosen by a client elsewhere", async () => {
  for (const { name } of STRATEGIES.filter((strategy) => strategy.name !== "false")) {
    let id: unknown;
    await withDefinitions(idsProject(name), async (api) => {
      id = (await create(api, { name: "made" })).body["id"];
    });
    await withDefinitions(idsProject(name), async (api) => {
      assertEquals((await create(api, { id, name: "chosen" })).status, 201, name);
    });
  }
});

Deno.test("without the flag an id in a body is refused; counted ids never come from a client", async () => {
  const projects = [
    idsProject('"uuid"', false),
    idsProject('"serial"'),
    idsProject('"serial"', false),
  ];
  for (const project of projects) {
    await withDefinitions(project, async (api) => {
      const answer = await create(api, { id: "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b" });
      assertEquals([answer.status, answer.body["code"]], [400, "GUARD_SYSTEM_MANAGED"]);
    });
  }
});

Deno.test("where nobody makes ids a create needs one, whatever the flag", async () => {
  await withDefinitions(idsProject("false", false), async (api) => {
    const answer = await create(api, { name: "x" });
    assertEquals([answer.status, answer.body["code"], answer.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/id",
    ]);
    assertEquals((await create(api, { id: "x" })).status, 201);
  });
});

Deno.test("an update takes the id from the URL only", async () => {
  await withDefinitions(idsProject('"short"'), async (api) => {
    await create(api, { id: "aaaaaa" });
    const answer = await api.ask("things/aaaaaa", {
      as: admin,
      method: "PATCH",
      body: { id: "bbbbbb" },
    });
    assertEquals([answer.status, answer.body["code"]], [400, "GUARD_SYSTEM_MANAGED"]);
  });
});

Deno.test("a batch create takes clients' ids, counts its own, and refuses only what is taken", async () => {
  await withDefinitions(idsProject('"short"'), async (api) => {
    const records = [{ id: "aaaaaa" }, { name: "drawn" }, { id: "aaaaaa" }, { id: "a" }];
    const answer = await api.ask("things/batch", { as: admin, body: { records } });
    const { success, errors } = answer.body;
    assertEquals(answer.status, 207);
    assertEquals(Array.isArray(success) && success.length, 2);
    assertEquals(
      Array.isArray(errors) &&
        errors.filter(isRecord).map(({ error }) => isRecord(error) && error["code"]),
      ["DB_UNIQUE_VIOLATION", "VALIDATION_ERROR"],
    );
  });
  await withDefinitions(idsProject('"serial"'), async (api) => {
    const records = ["a", "b", "c"].map((name) => ({ name }));
    const { status, body } = await api.ask("things/batch", { as: admin, body: { records } });
    assertEquals(status, 201);
    assertEquals(
      Array.isArray(body["success"]) &&
        body["success"].filter(isRecord).map(({ id, name }) => [id, name]),
      [[1, "a"], [2, "b"], [3, "c"]],
    );
    const removed = await api.ask("things/batch", {
      as: admin,
      method: "DELETE",
      body: { ids: [3, 1, 9] },
    });
    assertEquals([
      removed.status,
      isRecord(removed.body["meta"]) && removed.body["meta"]["succeeded"],
    ], [
      207,
      2,
    ]);
  });
});
