import { assert, assertEquals } from "@std/assert";
import { JOBS, runProject, told } from "../../support/front.ts";

const HEAD = 'import { feature, q } from "quickback";\n';

Deno.test("a file with five syntax errors gives five diagnostics, each at its own line", () => {
  const source = `${HEAD}export default feature("jobs", {
  columns: {
    title: q.text(.required(),
    salary: q.int()
    open: q.bool(),
    closedAt: ,
    note: q.text("abc),
  },
  read: { access: { roles: ["admin" "owner"] } },
});
`;
  assertEquals(told(runProject({ [JOBS]: source }).errors), [
    "SYNTAX_ERROR 4:19 Syntax error: Unexpected token",
    'SYNTAX_ERROR 5:19 Syntax error: Expected ","',
    "SYNTAX_ERROR 7:15 Syntax error: Unexpected token",
    "SYNTAX_ERROR 8:18 Syntax error: Unterminated string constant",
    'SYNTAX_ERROR 10:37 Syntax error: Expected ","',
  ]);
});

/** One mistake each, with the only line and column that may be told. */
const SINGLE: readonly (readonly [source: string, line: number, column: number])[] = [
  [
    "export default feature('jobs', {\n  columns: = {\n    a: q.id(),\n  },\n  read: {},\n});",
    2,
    12,
  ],
  ["const a = 1;\nconst a = 2;", 2, 7],
  ["export default {\n  a: 1\n  b: 2,\n};", 2, 6],
  ["export default {\n  a: 1, // one\n  b: 2\n  c: 3,\n};", 3, 6],
  ["export default {\n  a: 'one,\n  b: 2,\n};", 2, 6],
  ["export default {\n  a: 1,,\n  b: 2,\n};", 2, 8],
  ["import { a } form 'quickback';\nexport default {};", 1, 14],
  ["export default { a: 1 };\n}", 2, 1],
];

Deno.test("one syntax mistake is one diagnostic at its place", () => {
  for (const [source, line, column] of SINGLE) {
    const { errors } = runProject({ [JOBS]: source });
    const places = errors.map(({ code, place }) => [code, place.line, place.column]);
    assertEquals(places, [["SYNTAX_ERROR", line, column]], source);
  }
});

Deno.test("syntax errors are found in every code file, and only in code", () => {
  const { errors } = runProject({
    "quickback/features/jobs/handlers/close.ts": "export const execute = ;",
    "quickback/services/mailer.ts": "export default (;",
    "quickback/email-templates/welcome.tsx": "export default () => <p>Hello</p>;",
    "quickback/features/jobs/README.md": "const = ;",
    "quickback/drizzle/features/meta/0000_snapshot.json": "{",
  });
  assertEquals(errors.map(({ place }) => place.file), [
    "quickback/features/jobs/handlers/close.ts",
    "quickback/services/mailer.ts",
  ]);
});

/** Texts that overflow a parser, or nearly do. */
const HOSTILE: readonly (readonly [text: string, code: string])[] = [
  ["[".repeat(100_000), "FILE_TOO_NESTED"],
  [`export default ${"[".repeat(1000)}${"]".repeat(1000)};`, "FILE_TOO_NESTED"],
  [`const a = ${"1+".repeat(100_000)}1;`, "FILE_UNPARSABLE"],
  [`const a = ${"!".repeat(100_000)}1;`, "FILE_UNPARSABLE"],
  [`const a = ${"a=>".repeat(100_000)}1;`, "FILE_UNPARSABLE"],
  [`const a = ${"a?1:".repeat(100_000)}1;`, "FILE_UNPARSABLE"],
  ["`${".repeat(5000), "FILE_TOO_NESTED"],
  ["/* ".repeat(150_000), "SYNTAX_ERROR"],
  [`"${'\\\\"'.repeat(200_000)}`, "SYNTAX_ERROR"],
  ["`" + "a".repeat(500_000), "SYNTAX_ERROR"],
  ["const a = ;\n".repeat(20_000), "SYNTAX_ERROR"],
  ["a:".repeat(200_000) + ";", "FILE_UNPARSABLE"],
];

Deno.test("no text overflows the parser or keeps it busy", () => {
  for (const [text, code] of HOSTILE) {
    const { errors } = runProject({ [JOBS]: text });
    assertEquals([...new Set(errors.map((error) => error.code))], [code], text.slice(0, 30));
  }
});

Deno.test("brackets in strings and comments do not count as nesting", () => {
  const source = `// ${"[".repeat(300)}\nexport const a = "${"{".repeat(300)}";\n`;
  assertEquals(told(runProject({ [JOBS]: source }).errors), []);
});

Deno.test("no broken text escapes as an exception, and every place lies in its file", () => {
  const source = `${HEAD}const LIMIT = { a: [1, -2, null] as const };
export default feature("jobs", {
  ...LIMIT,
  columns: { id: q.id(), note: q.text({ maxLength: LIMIT.a[0] }).required() },
  x: \`plain\`, y: () => LIMIT.a, z: async (a) => { await a; }, 'k': /re/g,
});
`;
  let seed = 7;
  const next = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
  const noise = [
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    '"',
    "`",
    "${",
    ",",
    "=>",
    "...",
    ".",
    "\\",
    "\u0000",
    "\u2028",
    "async ",
    "new ",
  ];
  for (let round = 0; round < 400; round++) {
    let text = source;
    for (let change = next(4); change >= 0; change--) {
      const at = next(text.length);
      text = text.slice(0, at) + noise[next(noise.length)] + text.slice(at + next(6));
    }
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
    for (const { place, message } of runProject({ [JOBS]: text }).errors) {
      const width = lines[place.line - 1]?.length ?? -1;
      const found = `${JSON.stringify(text)}: ${JSON.stringify(place)} ${message}`;
      assert(place.column >= 1 && place.column <= width + 1 && place.length >= 1, found);
    }
  }
});

Deno.test("the order of the input changes nothing", () => {
  const files = {
    [JOBS]: `${HEAD}import a from "../a/a";\nexport default feature("jobs", { x: b, y: a.id });\n`,
    "quickback/features/a/a.ts": `${HEAD}export default feature("a", { x: c });\n`,
    "quickback/lib/b.ts": "export const b = ;\n",
  };
  const forwards = runProject(files);
  const backwards = runProject(Object.fromEntries(Object.entries(files).reverse()));
  assertEquals(backwards, forwards);
  assertEquals(forwards.errors.length, 3);
});
