/** What is served of a number is taken back, in bodies, filters and `where` (contract 2.3, definitions 7). */
import { assert, assertEquals } from "@std/assert";
import { jsonText } from "../../library/client/json_text.ts";
import type { ApiUnderTest, Claims } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const MEMBERS = `{ access: { roles: ["member"] } }`;
const WRITABLE = `["ratio", "priority", "extra", "ratios"]`;

const FILES = {
  "quickback/quickback.config.ts":
    `export default { name: "numbers", contract: { changeset: true } };\n`,
  "quickback/features/tests/tests.ts": `import { feature, q } from "quickback";
export default feature("tests", {
  columns: {
    organizationId: q.scope("organization"), ratio: q.real(), priority: q.int(), extra: q.json(),
    ratios: q.list(q.real()),
  },
  guards: { createable: ${WRITABLE}, updatable: ${WRITABLE} },
  read: { access: { roles: ["member"] }, views: {
    sums: { fields: ["id", "ratio"], aggregations: { all: { fn: "sum", field: "ratio" }, most: { fn: "max", field: "ratio" }, mean: { fn: "avg", field: "ratio" } } },
  } },
  create: ${MEMBERS}, update: ${MEMBERS}, delete: ${MEMBERS},
});
`,
  "quickback/features/tests/actions/show.ts": `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { tests } from "../schema";
export default defineAction({
  description: "Show it", input: z.object({}), access: { roles: ["member"] },
  execute: async ({ record, db }) => {
    await db.update(tests).set({ extra: { a: record.ratio } }).where(eq(tests.id, record.id));
    return { ratio: record.ratio, list: [record.ratio] };
  },
});
`,
};

/** As JSON of this API writes them. */
const NUMBERS = [
  "1e+20",
  "-1e+20",
  "9.007199254740992e+15",
  "1.2345678901234567e+300",
  "1e-9",
  "5e-324",
  "1.5",
  "-0.1",
  "9007199254740991",
  "0",
];

async function sent(api: ApiUnderTest, path: string, json: string, method = "POST") {
  const headers = { "content-type": "application/json" };
  const answer = await api.ask(path, { as: ANN, method, headers, body: json });
  assert(answer.status < 300, `${method} ${path} ${json}: ${answer.text}`);
  return answer;
}

const found = async (api: ApiUnderTest, query: string) => {
  const { body, text, status } = await api.ask(`tests?${query}`, { as: ANN });
  assert(Array.isArray(body["data"]), `${query}: ${status} ${text}`);
  return body["data"].length;
};

/** The member as it is written in JSON. */
function written(text: string, member: string): string {
  return new RegExp(`"${member}":(\\[[^\\]]*\\]|\\{[^}]*\\}|[^,}]*)`).exec(text)?.[1] ?? "";
}

Deno.test("numbers are served in the form that is taken back, everywhere", () =>
  withCompiledActions(FILES, async (api) => {
    for (const number of NUMBERS) {
      const members = `"ratio":${number},"extra":{"a":${number}},"ratios":[${number}]`;
      const made = await sent(api, "tests", `{${members}}`);
      const path = `tests/${String(made.body["id"])}`;
      const read = await api.ask(path, { as: ANN });
      for (const { text } of [made, read]) {
        assertEquals(
          ["ratio", "extra", "ratios"].map((member) => written(text, member)),
          [number, `{"a":${number}}`, `[${number}]`],
        );
      }
      await sent(api, path, `{${members}}`, "PATCH");
      await sent(api, path, jsonText({ ratio: Number(number), extra: [Number(number)] }), "PATCH");
      // As any JavaScript writes it, with all its digits.
      const digits = { ratio: Number(number), ratios: [Number(number)] };
      await sent(api, path, JSON.stringify(digits), "PATCH");
      const { text: kept } = await api.ask(path, { as: ANN });
      assertEquals([written(kept, "ratio"), written(kept, "ratios")], [number, `[${number}]`]);
      for (const value of [Number(number), { in: [Number(number)] }]) {
        const where = encodeURIComponent(JSON.stringify({ ratio: value }));
        assertEquals(await found(api, `where=${where}`), 1, number);
      }
      const changes = { op: "update", resource: "tests", id: made.body["id"], data: {} };
      const text = JSON.stringify({ operations: [changes] }).replace("{}", `{${members}}`);
      await sent(api, "changeset", text);
      assertEquals(written((await api.ask(path, { as: ANN })).text, "extra"), `{"a":${number}}`);

      const asked = encodeURIComponent(number);
      const json = encodeURIComponent(`{"a":${number}}`);
      assertEquals(await found(api, `ratio=${asked}`), 1, number);
      assertEquals(await found(api, `ratio=${number}`), 1, number);
      assertEquals(await found(api, `ratio.in=${asked},77`), 1, number);
      assertEquals(await found(api, `ratio.gte=${asked}&ratio.lte=${asked}`), 1, number);
      assertEquals(await found(api, `where=${encodeURIComponent(`{"ratio":${number}}`)}`), 1);
      assertEquals(await found(api, `extra=${json}`), 1, number);

      const aggregates = (await api.ask("tests/views/sums", { as: ANN })).text;
      assertEquals(["all", "most", "mean"].map((name) => written(aggregates, name)), [
        number,
        number,
        number,
      ]);
      const shown = (await sent(api, `${path}/show`, "{}")).text;
      assertEquals([written(shown, "ratio"), written(shown, "list")], [number, `[${number}]`]);
      assertEquals(written((await api.ask(path, { as: ANN })).text, "extra"), `{"a":${number}}`);
      await api.ask(path, { as: ANN, method: "DELETE" });
    }
  }));

Deno.test("a filter of numbers takes what its column can hold, the plain one and where alike", () =>
  withCompiledActions(FILES, async (api) => {
    for (
      const [column, value] of [
        ["priority", "1.5"],
        ["priority", "1e-9"],
        ["priority", "9007199254740993"],
        ["priority", "9007199254740992"],
        ["ratio", "9007199254740993"],
        ["ratio", "1e999"],
      ] as const
    ) {
      const wheres = ["", "lessThan", "in"].map((operator) =>
        operator === ""
          ? `{"${column}":${value}}`
          : `{"${column}":{"${operator}":${operator === "in" ? `[${value}]` : value}}}`
      );
      const queries = [
        // A plain filter takes any decimal number for a real.
        ...(column === "ratio" && value.startsWith("9") ? [] : [
          `${column}=${value}`,
          `${column}.lt=${value}`,
          `${column}.in=${value}`,
        ]),
        ...wheres.map((where) => `where=${encodeURIComponent(where)}`),
      ];
      for (const query of queries) {
        assertEquals((await api.ask(`tests?${query}`, { as: ANN })).status, 400, query);
      }
    }
  }));
