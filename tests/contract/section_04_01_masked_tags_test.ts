/** Entity tags of records that not everybody sees alike (contract 4.1 rule 8, definitions 7 "revision"). */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const ADMIN: Claims = { sub: "ada", orgId: "org_a", roles: ["admin"] };
const CLERK: Claims = { sub: "carl", orgId: "org_a", roles: ["clerk"] };
const OTHER: Claims = { sub: "cleo", orgId: "org_a", roles: ["clerk"] };

const BOTH = `{ access: { roles: ["admin", "clerk"] } }`;
const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "tags" };\n',
  "quickback/features/people/people.ts": `import { feature, q } from "quickback";
export default feature("people", {
  columns: { organizationId: q.scope("organization"), name: q.text().required(), email: q.text(), note: q.text(), version: q.revision() },
  guards: { createable: ["name", "email", "note"], updatable: ["name", "email", "note"] },
  masking: { email: { type: "email", show: { roles: ["admin"] } }, note: { type: "redact", show: { roles: ["admin"], or: "owner" } } },
  read: ${BOTH}, create: ${BOTH}, update: ${BOTH}, delete: ${BOTH},
});
`,
  "quickback/features/visits/visits.ts": `import { feature, q } from "quickback";
import people from "../people/people.ts";
export default feature("visits", {
  columns: { organizationId: q.scope("organization"), personId: q.text().references(() => people.id), version: q.revision() },
  guards: { createable: ["personId"] },
  read: ${BOTH}, create: ${BOTH},
});
`,
};

async function person(api: ApiUnderTest): Promise<string> {
  const body = { name: "Jane", email: "jane@example.com", note: "hello" };
  const answer = await api.ask("people", { as: CLERK, body });
  assertEquals(answer.status, 201, answer.text);
  return `people/${answer.body["id"]}`;
}

async function read(api: ApiUnderTest, path: string, as: Claims, tag?: string) {
  const headers = tag === undefined ? {} : { "if-none-match": tag };
  const { status, headers: answered } = await api.ask(path, { as, headers });
  return { status, tag: answered.get("etag") ?? "" };
}

Deno.test("a masked copy and a plain one have different tags, and neither stands for the other", () =>
  withDefinitions(FILES, async (api) => {
    const path = await person(api);
    const tags = [];
    for (const as of [ADMIN, CLERK, OTHER]) tags.push((await read(api, path, as)).tag);
    const [plain = "", own = "", foreign = ""] = tags;
    assertEquals(plain, '"1"');
    assertMatch(own, /^"1-[0-9a-z-]+"$/);
    assertMatch(foreign, /^"1-[0-9a-z-]+"$/);
    assertEquals(new Set(tags).size, 3);
    for (const [as, held] of [[ADMIN, plain], [CLERK, own], [OTHER, foreign]] as const) {
      for (const tag of tags) {
        assertEquals((await read(api, path, as, tag)).status, tag === held ? 304 : 200);
      }
      const fields = await read(api, `${path}?fields=name`, as);
      assertEquals(fields.tag, held);
    }
  }));

Deno.test("whoever sees a record alike has the same tag, from reads and from writes", () =>
  withDefinitions(FILES, async (api) => {
    const path = await person(api);
    const { tag } = await read(api, path, OTHER);
    assertEquals((await read(api, path, { ...OTHER, sub: "third" })).tag, tag);
    const written = await api.ask(path, { as: OTHER, method: "PATCH", body: { name: "Joan" } });
    assertEquals(written.headers.get("etag"), tag.replace('"1', '"2'));
    assertEquals((await read(api, path, OTHER)).tag, written.headers.get("etag"));
  }));

Deno.test("`If-Match` takes any tag of the revision, and none of another", () =>
  withDefinitions(FILES, async (api) => {
    const path = await person(api);
    const { tag } = await read(api, path, OTHER);
    const write = async (ifMatch: string) => {
      const headers = { "if-match": ifMatch };
      const answer = await api.ask(path, {
        as: ADMIN,
        method: "PATCH",
        body: { name: "x" },
        headers,
      });
      return answer.status;
    };
    assertEquals(await write(tag), 200);
    for (const gone of [tag, '"1"', '"12"', '"2x"', '"-2"', `W/${tag.replace('"1', '"2')}`]) {
      assertEquals(await write(gone), 412, gone);
    }
    assertEquals(await write('"2"'), 200);
    assertEquals(await write(tag.replace('"1', '"3')), 200);
  }));

Deno.test("a label that is masked, or withheld, is part of the tag", () =>
  withDefinitions({
    ...FILES,
    "quickback/features/people/people.ts": FILES["quickback/features/people/people.ts"]
      .replace("masking: {", 'masking: { name: { type: "name", show: { roles: ["admin"] } },'),
  }, async (api) => {
    const person = await api.ask("people", { as: ADMIN, body: { name: "Jane" } });
    const visit = await api.ask("visits", { as: ADMIN, body: { personId: person.body["id"] } });
    const path = `visits/${visit.body["id"]}`;
    const [plain, masked] = [await read(api, path, ADMIN), await read(api, path, CLERK)];
    assertEquals(plain.tag, '"1"');
    assertNotEquals(masked.tag, plain.tag);
    assertEquals((await read(api, path, ADMIN, masked.tag)).status, 200);
  }));
