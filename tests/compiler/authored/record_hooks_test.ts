/** Files of hooks (definitions 6): what the model has of them, and each mistake where it is. */
import { assert, assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { hooked, hooksFile } from "../../support/hooked_project.ts";
import { toldOf } from "../../support/analysis.ts";

const SHOP = "quickback/features/shop";
const HOOKS = `${SHOP}/hooks/orders.ts`;
const head = 'import { defineHooks } from "quickback";\nimport { orders } from "../schema";\n';

function told(files: RawFiles): readonly string[] {
  const result = validate({ ...hooked(), ...files });
  return result.ok ? toldOf(result.warnings) : toldOf(result.errors);
}

Deno.test("the model has hooks by their table, in their order", () => {
  const all = validate(hooked());
  assert(all.ok, JSON.stringify(all));
  assertEquals(all.model.authored.recordHooks, [{
    table: "orders",
    module: HOOKS,
    hooks: [
      "beforeCreate",
      "beforeUpdate",
      "beforeDelete",
      "afterCreate",
      "afterUpdate",
      "afterDelete",
    ],
  }]);
  const hooks = hooksFile({
    afterCreate: "async ({ db }) => { await db.records.create(lines, {}); }",
    beforeCreate: "() => ({ made: String(1) })",
  });
  const some = validate(hooked({ hooks }));
  assert(some.ok);
  assertEquals(
    some.model.authored.recordHooks?.map(({ hooks, writesRecords }) => [hooks, writesRecords]),
    [
      [["beforeCreate", "afterCreate"], true],
    ],
  );
});

const ROWS: readonly (readonly [string, RawFiles, readonly string[]])[] = [
  ["a table by its default export", {
    [HOOKS]: 'import { defineHooks } from "quickback";\nimport orders from "../orders";\n' +
      'export default defineHooks(orders, { beforeCreate() { return { made: "x" }; } });\n',
  }, []],
  ["a constant", {
    [HOOKS]:
      `${head}const hooks = defineHooks(orders, { beforeCreate: () => ({ made: "x" }) });\nexport default hooks;\n`,
  }, []],
  ["another default export", { [HOOKS]: "export default { beforeCreate() {} };\n" }, [
    `HOOKS_EXPORT 1:16 File "${HOOKS}" has no defineHooks() as its default export | Write: export default defineHooks(table, { … }), or move the file to lib/`,
  ]],
  ["no default export", { [HOOKS]: "export const one = 1;\n" }, [
    `HOOKS_EXPORT 1:1 File "${HOOKS}" has no defineHooks() as its default export | Write: export default defineHooks(table, { … }), or move the file to lib/`,
  ]],
  ["an unknown hook", {
    [HOOKS]:
      `${head}export default defineHooks(orders, { beforeCreate: () => ({}), onCreate: () => {} });\n`,
  }, [
    'HOOK_UNKNOWN 3:64 There is no hook "onCreate" | There are "beforeCreate", "beforeUpdate", "beforeDelete", "afterCreate", "afterUpdate", "afterDelete"',
  ]],
  ["a misspelt hook", {
    [HOOKS]:
      `${head}export default defineHooks(orders, { beforeCreat: () => ({}), beforeCreate: () => ({}) });\n`,
  }, ['HOOK_UNKNOWN 3:38 There is no hook "beforeCreat" | Did you mean "beforeCreate"?']],
  ["a hook that is no function", {
    [HOOKS]: `${head}export default defineHooks(orders, { beforeCreate: 5 });\n`,
  }, [
    'HOOK_CODE 3:52 Hook "beforeCreate" is no function | Write: beforeCreate: async ({ … }) => { … }',
  ]],
  ["none", { [HOOKS]: `${head}export default defineHooks(orders, {});\n` }, [
    "HOOKS_EMPTY 3:36 defineHooks() has no hook | Add one of beforeCreate, beforeUpdate, beforeDelete, afterCreate, afterUpdate, afterDelete, or remove the file",
  ]],
  ["the hooks without a table", {
    [HOOKS]: `${head}export default defineHooks({ beforeCreate: () => orders });\n`,
  }, [
    "ARGUMENTS 3:16 Arguments of defineHooks are wrong, expected defineHooks(table, { beforeCreate, afterUpdate, … })",
  ]],
  ["two files for one table", {
    [`${SHOP}/hooks/others.ts`]:
      `${head}export default defineHooks(orders, { afterCreate: () => {} });\n`,
  }, [
    `HOOKS_TWICE 3:16 "${HOOKS}" has the hooks of table "orders" already | Put the hooks of a table into one file`,
  ]],
  ["a table of another feature", {
    "quickback/features/desk/hooks/orders.ts":
      'import { defineHooks } from "quickback";\nimport { orders } from "../../shop/schema";\n' +
      "export default defineHooks(orders, { afterCreate: () => {} });\n",
  }, [
    'HOOKS_TABLE 3:28 Table "orders" is one of feature "shop", not of "desk" | Move the file to quickback/features/shop/hooks/',
  ]],
  ["a file in a folder below", { [`${SHOP}/hooks/more/orders.ts`]: "export default 1;\n" }, [
    `FEATURE_FILE_REFUSED 1:1`,
  ]],
  ["SQL by hand", {
    [HOOKS]: 'import { defineHooks } from "quickback";\nimport { sql } from "drizzle-orm";\n' +
      'import { orders } from "../schema";\nexport default defineHooks(orders, {\n' +
      '  beforeCreate: async ({ db }) => { await db.select({ n: sql`1` }).from(orders); return { made: "x" }; },\n});\n',
  }, ["SERVICE_RAW_SQL"]],
];

for (const [title, files, expected] of ROWS) {
  Deno.test(`hooks: ${title}`, () => {
    const found = told(files);
    assertEquals(found.length, expected.length, found.join("\n"));
    for (const [at, text] of expected.entries()) {
      assertEquals(found[at]?.slice(0, text.length), text, found.join("\n"));
    }
  });
}
