/** Names of a foreign schema that nobody would give by accident: no path and no code comes of them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@babel/parser";
import * as fc from "fast-check";
import { DraftError, type ForeignSchema } from "../../../cli/adopt/foreign_schema.ts";
import { draftOf } from "../../../cli/adopt/draft_of.ts";
import { printDecisions } from "../../../cli/adopt/print_decisions.ts";
import { printDraft } from "../../../cli/adopt/print_draft.ts";
import { readOpenApi } from "../../../cli/adopt/read_openapi.ts";
import { readPrisma } from "../../../cli/adopt/read_prisma.ts";
import { readSql } from "../../../cli/adopt/read_sql.ts";
import { NO_TENANT } from "../../../cli/adopt/tenancy.ts";
import { columnsOf, drafted } from "../../support/drafts.ts";
import { validate } from "../../../shared/compiler/mod.ts";

const HOSTILE = [
  "../../../x",
  "/etc/passwd",
  "..\\..\\x",
  "x.ts\u0000",
  'x"}); pwned(); ({"',
  "x'); pwned(); ('",
  "x`; ${pwned()} `",
  "*/ pwned(); /*",
  "x\npwned();",
  "x\u2028pwned()",
  "x\r\n- [ ] pwned",
  "${pwned()}",
  "arguments",
  "class",
  "await",
  "constructor",
  "__proto__",
  "toString",
  "true",
  "1st",
  "\u202epwned",
  "preis €",
  "price",
  "価格",
  "",
  " ",
];

/** A schema of each kind with the name in every place that takes one. */
function schemasWith(name: string): readonly (() => ForeignSchema)[] {
  const sql = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const literal = `'${name.replaceAll("'", "''")}'`;
  const text = JSON.stringify(name);
  return [
    () =>
      readSql(
        `create table ${sql(name)} (id text primary key, ${
          sql(name)
        } text not null default ${literal});
create table notes (id text primary key, ref text references ${sql(name)} (id), unique (ref));`,
      ),
    () =>
      readOpenApi(JSON.stringify({
        openapi: "3.1.0",
        info: { title: "x", version: "1" },
        paths: {},
        components: {
          schemas: {
            [name]: {
              type: "object",
              properties: {
                id: { type: "string" },
                [name]: { type: "string", enum: [name, "b"], default: name },
              },
              required: [name],
            },
          },
        },
      })),
    () =>
      readPrisma(
        `model Note {\n  id String @id\n  title String @default(${text})\n  @@map(${text})\n}\n`,
      ),
  ];
}

/** The files, or null where the schema or a name in it was refused. */
function draftedFrom(read: () => ForeignSchema): Readonly<Record<string, string>> | null {
  try {
    const draft = draftOf(read(), { multiTenant: true, tenancy: NO_TENANT, taken: [] });
    return { ...printDraft(draft, "text"), "DECIDE.md": printDecisions(draft) };
  } catch (error) {
    if (error instanceof DraftError) return null;
    throw error;
  }
}

/** Names, and what nothing but a literal may hold. */
function requireHarmless(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    if (path === "DECIDE.md") {
      assertEquals(text.match(/^(?!#| *- |$).*$/gm), null, text);
      continue;
    }
    assertMatch(path, /^quickback\/features\/[a-z][a-z0-9-]*\/[a-z][A-Za-z0-9_]*\.ts$/);
    const { tokens } = parse(text, { sourceType: "module", plugins: ["typescript"], tokens: true });
    const said = (tokens ?? []).map(({ value, type }) => String(value ?? type?.label));
    const called = said.filter((word, at) => word === "pwned" && said[at + 1] === "(");
    assertEquals(called, [], text);
  }
  const config = { "quickback/quickback.config.ts": 'export default { name: "x" };\n' };
  const result = validate({ ...config, ...definitionsOf(files) });
  const codes: readonly string[] = result.ok ? [] : result.errors.map(({ code }) => code);
  assertEquals(codes, []);
}

function definitionsOf(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith(".ts")));
}

Deno.test("a hostile name becomes a harmless one, or the file is refused", () => {
  let drafted = 0;
  for (const name of HOSTILE) {
    for (const read of schemasWith(name)) {
      const files = draftedFrom(read);
      if (files === null) continue;
      drafted++;
      requireHarmless(files);
    }
  }
  assert(drafted > HOSTILE.length, String(drafted));
});

Deno.test("no name that anybody thinks of leads outside, or is run", () => {
  const part = fc.constantFrom(
    "../",
    "/",
    '"',
    "'",
    "`",
    "${pwned()}",
    "\n",
    ";",
    "*/",
    "a",
    "B",
    "_",
    "9",
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      for (const read of schemasWith(parts.join(""))) {
        const files = draftedFrom(read);
        if (files !== null) requireHarmless(files);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("two names that become one are told apart", () => {
  const schema = readSql(
    'create table "a-b" (id text primary key); create table "a_b" (id text primary key);',
  );
  assertEquals(Object.keys(drafted(schema).files), [
    "quickback/features/a-bs/aBs.ts",
    "quickback/features/a-b-records/aBRecords.ts",
  ]);
  const columns = readSql('create table t (id text primary key, "a-b" text, a_b text, "a.b" int);');
  assertEquals(Object.keys(columnsOf(drafted(columns), "ts")), ["aB", "aBValue", "aB2"]);
});
