/** `<field>.null` (contract 4.3): whether a column is set, on columns of every type; a masked one cannot be asked by. */
import { assertEquals } from "@std/assert";
import { type Claims, withDefinitions } from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const VALUES = {
  words: "a",
  count: 1,
  share: 0.5,
  done: false,
  at: "2026-01-31T10:20:30.000Z",
  day: "2026-01-31",
  site: "https://example.com/",
  kind: "a",
  extra: { a: 1 },
};

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "things" };\n',
  "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: {
    organizationId: q.scope("organization"),
    words: q.text(),
    count: q.int(),
    share: q.real(),
    done: q.bool(),
    at: q.timestamp(),
    day: q.date(),
    site: q.url(),
    kind: q.enum(["a", "b"]),
    extra: q.json(),
    narrow: q.text().filterable("eq"),
    hidden: q.text(),
  },
  masking: { hidden: { type: "redact", show: { roles: ["lead"] } } },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
};

Deno.test("null tells rows without a value from those with one, and takes true and false alone", () =>
  withDefinitions(FILES, async (api) => {
    const idOf = async (body: object) => (await api.ask("things", { as: ANN, body })).body["id"];
    const [set, unset] = [await idOf(VALUES), await idOf({})];
    const found = async (query: string) => {
      const { data, code } = (await api.ask(`things?${query}`, { as: ANN })).body;
      return Array.isArray(data) ? data.map(({ id }) => id) : code;
    };
    for (const name of Object.keys(VALUES)) {
      assertEquals(await found(`${name}.null=true`), [unset], name);
      assertEquals(await found(`${name}.null=false`), [set], name);
    }
    assertEquals(await found("id.null=true"), []);
    assertEquals(await found("count.null=false&done.null=true"), []);
    for (const query of ["words.null=", "words.null=1", "narrow.null=true", "hidden.null=true"]) {
      assertEquals(await found(query), "VALIDATION_INVALID_INPUT", query);
    }
  }));
