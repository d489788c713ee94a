/** `POST /compile` with a project that the client has parsed: the same bytes as its files, or a refusal (contract 4.8). */
import { assert, assertEquals } from "@std/assert";
import { type ParsedProject, parseProject } from "../../shared/compiler/mod.ts";
import {
  compileRequest,
  framesOf,
  json,
  STREAM_V2,
  testService,
} from "../support/build_service.ts";
import { projectFiles } from "../support/sample_files.ts";

const PROJECTS = [
  "examples/empty",
  "examples/helpdesk",
  "tests/compiler/actions/sample/input",
  "tests/compiler/samples/awkward/input",
  "tests/compiler/samples/notes/input",
];

for (const path of PROJECTS) {
  Deno.test(`a parsed ${path} compiles to the bytes of its files`, async () => {
    const rawFiles = await filesOf(path);
    const input = parsed(rawFiles);
    for (const query of ["", "?complete=false"]) {
      const [one, other] = await Promise.all([
        answered({ rawFiles }, query),
        answered({ input }, query),
      ]);
      assert(one.includes('"meta"'), one);
      assertEquals(other, one);
    }
  });
}

Deno.test("a mistake in a parsed project is told in its place, in every form", async () => {
  const rawFiles = await filesOf("examples/empty");
  const table = "quickback/features/notes/notes.ts";
  const wrong = {
    ...rawFiles,
    [table]: (rawFiles[table] ?? "").replace("createable", "creatable"),
  };
  const [one, other] = await Promise.all([
    answered({ rawFiles: wrong }, ""),
    answered({ input: parsed(wrong) }, ""),
  ]);
  const { errors } = JSON.parse(one);
  assertEquals(errors[0].file, table);
  assertEquals(JSON.parse(other).errors, errors);
});

Deno.test("a stream of a parsed project begins with the reading and ends as any other", async () => {
  const input = parsed(await filesOf("examples/empty"));
  const body = JSON.stringify({ input });
  const frames = framesOf(
    await (await testService().fetch(compileRequest(body, { headers: STREAM_V2 }))).text(),
  );
  assertEquals(frames.filter(({ event }) => event === "progress").map(({ data }) => data.stage), [
    "read",
    "analyze",
    "plan",
    "emit",
  ]);
  assertEquals(frames.at(-1)?.event, "done");
});

Deno.test("contract v2 needs the schemas of a parsed project's actions too", async () => {
  const rawFiles = await filesOf("examples/helpdesk");
  const config = "quickback/quickback.config.ts";
  const second = {
    ...rawFiles,
    [config]: (rawFiles[config] ?? "").replace("({", '({ contract: { version: "v2" },'),
  };
  const codes: readonly { readonly code: string }[] =
    JSON.parse(await answered({ input: parsed(second) }, "?complete=false")).errors;
  assertEquals([...new Set(codes.map(({ code }) => code))], ["INPUT_SCHEMA_MISSING"]);
});

const TABLE = "quickback/features/notes/notes.ts";
const AT_TABLE = TABLE.replaceAll("/", "~1");
const PARSED = parsed(await filesOf("examples/empty"));
const PLACE = { file: TABLE, line: 1, column: 1, length: 1 };

