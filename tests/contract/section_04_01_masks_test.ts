/** Any column that a client writes can be hidden whole, and whoever does not see it may not ask by it (definitions 4.4). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const author: Claims = { sub: "user_2", orgId: "org_1", roles: ["member"] };
const reader: Claims = { sub: "user_3", orgId: "org_1", roles: ["member"] };

const HIDDEN = '{ type: "redact", show: { roles: ["admin"], or: "owner" } }';

const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": 'export default { name: "masks" };\n',
  "quickback/features/staff/staff.ts": `import { feature, q } from "quickback";
export default feature("staff", {
  columns: {
    organizationId: q.scope("organization"),
    salary: q.int(),
    rating: q.real(),
    isFlagged: q.bool(),
    history: q.json(),
    leftAt: q.timestamp(),
    grade: q.enum(["a", "b"]),
    note: q.text({ maxLength: 4 }),
    cvc: q.int(),
  },
  guards: false,
  masking: { salary: ${HIDDEN}, rating: ${HIDDEN}, isFlagged: ${HIDDEN}, history: ${HIDDEN},
    leftAt: ${HIDDEN}, grade: ${HIDDEN}, note: { type: "redact" } },
  read: { access: { roles: ["admin", "member"] } },
  create: { access: { roles: ["admin", "member"] } },
  update: { access: { roles: ["admin", "member"] } },
});
`,
};

const ROW = {
  salary: 5000,
  rating: 0.1,
  isFlagged: false,
  history: { jobs: [1] },
  leftAt: "2026-01-01T00:00:00.000Z",
  grade: "a",
  cvc: 123,
};

const MASKED = Object.fromEntries(Object.keys(ROW).map((name) => [name, "[REDACTED]"]));

async function shown(api: ApiUnderTest, path: string, as: Claims): Promise<unknown> {
  const { body } = await api.ask(path, { as });
  const record: unknown = Array.isArray(body["data"]) ? body["data"][0] : body;
  return isRecord(record)
    ? Object.fromEntries(Object.keys(ROW).map((name) => [name, record[name]]))
    : null;
}

Deno.test("numbers, booleans, times and JSON are hidden whole; null stays null", async () => {
  await withDefinitions(FILES, async (api) => {
    const made = await api.ask("staff", { as: author, body: { ...ROW, note: "abcd" } });
    const path = `staff/${made.body["id"]}`;
    for (const place of [path, "staff"]) {
      assertEquals(await shown(api, place, admin), ROW, place);
      assertEquals(await shown(api, place, author), ROW, place);
      assertEquals(await shown(api, place, reader), MASKED, place);
    }
    // Shown to nobody, and longer than the column: a mask is no value of it.
    assertEquals((await api.ask(path, { as: admin })).body["note"], "[REDACTED]");
    const empty = await api.ask("staff", { as: author, body: {} });
    const nulls = Object.fromEntries(Object.keys(ROW).map((name) => [name, null]));
    assertEquals(await shown(api, `staff/${empty.body["id"]}`, reader), nulls);
  });
});

Deno.test("a column that is hidden whole cannot be asked by", async () => {
  await withDefinitions(FILES, async (api) => {
    await api.ask("staff", { as: author, body: ROW });
    const questions = [
      "salary=5000",
      "rating.gt=0",
      "isFlagged=false",
      "leftAt.lt=2027-01-01",
      "sort=salary",
      "grade=a",
      "cvc=123",
    ];
    for (const question of questions) {
      const answer = await api.ask(`staff?${question}`, { as: reader });
      assertEquals(
        [answer.status, answer.body["code"]],
        [400, "VALIDATION_INVALID_INPUT"],
        question,
      );
      assertEquals((await api.ask(`staff?${question}`, { as: admin })).status, 200, question);
    }
  });
});

Deno.test("a writer who may not see a column is answered its mask", async () => {
  await withDefinitions(FILES, async (api) => {
    const made = await api.ask("staff", { as: author, body: ROW });
    const path = `staff/${made.body["id"]}`;
    const changed = await api.ask(path, { as: reader, method: "PATCH", body: { salary: 1 } });
    assertEquals([changed.status, changed.body["salary"]], [200, "[REDACTED]"]);
    assertEquals((await api.ask(path, { as: admin })).body["salary"], 1);
  });
});
