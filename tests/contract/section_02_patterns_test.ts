/** Texts with a least length or a pattern (contract 2.2, 7.2): what a write may say, and what a definition may not. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type Claims, withDefinitions } from "../support/api.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };

function filesWith(columns: string): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": 'export default { name: "patterns" };\n',
    "quickback/features/parts/parts.ts": `import { feature, q } from "quickback";
export default feature("parts", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
});
`,
  };
}

const COLUMNS = String.raw`
  code: q.text({ pattern: "^[A-Z]{3}-\\d{4}$", examples: ["ABC-1234"] }).unique(),
  word: q.text({ pattern: "\\p{L}", examples: ["é"], maxLength: 5 }),
  note: q.text({ minLength: 2, maxLength: 4 })
`;

Deno.test("a text meets its lengths in characters and its pattern anywhere, by Unicode", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    const say = async (body: object) => {
      const { status, body: { pointer = null } } = await api.ask("parts", { as: member, body });
      return [status, pointer];
    };
    const good = [{ code: "XYZ-0000" }, { word: "12é34" }, { note: "💡💡" }, { note: "four" }, {}];
    for (const body of good) assertEquals(await say(body), [201, null], JSON.stringify(body));
    for (const code of ["xyz-0000", "XYZ-00001", " XYZ-0000", "XYZ-0000\n", ""]) {
      assertEquals(await say({ code }), [400, "/code"], code);
    }
    assertEquals(await say({ word: "12345" }), [400, "/word"]);
    assertEquals(await say({ note: "💡" }), [400, "/note"]);
    assertEquals(await say({ note: "fiver" }), [400, "/note"]);
    const { body } = await api.ask("parts?code.like=XYZ&note.ne=x", { as: member });
    assertEquals(Array.isArray(body["data"]) && body["data"].length, 1);
  });
});

Deno.test("a pattern without a proof, an example that does not meet it, and lengths without room are errors", () => {
  const codes = (options: string, more = "") => {
    const validation = validate(filesWith(`one: q.text({ ${options} })${more}`));
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  assertEquals(codes('pattern: "^a+$", examples: ["aa"]', '.default("a")'), []);
  assertEquals(codes('pattern: "^(a+)+$", examples: ["aa"]'), ["PATTERN_UNSAFE"]);
  assertEquals(codes('pattern: "(", examples: ["aa"]'), ["PATTERN_UNSAFE"]);
  assertEquals(codes('pattern: "^a+$", examples: ["b"]'), ["PATTERN_UNMET"]);
  assertEquals(codes('pattern: "^a+$", examples: ["a"]', '.default("b")'), ["PATTERN_UNMET"]);
  assertEquals(codes('pattern: "^a+$"'), ["KEY_MISSING"]);
  assertEquals(codes('examples: ["b"]'), ["VALUE_INVALID"]);
  assertEquals(codes('minLength: 2, enum: ["b"]'), ["VALUE_INVALID"]);
  assertEquals(codes("minLength: 3, maxLength: 2"), ["VALUE_INVALID"]);
});
