/** Words of an author about a table and an action, wherever people and models read them (definitions 3 to 5). */
import { assert, assertEquals } from "@std/assert";
import { compile, type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const OPTIONS =
  `guards: { createable: [], updatable: [] }, read: { access: { roles: ["member"] } }`;
const COLUMNS = `organizationId: q.scope("organization"), name: q.text()`;

function files(table: string, action = ""): RawFiles {
  return {
    "quickback/quickback.config.ts": 'export default { name: "things" };\n',
    "quickback/features/things/things.ts":
      `import { defineTable, feature, q } from "quickback";\n${table}\n`,
    ...(action === "" ? {} : {
      "quickback/features/things/actions/mend.ts":
        `import { defineAction } from "quickback";\nimport { z } from "zod";\n${action}\n`,
    }),
  };
}

/** Of the table in the tag, the record's schema and the types; of the action in its summary. */
function described(input: RawFiles) {
  const validation = validate(input);
  assert(validation.ok, JSON.stringify(validation));
  const result = compile(input, BARE_HOST);
  assert(result.ok);
  const text = result.files.find(({ path }) => path.endsWith("openapi.json"))?.content ?? "";
  const { tags, components, paths } = JSON.parse(text);
  return {
    tag: tags[0].description,
    record: components.schemas.ThingsRecord.description,
    type: /\/\*\* ([^\n]*) \*\/\nexport (?:interface|type) ThingsRecord\b/
      .exec(clientTypes(validation.model))?.[1],
    action: paths["/api/v1/things/{id}/mend"]?.post.summary,
  };
}

const feature = (more = "") =>
  `export default feature("things", { columns: { ${COLUMNS} }, ${OPTIONS}${more} });`;
const TAG = "Records of `things` in the feature `things`.";

Deno.test("a table is described by its doc comment, whatever it is declared by", () => {
  const said = {
    tag: `What we mend. ${TAG}`,
    record: "What we mend.",
    type: "What we mend.",
    action: undefined,
  };
  const table = `q.table("things", { ${COLUMNS} })`;
  for (
    const text of [
      `/** What we mend. */\n${feature()}`,
      `/**\n * What\n * we mend\n *\n * And more.\n */\n${feature()}`,
      `/** What we mend. */\nexport const things = ${table};\nexport default defineTable(things, { ${OPTIONS} });`,
      `const things = ${table};\n/** What we mend. */\nexport default defineTable(things, { ${OPTIONS} });`,
      `/** Lost. */\n${feature(', description: "What we mend"')}`,
    ]
  ) assertEquals(described(files(text)), said, text);
});

Deno.test("a comment elsewhere, or of another kind, describes no table", () => {
  for (
    const text of [
      feature(),
      `/** Of the file. */\nconst other = "x";\n${feature()}`,
      `// What we mend.\n${feature()}`,
      `/* What we mend. */\n${feature()}`,
      `/** Lost. */ // Here.\n${feature()}`,
    ]
  ) assertEquals([described(files(text)).tag, described(files(text)).record], [TAG, undefined]);
});

Deno.test("an action is described by its key, else by its doc comment, and by one of both", () => {
  const action = (comment: string, description = "") =>
    `${comment}\nexport default defineAction({ ${description} input: z.object({}), access: { roles: ["member"] }, execute: () => ({}) });`;
  const summary = (text: string) => described(files(feature(), text)).action;
  assertEquals(summary(action("/** Mends it. */")), "Mends it.");
  assertEquals(summary(action("/** Lost. */", 'description: "Mend",')), "Mend");
  const hostile = summary(action('/** a \\` ${x} "b" <c> */'));
  assertEquals(hostile, 'a \\` ${x} "b" <c>');
  const none = validate(files(feature(), action("// Mends it.")));
  assert(!none.ok);
  assertEquals(none.errors.map(({ code }) => code), ["KEY_MISSING"]);
});
