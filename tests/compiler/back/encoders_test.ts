/** Text from definitions becomes code through one encoder per target: hostile text stays text. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import Database from "libsql";
import { markdownText } from "../../../shared/lib/texts.ts";
import { sqlIdentifier, sqlString } from "../../../shared/lib/sql_text.ts";
import { typescriptComment, typescriptString } from "../../../shared/lib/typescript_text.ts";
import { print } from "../../../shared/compiler/phases/6-emit/typescript/print.ts";
import { literal } from "../../../shared/compiler/phases/6-emit/typescript/source.ts";
import { specNames } from "../../../shared/compiler/phases/5-plan/plan.ts";

const HOSTILE: readonly string[] = [
  "",
  "plain",
  `"double"`,
  "'single'",
  `"both" 'kinds'`,
  "`back` ${tick}",
  "back\\slash\\",
  `\\"`,
  "new\nline\r\n\ttab",
  "end */ of /* comment //",
  "'; DROP TABLE users; --",
  "--> statement-breakpoint",
  "a\n--> statement-breakpoint\nDROP TABLE users",
  "nul\0nul",
  "\u2028\u2029\u202e\u2066\ufeff\u200b",
  "lone \ud800 surrogate",
  "emoji 👩‍💻 and \u{1f600}",
  "</script><!-- ",
  "__proto__",
  "| pipe | [link](x) `code` # head",
];

for (const text of HOSTILE) {
  const name = JSON.stringify(text);

  Deno.test(`typescriptString() and literal() evaluate to ${name}`, async () => {
    const value = { [text]: [text, { deep: text }], "__proto__x": text };
    const source = print(literal(value), { indent: 0, used: 0, after: 0 });
    const code = `export const text = ${
      typescriptString(text)
    };\nexport const value = ${source};\n`;
    assert(/^[\x20-\x7e\n]*$/.test(code.replace(/[\p{L}\p{S}\p{M}\p{N}]/gu, "")), "invisible text");
    const module: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    assertEquals<unknown>({ ...(module as object) }, { text, value });
  });

  Deno.test(`typescriptComment() is one comment around ${name}`, () => {
    const comment = typescriptComment(text);
    assertEquals(comment.indexOf("*/"), comment.length - 2);
    assert(!/[\n\r\u2028\u2029\0]/.test(comment));
  });

  Deno.test(`markdownText() keeps ${name} on one line without markup`, () => {
    const line = markdownText(text);
    assert(!/[\n\r]/.test(line));
    assert(!/(^|[^\\])[`|<[]/.test(line), line);
  });

  Deno.test(`sqlString() is one value in SQL: ${name}`, () => {
    const sql = sqlString(text);
    assert(!sql.includes("--> statement-breakpoint"));
    const database = new Database(":memory:");
    database.exec(`CREATE TABLE t (a integer, b text DEFAULT ${sql})`);
    database.exec("INSERT INTO t (a) VALUES (1)");
    const [row] = database.prepare("SELECT CAST(b AS blob) FROM t").raw().all();
    const [bytes] = row as [Uint8Array];
    assertEquals([...new Uint8Array(bytes)], [...new TextEncoder().encode(text)]);
    database.close();
  });
}

Deno.test("sqlIdentifier() is one name in SQL, or an error", () => {
  for (const name of HOSTILE.filter((text) => text !== "" && !text.includes("\0"))) {
    if (!name.isWellFormed()) continue;
    const database = new Database(":memory:");
    database.exec(`CREATE TABLE ${sqlIdentifier(name)} (a integer)`);
    const names = database.prepare("SELECT name FROM sqlite_master").raw().all();
    assertEquals<unknown>(names, [[name]]);
    database.close();
  }
  for (const name of ["", "nul\0nul"]) assertThrows(() => sqlIdentifier(name), Error, "identifier");
});

Deno.test("specNames() are unique, readable and never reserved", () => {
  const names = specNames(["class", "mod", "text", "atsImports", "ats_imports", "2fa", "roles"]);
  assertEquals([...names.values()], [
    { fileName: "class", identifier: "class2" },
    { fileName: "mod-2", identifier: "mod" },
    { fileName: "text", identifier: "text2" },
    { fileName: "ats-imports", identifier: "atsImports" },
    { fileName: "ats-imports-2", identifier: "atsImports2" },
    { fileName: "2fa", identifier: "table2fa" },
    { fileName: "roles", identifier: "roles" },
  ]);
});
