/** A name either works wherever an author writes it, or compile refuses it with its place and the way out (definitions 1, 3). */
import { assert, assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../shared/compiler/mod.ts";
import { RESERVED_PARAMETERS } from "../../shared/contract/fields.ts";
import { reservedSqlNames } from "../../shared/model/service_tables.ts";
import { camelCase } from "../../shared/surface/names.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const MEMBERS = `{ access: { roles: ["member"] } }`;

const OBJECT_MEMBERS = Object.getOwnPropertyNames(Object.prototype);
const SCRIPT_WORDS = [
  ..."then prototype arguments class default delete function new null undefined await yield let"
    .split(" "),
  ..."static enum import export this name length toJSON size constructor eval hasOwn in of".split(
    " ",
  ),
];
const SQL_WORDS = [
  ..."true false select order group index table from where limit offset values set primary key"
    .split(" "),
  ..."references unique check rowid oid rank docid abort replace match glob like isnull notnull"
    .split(" "),
  ..."exists case cast date time json count sum current_timestamp t r s k f n main temp excluded old"
    .split(" "),
  ..."things_search thingsSearch rawId raw_id schema sql tables".split(" "),
];
const SPELLINGS = ["aB", "ab", "a_b", "a1", "a_1"];
const NAMES = [...new Set([...OBJECT_MEMBERS, ...SCRIPT_WORDS, ...SQL_WORDS, ...SPELLINGS])];
const SERVICE_NAMES = [...reservedSqlNames().tables, ...reservedSqlNames().indexes]
  .map(camelCase);

const CONFIG = {
  "quickback/quickback.config.ts": `export default { name: "names" };\n`,
};

interface Table {
  readonly columns?: readonly string[];
  readonly more?: string;
  readonly search?: boolean;
}

function tableFile(name: string, { columns = [], more = "", search = false }: Table = {}): string {
  const written = JSON.stringify(["title", ...columns]);
  return `import { feature, q } from "quickback";
export default feature(${JSON.stringify(name)}, {
  columns: {
    organizationId: q.scope("organization"), title: q.text(),
    ${columns.map((column) => `${JSON.stringify(column)}: q.text(),`).join(" ")}
  },
  guards: { createable: ${written}, updatable: ${written} },
  ${search ? `search: { mode: "fullText" },` : ""}
  ${more.includes("read:") ? "" : `read: ${MEMBERS},`}
  create: ${MEMBERS}, update: ${MEMBERS}, delete: ${MEMBERS}, ${more}
});
`;
}

const projectOf = (tables: Readonly<Record<string, string>>): RawFiles => ({
  ...CONFIG,
  ...Object.fromEntries(
    Object.values(tables).map((text, at) => [`quickback/features/f${at}/one${at}.ts`, text]),
  ),
});

const things = (table: Table): RawFiles => projectOf({ things: tableFile("things", table) });

/** The names with which the files compile; each other one is refused where it stands, with a hint. */
function compiling(
  names: readonly string[],
  filesFor: (name: string) => RawFiles,
): readonly string[] {
  return names.filter((name) => {
    const result = validate(filesFor(name));
    if (result.ok) return true;
    assert(result.errors.length > 0, name);
    assert(result.errors.some(({ message }) => message.includes(`"${name}"`)), name);
    // A message of VALUE_INVALID says what was expected.
    const isHelpful = result.errors.some(({ hint, code }) =>
      hint !== null || code === "VALUE_INVALID"
    );
    assert(isHelpful, name);
    return false;
  });
}

/** The first of those that are the same words, and so cannot stand side by side. */
function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = name.toLowerCase().replaceAll("_", "");
    return seen.has(key) ? false : seen.add(key);
  });
}