const REFUSED: readonly (readonly [what: string, input: unknown, pointer: string])[] = [
  ["an empty project", {}, "/files"],
  ["a list", [], ""],
  ["files alone", { files: PARSED.files }, "/version"],
  ["another version", { ...PARSED, version: 2 }, "/version"],
  ["an unknown member", { ...PARSED, model: {} }, ""],
  ["a text that is none", { ...PARSED, files: { [TABLE]: 1 } }, `/files/${AT_TABLE}`],
  [
    "a definition file without values",
    { ...PARSED, definitions: {} },
    "/definitions/quickback~1features~1notes~1notes.ts",
  ],
  ["a code file that nobody read", { ...PARSED, code: {} }, `/code/${AT_TABLE}`],
  [
    "values of a file that is not there",
    withDefinition("quickback/features/x/x.ts", { bindings: [], defaultExport: null }),
    "/definitions/quickback~1features~1x~1x.ts",
  ],
  [
    "code of no code file",
    { ...PARSED, code: { ...PARSED.code, "wrangler.toml": code({}) } },
    "/code/wrangler.toml",
  ],
  [
    "an unknown kind of value",
    withDefault({ kind: "date", place: PLACE }),
    `/definitions/${AT_TABLE}/defaultExport/kind`,
  ],
  [
    "a place in a file that is not there",
    withDefault({ kind: "null", place: { ...PLACE, file: "/etc/passwd" } }),
    `/definitions/${AT_TABLE}`,
  ],
  [
    "a place before the first line",
    withDefault({ kind: "null", place: { ...PLACE, line: 0 } }),
    `/definitions/${AT_TABLE}/defaultExport/place/line`,
  ],
  [
    "a reference into a file that is not there",
    withDefault({
      kind: "reference",
      target: { file: "x", name: "y" },
      members: [],
      place: PLACE,
    }),
    `/definitions/${AT_TABLE}`,
  ],
  [
    "two bindings of one name",
    withDefinition(TABLE, {
      bindings: [1, 2].map(() => ({ name: "a", value: { kind: "null", place: PLACE } })),
      defaultExport: null,
    }),
    `/definitions/${AT_TABLE}`,
  ],
  [
    "a range beyond the text",
    withCode({ tableCalls: [{ start: 0, end: 1_000_000 }] }),
    `/code/${AT_TABLE}`,
  ],
  [
    "ranges that overlap",
    withCode({ tableCalls: [{ start: 0, end: 9 }, { start: 8, end: 10 }] }),
    `/code/${AT_TABLE}`,
  ],
  [
    "an import that is no specifier",
    withCode({
      imports: [{ range: { start: 0, end: 5 }, place: PLACE, target: { kind: "authoring" } }],
    }),
    `/code/${AT_TABLE}`,
  ],
  [
    "default exports of a file that is none of them",
    { ...PARSED, authored: { [TABLE]: null } },
    `/authored/${AT_TABLE}`,
  ],
  [
    "an export that is no name",
    withCode({ exports: ["a } from 'x'; //"] }),
    `/code/${AT_TABLE}/exports/0`,
  ],
  ["keys that reach for prototypes", JSON.parse(`{"files":{},"__proto__":{}}`), "/__proto__"],
];

for (const [what, input, pointer] of REFUSED) {
  Deno.test(`parsed input with ${what} is refused`, async () => {
    const answer = await testService().fetch(compileRequest(JSON.stringify({ input })));
    const problem = await json(answer);
    assertEquals(
      [answer.status, problem.code],
      [400, "COMPILE_INPUT_INVALID"],
      String(problem.detail),
    );
    assertEquals(problem.pointer, `/input${pointer}`);
  });
}

Deno.test("parsed input nests as deep as sources may, and no deeper", async () => {
  for (const [levels, isTaken] of [[150, true], [5_000, false]] as const) {
    const place = JSON.stringify(PLACE);
    const open = `{"kind":"array","place":${place},"items":[`.repeat(levels);
    const body = JSON.stringify({ input: withDefault("VALUE") }).replace(
      '"VALUE"',
      `${open}${"]}".repeat(levels)}`,
    );
    const problem = await json(await testService().fetch(compileRequest(body)));
    assertEquals(problem.code, isTaken ? "COMPILE_FAILED" : "COMPILE_INPUT_INVALID");
  }
});

Deno.test("files and parsed input do not go together", async () => {
  const body = JSON.stringify({ input: PARSED, rawFiles: PARSED.files });
  const problem = await json(await testService().fetch(compileRequest(body)));
  assertEquals([problem.code, problem.pointer], ["COMPILE_INPUT_INVALID", "/input"]);
});

Deno.test("a path that no project has is a mistake in parsed input as in files", async () => {
  const files = { ...PARSED.files, "../x.ts": "" };
  const problem = JSON.parse(await answered({ input: { ...PARSED, files } }, ""));
  assertEquals(problem.errors[0].code, "PATH_SEGMENT_INVALID");
});

function withDefinition(path: string, definition: unknown) {
  return { ...PARSED, definitions: { ...PARSED.definitions, [path]: definition } };
}

function withDefault(defaultExport: unknown) {
  return withDefinition(TABLE, { bindings: [], defaultExport });
}

function withCode(changes: object) {
  return { ...PARSED, code: { ...PARSED.code, [TABLE]: code(changes) } };
}

function code(changes: object) {
  const nothing = { imports: [], exports: [], locals: [], symbols: [] };
  return { ...nothing, tableCalls: [], rawSql: [], webhookEvents: [], emitted: [], ...changes };
}

function parsed(files: Readonly<Record<string, string>>): ParsedProject {
  const result = parseProject(files);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.project;
}

async function filesOf(path: string): Promise<Readonly<Record<string, string>>> {
  return await projectFiles(new URL(`../../${path}/`, import.meta.url));
}

async function answered(body: unknown, query: string): Promise<string> {
  const answer = await testService().fetch(compileRequest(JSON.stringify(body), { query }));
  return await answer.text();
}
