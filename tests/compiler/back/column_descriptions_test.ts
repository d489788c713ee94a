/** Words of an author about a column, in the description and in the client's types (definitions 3). */
import { assert, assertEquals } from "@std/assert";
import { compile, validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

function filesWith(columns: string): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": 'export default { name: "things" };\n',
    "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: {
    organizationId: q.scope("organization"),
${columns}
  },
  guards: { createable: ["some"], updatable: [] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
  };
}

/** The descriptions of the column in records, in bodies and in the client's types. */
function described(columns: string) {
  const files = filesWith(columns);
  const validation = validate(files);
  assert(validation.ok, JSON.stringify(validation));
  const result = compile(files, BARE_HOST);
  assert(result.ok);
  const openapi = result.files.find(({ path }) => path.endsWith("openapi.json"))?.content ?? "";
  const { ThingsRecord, ThingsCreate } = JSON.parse(openapi).components.schemas;
  const types = clientTypes(validation.model);
  return [
    ThingsRecord.properties.some.description,
    ThingsCreate.properties.some.description,
    /\/\*\* ([^\n]*) \*\/\n\s*(?:readonly )?"?some"?:/.exec(types)?.[1],
  ];
}

Deno.test("a column is described by its author, then by its kind, wherever it is", () => {
  const said = [
    "Rows of it. Some: text. Fixed once the record is created.",
    "Rows of it. Some: text. Null clears it.",
    "Rows of it. Some: text. Fixed once the record is created.",
  ];
  assertEquals(described('    some: q.text().describe("Rows of it"),'), said);
  assertEquals(described("    /** Rows of it. */\n    some: q.text(),"), said);
  const long =
    "    /**\n     * Rows\n     * of it.\n     *\n     * More of it.\n     */\n    some: q.text(),";
  assertEquals(described(long), said);
  assertEquals(described('    /** Lost. */\n    some: q.text().describe("Rows of it."),'), said);
});

Deno.test("other comments describe nothing", () => {
  const [plain] = described("    some: q.text(),");
  for (const comment of ["// Rows of it.", "/* Rows of it. */", "/** */", "/** Lost. */ // Rows"]) {
    assertEquals(described(`    ${comment}\n    some: q.text(),`)[0], plain, comment);
  }
});

Deno.test("what a comment or a text holds ends no text that it stands in", () => {
  const [record, , types] = described('    some: q.text().describe("a */ b \\" c `d` ${e}"),');
  assertEquals(record, 'a */ b " c `d` ${e}. Some: text. Fixed once the record is created.');
  assert(types?.includes("a *") && !types.includes("*/"), types);
});

Deno.test("a description that is none is a compile error", () => {
  for (const call of [".describe()", '.describe("")', ".describe(1)", '.describe("a", "b")']) {
    assert(!validate(filesWith(`    some: q.text()${call},`)).ok, call);
  }
});