async function ok(api: ApiUnderTest, path: string, ask: Parameters<ApiUnderTest["ask"]>[1] = {}) {
  const answer = await api.ask(path, { as: ANN, ...ask });
  assert(answer.status < 300, `${ask.method ?? "GET"} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Rows that a list answers. */
async function count(api: ApiUnderTest, path: string): Promise<number> {
  const { data } = await ok(api, path);
  assert(Array.isArray(data), path);
  return data.length;
}

/** Create, read, filter, sort, search, change and delete by one column of one resource. */
async function useColumn(api: ApiUnderTest, segment: string, column: string): Promise<void> {
  const bare = await ok(api, segment, { body: { title: "bare" } });
  assertEquals([column, Object.entries(bare).find(([name]) => name === column)?.[1] ?? null], [
    column,
    column === "title" ? "bare" : null,
  ]);
  const { id } = await ok(api, segment, { body: { title: "x", [column]: "Some word" } });
  const path = `${segment}/${String(id)}`;
  assertEquals((await ok(api, path))[column], "Some word");
  const where = encodeURIComponent(JSON.stringify({ [column]: { equals: "Some word" } }));
  assertEquals(await count(api, `${segment}?where=${where}`), 1, column);
  assertEquals(await count(api, `${segment}?${column}.like=Some`), 1, column);
  assertEquals(await count(api, `${segment}?${column}=Some%20word`), 1, column);
  assertEquals(await count(api, `${segment}?sort=-${column}&fields=id,${column}&total=true`), 2);
  assertEquals(await count(api, `${segment}?search=word`), 1, column);
  await ok(api, path, { method: "PATCH", body: { [column]: "Other" } });
  assertEquals((await ok(api, path))[column], "Other");
  await ok(api, path, { method: "DELETE" });
  await ok(api, `${segment}/${String(bare["id"])}`, { method: "DELETE" });
}

/** Names by which a request says something else, which compile warns of. */
const isParameter = (name: string) => RESERVED_PARAMETERS.some((one) => one === name);

for (const search of [false, true]) {
  Deno.test(`columns of any name work or are refused, ${search ? "with" : "without"} full text`, () => {
    const columns = compiling(
      NAMES.filter((name) => !isParameter(name)),
      (name) => things({ columns: [name], search }),
    );
    const refused = NAMES.filter((name) => !isParameter(name) && !columns.includes(name));
    for (
      const name of ["toString", "hasOwnProperty", "valueOf", "constructor", "true", "false"]
    ) {
      assert(refused.includes(name), name);
    }
    assertEquals(["rank", "rowid"].map((name) => refused.includes(name)), [search, search]);
    const own = distinct(columns);
    const project = { ...things({ columns: own, search }), ...actionFile("find") };
    return withCompiledActions(project, async (api) => {
      for (const column of own) await useColumn(api, "things", column);
    });
  });
}

Deno.test("a column that the database keeps is refused with the reason", () => {
  for (const column of ["true", "rank"]) {
    const result = validate(things({ columns: [column], search: true }));
    assert(!result.ok);
    assertEquals(result.errors.map(({ code }) => code), ["COLUMN_RESERVED"]);
  }
});

Deno.test("tables of any name work or are refused", () => {
  const files = (name: string) => projectOf({ one: tableFile(name) });
  const tables = compiling([...NAMES, ...SERVICE_NAMES], files);
  for (const name of [...OBJECT_MEMBERS, ...SERVICE_NAMES, "main", "temp"]) {
    assert(!tables.includes(name), name);
  }
  const own = distinct(tables);
  const project = projectOf(
    Object.fromEntries(own.map((name) => [name, tableFile(name, { search: true })])),
  );
  return withCompiledActions({ ...project, ...actionFile("find") }, async (api) => {
    for (const name of own) {
      const segment = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replaceAll("_", "-")
        .toLowerCase();
      await useColumn(api, segment, "title");
    }
  });
});

Deno.test("no table has the name of what the database makes for another one", () => {
  const owner = tableFile("things", {
    columns: ["search"],
    search: true,
    more: `indexes: [{ columns: ["search"] }, { columns: ["title"] }],`,
  });
  const made = validate(projectOf({ owner }));
  assert(made.ok, JSON.stringify(made));
  const indexes = made.model.tables.flatMap((table) => table.indexes.map(({ name }) => name));
  assert(indexes.length > 1);
  const shadows = ["_data", "_idx", "_content", "_docsize", "_config", "_keys", ""]
    .map((end) => `things_search${end}`);
  for (const name of [...indexes, ...shadows]) {
    const result = validate(projectOf({ owner, other: tableFile(camelCase(name)) }));
    assert(!result.ok, name);
    assert(
      result.errors.every(({ code }) => ["TABLE_RESERVED", "SEARCH_TABLE_TAKEN"].includes(code)),
      JSON.stringify(result.errors),
    );
  }
  return withDefinitions(projectOf({ owner }), (api) => useColumn(api, "things", "title"));
});

Deno.test("views, actions, enum values and roles of any name work or are refused", () => {
  const words = NAMES.filter((name) => !isParameter(name));
  const withView = (name: string) =>
    things({
      more: `read: { access: { roles: ["member"] }, views: { ${
        JSON.stringify(name)
      }: { fields: ["id", "title"] } } },`,
    });
  const views = compiling(words, withView);
  assert(!views.includes("toString"));
  const enumOf = (values: readonly string[]): string =>
    tableFile("enums", { columns: [] }).replace(
      "title: q.text()",
      `title: q.text(), kind: q.enum(${JSON.stringify(values)})`,
    ).replaceAll('["title"]', '["title","kind"]');
  const values = compiling(words, (name) => projectOf({ one: enumOf([name, "other"]) }));
  const roles = compiling(words, (name) => ({
    ...things({ more: `read: { access: { roles: [${JSON.stringify(name)}] } },` }),
  }));
  const actions = compiling(words, (name) => ({ ...things({}), ...actionFile(name) }));
  assert(!actions.includes("valueOf"));
  const project = {
    ...projectOf({
      things: tableFile("things", {
        more: `read: { access: { roles: ${JSON.stringify(["member", ...roles])} }, views: { ${
          distinct(views).map((name) => `${JSON.stringify(name)}: { fields: ["id", "title"] }`)
            .join(", ")
        } } },`,
      }),
      enums: enumOf(values),
    }),
    ...Object.assign({}, ...distinct(actions).map(actionFile)),
  };
  return withCompiledActions(project, async (api) => {
    const { id } = await ok(api, "things", { body: { title: "one" } });
    for (const { name, segment } of api.project.resources[1]?.read?.views ?? []) {
      assertEquals(await count(api, `things/views/${segment}`), 1, name);
    }
    for (const { path } of api.project.actions) {
      const asked = path.replace(":id", String(id)).replace(/^\//, "");
      assertEquals((await ok(api, asked, { body: {} }))["found"], "one", path);
    }
    for (const role of roles) await ok(api, "things", { as: { ...ANN, roles: [role] } });
    for (const kind of values) {
      await ok(api, "enums", { body: { kind } });
      assertEquals(await count(api, `enums?kind=${kind}`), 1, kind);
    }
  });
});

function actionFile(name: string): RawFiles {
  return {
    [`quickback/features/f0/actions/${name}.ts`]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Find it", input: z.object({}), access: { roles: ["member"] },
  execute: ({ record }) => ({ found: record.title }),
});
`,
  };
}

