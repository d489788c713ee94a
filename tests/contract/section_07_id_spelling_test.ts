/** Each id has one spelling, in paths, bodies and filters (definitions 7, contract 4.1). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const MEMBERS = `{ access: { roles: ["member"] } }`;

const filesWith = (generateId: string, reference: string, input: string) => ({
  "quickback/quickback.config.ts": `export default {
  name: "spelling",
  contract: { changeset: true },
  providers: { database: { name: "libsql", generateId: "${generateId}", allowClientIds: true } },
};
`,
  "quickback/features/tags/tags.ts": `import { feature, q } from "quickback";
export default feature("tags", {
  columns: { organizationId: q.scope("organization"), name: q.text(), parentId: ${reference} },
  references: { parentId: "tags" },
  guards: { createable: ["name", "parentId"], updatable: ["name", "parentId"] },
  read: ${MEMBERS}, create: ${MEMBERS}, update: ${MEMBERS}, delete: ${MEMBERS},
});
`,
  "quickback/features/tags/actions/touch.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Touch it", input: z.object({ other: ${input}.optional() }), access: { roles: ["member"] },
  refs: { other: "tags" },
  execute: ({ record }) => ({ id: record.id }),
});
`,
});

const COUNTED = filesWith("serial", "q.int()", "z.union([z.string(), z.number()])");
const UUIDS = filesWith("uuid", "q.text()", "z.string()");
const PREFIXED = filesWith("prefixed", "q.text()", "z.string()");

async function made(api: ApiUnderTest) {
  const { body } = await api.ask("tags", { as: ANN, body: { name: "one" } });
  return body["id"];
}

async function assertNowhere(api: ApiUnderTest, spelling: string): Promise<void> {
  const id = encodeURIComponent(spelling);
  for (
    const [method, path, body] of [
      ["GET", `tags/${id}`],
      ["PATCH", `tags/${id}`, { name: "two" }],
      ["DELETE", `tags/${id}`],
      ["POST", `tags/${id}/touch`, {}],
    ] as const
  ) {
    const answer = await api.ask(path, { as: ANN, method, body });
    assertEquals([method, spelling, answer.status, answer.body["code"]], [
      method,
      spelling,
      404,
      "ROUTE_NOT_FOUND",
    ]);
  }
}

const codeOf = async (api: ApiUnderTest, path: string, body?: unknown, method = "POST") => {
  const answer = await api.ask(path, { as: ANN, ...(body === undefined ? {} : { method, body }) });
  return [answer.status, answer.body["code"]];
};

Deno.test("a counted id is decimal digits without more, in every route", () =>
  withCompiledActions(COUNTED, async (api) => {
    assertEquals(await made(api), 1);
    for (const spelling of ["01", "1.0", "1e0", "+1", " 1", "0x1", "-0", "1."]) {
      await assertNowhere(api, spelling);
      const filter = encodeURIComponent(spelling);
      const refused = [400, "VALIDATION_INVALID_INPUT"];
      assertEquals(await codeOf(api, `tags?id=${filter}`), refused, spelling);
      assertEquals(await codeOf(api, `tags?id.in=${filter},1`), refused, spelling);
      assertEquals(await codeOf(api, `tags?parentId=${filter}`), refused, spelling);
      const operation = { op: "delete", resource: "tags", id: spelling };
      assertEquals(
        await codeOf(api, "changeset", { operations: [operation] }),
        [400, "VALIDATION_ERROR"],
      );
      const other = await codeOf(api, "tags/1/touch", { other: spelling });
      assertEquals(other, [400, "VALIDATION_ERROR"]);
    }
    for (const text of ["one", "1one", "1.5", "-1", "99"]) {
      assertEquals(await codeOf(api, `tags/${text}`), [403, "FIREWALL_NOT_FOUND"], text);
    }
    assertEquals((await api.ask("tags/1", { as: ANN })).status, 200);
    assertEquals((await api.ask("tags/1/touch", { as: ANN, body: { other: 1 } })).status, 200);
    assertEquals((await api.ask("tags/1/touch", { as: ANN, body: { other: "1" } })).status, 200);
  }));

Deno.test("a UUID is in lower case, in every route, body and filter", () =>
  withCompiledActions(UUIDS, async (api) => {
    const id = "0b0e6f7a-90aa-4bde-8c11-5f0f6c1d2e3f";
    assertEquals((await api.ask("tags", { as: ANN, body: { id } })).status, 201);
    const upper = id.toUpperCase();
    await assertNowhere(api, upper);
    const invalid = [400, "VALIDATION_ERROR"];
    assertEquals(await codeOf(api, "tags", { id: upper }), invalid);
    assertEquals(await codeOf(api, "tags", { parentId: upper }), invalid);
    assertEquals(await codeOf(api, `tags/${id}`, { parentId: upper }, "PATCH"), invalid);
    assertEquals(await codeOf(api, `tags/${id}/touch`, { other: upper }), invalid);
    assertEquals(await codeOf(api, "tags/batch", { ids: [upper] }, "DELETE"), invalid);
    assertEquals(await codeOf(api, "tags/batch/touch", { ids: [id, upper] }), invalid);
    for (const filter of [`id=${upper}`, `id.in=${id},${upper}`, `parentId=${upper}`]) {
      const refused = [400, "VALIDATION_INVALID_INPUT"];
      assertEquals(await codeOf(api, `tags?${filter}`), refused, filter);
    }
    assertEquals(await codeOf(api, "tags/no-uuid"), [403, "FIREWALL_NOT_FOUND"]);
    assertEquals((await api.ask(`tags?id=${id}`, { as: ANN })).status, 200);
  }));

Deno.test("ids of another type refuse a bulk action and a batch as a whole", async () => {
  const invalid = [400, "VALIDATION_ERROR"];
  for (const [files, wrong] of [[PREFIXED, 1], [COUNTED, "1"]] as const) {
    await withCompiledActions(files, async (api) => {
      const ids = [await made(api), wrong];
      assertEquals(await codeOf(api, "tags/batch/touch", { ids }), invalid);
      assertEquals(await codeOf(api, "tags/batch", { ids }, "DELETE"), invalid);
      const records = ids.map((id) => ({ id, name: "two" }));
      assertEquals(await codeOf(api, "tags/batch", { records }, "PATCH"), invalid);
    });
  }
});
