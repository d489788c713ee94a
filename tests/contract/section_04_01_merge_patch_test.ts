/** PATCH as a merge patch (RFC 7396, 5789): objects in JSON columns are merged, or take the place of what is stored. */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const MEMBERS = `{ access: { roles: ["member"] } }`;
const MERGE = "application/merge-patch+json";

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "patches" };\n',
  "quickback/features/pages/pages.ts": `import { feature, q } from "quickback";
export default feature("pages", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    layout: q.json(),
    options: q.json().required(),
  },
  guards: { createable: ["title", "layout", "options"], updatable: ["title", "layout", "options"] },
  read: ${MEMBERS}, create: ${MEMBERS}, update: ${MEMBERS}, delete: ${MEMBERS},
});
`,
};

async function page(api: ApiUnderTest, body: object): Promise<string> {
  const full = { title: "One", options: {}, ...body };
  const answer = await api.ask("pages", { as: ANN, body: full });
  assertEquals(answer.status, 201, answer.text);
  return `pages/${answer.body["id"]}`;
}

function patch(api: ApiUnderTest, path: string, body: unknown, type: string, more = {}) {
  const headers = { "content-type": type, ...more };
  return api.ask(path, { as: ANN, method: "PATCH", body, headers });
}

Deno.test("a merge patch merges objects at every level, as JSON takes their place", () =>
  withDefinitions(FILES, async (api) => {
    // RFC 7396, appendix A: stored, patch, merged.
    const cases: readonly (readonly [unknown, unknown, unknown])[] = [
      [{ a: "b" }, { a: "c" }, { a: "c" }],
      [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
      [{ a: "b" }, { a: null }, {}],
      [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
      [{ a: ["b"] }, { a: "c" }, { a: "c" }],
      [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
      [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
      [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
      [["a", "b"], ["c", "d"], ["c", "d"]],
      [{ a: "b" }, ["c"], ["c"]],
      [{ a: "foo" }, "bar", "bar"],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: "b", c: null }, { a: "b" }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
      [null, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
      [{ a: 1 }, null, null],
    ];
    for (const [layout, sent, merged] of cases) {
      const path = await page(api, { layout });
      const answer = await patch(api, path, { layout: sent }, `${MERGE}; charset=utf-8`);
      assertEquals([answer.status, answer.body["layout"]], [200, merged], answer.text);
      assertEquals((await api.ask(path, { as: ANN })).body["layout"], merged);
      const replaced = await patch(api, path, { layout: sent }, "application/json");
      assertEquals(replaced.body["layout"], sent);
    }
  }));

Deno.test("columns that a merge patch leaves out stay, and rules for null and guards hold as ever", () =>
  withDefinitions(FILES, async (api) => {
    const path = await page(api, { layout: { wide: true }, options: { a: 1 } });
    const answer = await patch(api, path, { title: "Two", options: { b: 2 } }, MERGE);
    const { title, layout, options } = answer.body;
    assertEquals({ title, layout, options }, {
      title: "Two",
      layout: { wide: true },
      options: { a: 1, b: 2 },
    });
    const codeOf = async (body: unknown) => (await patch(api, path, body, MERGE)).body["code"];
    assertEquals(await codeOf({ options: null }), "VALIDATION_ERROR");
    assertEquals(await codeOf({ createdAt: null }), "GUARD_SYSTEM_MANAGED");
    assertEquals(await codeOf([]), "VALIDATION_ERROR");
  }));

Deno.test("of merges at once none is lost", () =>
  withDefinitions(FILES, async (api) => {
    const path = await page(api, { layout: {} });
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
    await Promise.all(names.map((name) => patch(api, path, { layout: { [name]: 1 } }, MERGE)));
    const { body } = await api.ask(path, { as: ANN });
    assertEquals(body["layout"], Object.fromEntries(names.map((name) => [name, 1])));
  }));

Deno.test("the same bytes as the other type are another request under a key", () =>
  withDefinitions(FILES, async (api) => {
    const path = await page(api, { layout: { a: 1 } });
    const key = { "idempotency-key": "one" };
    assertEquals((await patch(api, path, { layout: { b: 2 } }, MERGE, key)).status, 200);
    const other = await patch(api, path, { layout: { b: 2 } }, "application/json", key);
    assertEquals([other.status, other.body["code"]], [422, "IDEMPOTENCY_KEY_REUSED"]);
  }));

Deno.test("a type that is not taken is 415, and a PATCH says which ones are", () =>
  withDefinitions(FILES, async (api) => {
    const path = await page(api, {});
    const records = [{ id: path.replace("pages/", ""), title: "Two" }];
    const refused: readonly (readonly [string, string, string, unknown, string | null])[] = [
      ["PATCH", path, "text/plain", "{}", `application/json, ${MERGE}`],
      ["PATCH", "pages/batch", MERGE, { records }, "application/json"],
      ["PATCH", "pages/batch", "text/plain", { records }, "application/json"],
      ["POST", "pages", MERGE, { title: "Two", options: {} }, null],
      ["POST", "pages/batch", MERGE, { records }, null],
    ];
    for (const [method, at, type, body, accepted] of refused) {
      const answer = await api.ask(at, {
        as: ANN,
        method,
        body,
        headers: { "content-type": type },
      });
      assertEquals([method, at, answer.status, answer.body["code"]], [
        method,
        at,
        415,
        "UNSUPPORTED_MEDIA_TYPE",
      ]);
      assertEquals(answer.headers.get("accept-patch"), accepted);
    }
  }));