/** The keys refer to people by these names, as many at a time as the database joins. */
const KEYS_AT_ONCE = 40;

const keyFiles = (keys: readonly string[]): RawFiles =>
  projectOf({
    people: tableFile("people").replace("guards:", 'displayColumn: "title", guards:'),
    things: tableFile("things", {
      columns: keys,
      more: `read: { access: { roles: ["member"] }, include: ${JSON.stringify(keys)} },`,
    }).replace(
      "\nexport default",
      '\nimport people from "../f0/one0";\nexport default',
    ).replaceAll(/("\w+Id"): q\.text\(\)/g, "$1: q.text().references(() => people.id)"),
  });

/** A `where` reads these words, and the first of them JSON's readers. */
const NO_RELATIONS = ["constructor", "__proto__", "or", "and", "not"];

Deno.test("foreign keys of any name work or are refused, with their labels, includes and relations", async () => {
  const words = distinct([...NAMES, "or", "and", "not", "some", "none", "equals", "in"]);
  const keys = compiling(
    words.filter((name) => !["organization", "owner"].includes(name)).map((name) => `${name}Id`),
    (key) => keyFiles([key]),
  );
  assert(keys.length > KEYS_AT_ONCE);
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const own = keys.slice(at, at + KEYS_AT_ONCE);
    await withDefinitions(keyFiles(own), async (api) => {
      const { id } = await ok(api, "people", { body: { title: "Ann" } });
      const ann = String(id);
      for (const key of own) await useKey(api, key, ann);
    });
  }
});

async function useKey(api: ApiUnderTest, key: string, ann: string): Promise<void> {
  const name = key.slice(0, -2);
  const made = await ok(api, "things", { body: { title: key, [key]: ann } });
  assertEquals([made[key], made[`${name}_label`]], [ann, "Ann"], key);
  const { included } = await ok(api, `things?${key}=${ann}&include=${key}&sort=${key}`);
  assertEquals(Object(included)[key][ann].title, "Ann", key);
  const where = encodeURIComponent(JSON.stringify({ [name]: { title: "Ann" } }));
  if (NO_RELATIONS.includes(name)) return;
  assertEquals(await count(api, `things?where=${where}`), 1, key);
}

Deno.test("a key whose record would be called not, or as every object's member, is no relation", () =>
  withDefinitions(keyFiles(["notId", "orId", "constructorId"]), async (api) => {
    const { id } = await ok(api, "people", { body: { title: "Ann" } });
    await ok(api, "things", { body: { title: "Ann", notId: id } });
    const ask = (where: unknown) =>
      api.ask(`things?where=${encodeURIComponent(JSON.stringify(where))}`, { as: ANN });
    const { body } = await ask({ not: { title: "Ann" } });
    assertEquals(body["data"], []);
    for (const name of ["or", "constructor"]) {
      assertEquals((await ask({ [name]: { title: "Ann" } })).status, 400);
    }
  }));
