/** Exit codes and where texts go, without a process around it. */
import { join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EXIT_CODES } from "../../../cli/exit_codes.ts";
import { main } from "../../../cli/main.ts";
import { shellWord } from "../../../cli/shell_word.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const COMMAND_LINE_ERRORS: readonly (readonly [string[], string])[] = [
  [[], "Name a command"],
  [["compiel"], 'There is no command "compiel"'],
  [["help", "compiel"], 'There is no command "compiel"'],
  [["compile", "somewhere"], "--out <folder>"],
  [["compile", "somewhere", "--out", "x", "--forse"], "--forse"],
  [["validate", "a", "b"], "validate [folder]"],
  [["new", "empty"], "new <template> <folder>"],
  [["why", "examples/helpdesk", "GET", "/api/v1/tickets"], "Say who asks"],
  [
    ["why", "examples/helpdesk", "--as", "agnt", "GET", "/api/v1/tickets"],
    'did you mean "agent"?',
  ],
  [
    ["why", "examples/helpdesk", "--as", "agent in org_1", "GET", "/api/v1/tickets"],
    '"<roles> of <organization>',
  ],
  [["why", "examples/helpdesk", "--as", "agent", "FETCH", "/api/v1/tickets"], "is no method"],
  [["why", "examples/helpdesk", "--as", "agent", "GET", "tickets"], "begins with a slash"],
  [
    ["why", "examples/helpdesk", "--as", "agent", "--row", "{]", "GET", "/api/v1/tickets/t1"],
    "--row takes a JSON object",
  ],
  [
    ["why", "examples/helpdesk", "--as", "agent", "--row", '{"x":1}', "GET", "/api/v1/tickets/t1"],
    'has no column "x"',
  ],
  [["dev", "--port", "http"], 'Port "http" is not a number'],
  [["dev", "--port", "70000"], 'Port "70000" is not a number'],
];

for (const [args, message] of COMMAND_LINE_ERRORS) {
  Deno.test(`"${args.join(" ")}" shows the usage and exits with 2`, async () => {
    const terminal = recordingTerminal();
    assertEquals(await main(args, terminal), 2);
    assertStringIncludes(terminal.errText(), message);
    assertStringIncludes(terminal.errText(), "Usage:");
    assertEquals(terminal.outText(), "");
  });
}

Deno.test("what the operating system refuses is told without a trace, and exits with 1", () =>
  withTempFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const out = `${folder}/file`;
    const terminal = recordingTerminal();
    assertEquals(await main(["compile", "examples/empty", "--out", out], terminal), 1);
    assertStringIncludes(terminal.errText(), "error The operating system refused: Not a directory");
    assertStringIncludes(terminal.errText(), out);
  }));

Deno.test("a command that is shown can be copied, whatever the folder is called", async () => {
  assertEquals(["a/b-1.c", "a b", "it's"].map(shellWord), ["a/b-1.c", "'a b'", "'it'\\''s'"]);
  await withTempFolder(async (folder) => {
    const terminal = recordingTerminal();
    const args = ["new", "empty", `${folder}/a b`];
    assertEquals(await main(args, terminal, "npx quickback"), 0);
    assertStringIncludes(terminal.outText(), `Next: npx quickback dev '${folder}/a b'`);
  });
});

const PROJECT_ERRORS: readonly (readonly [string[], string])[] = [
  [["validate", "no-such-folder"], "has no quickback/ folder"],
  [
    ["validate", "examples/empty", "--out", "no-such-folder"],
    'There is no folder "no-such-folder"',
  ],
  [["routes", "no-such-folder"], "has no quickback/ folder"],
  [["users", "list", "examples"], "There is no database"],
  [["compile", "no-such-folder", "--out", "x"], "has no quickback/ folder"],
  [["dev", "no-such-folder"], "has no quickback/ folder"],
  [["audit-sql", "no-such-folder"], "has no quickback/ folder"],
  [["why", "no-such-folder", "--as", "agent", "GET", "/x"], "has no quickback/ folder"],
  [
    [
      "why",
      "examples/helpdesk",
      "--as",
      "agent",
      "--database",
      "file:none.db",
      "GET",
      "/api/v1/tickets/t1",
    ],
    'There is no database at "file:none.db"',
  ],
  [["new", "no-such-template", "x"], "choose one of empty, field-service, helpdesk, saas"],
  [
    ["new", "x", "--template", "no-such-template"],
    "choose one of empty, field-service, helpdesk, saas",
  ],
  [["new", "empty", "."], "is not empty"],
];

for (const [args, message] of PROJECT_ERRORS) {
  Deno.test(`"${args.join(" ")}" says what is wrong and exits with 1`, async () => {
    const terminal = recordingTerminal();
    assertEquals(await main(args, terminal), 1);
    assertStringIncludes(terminal.errText(), message);
    assertEquals(terminal.errText().includes("Usage:"), false);
  });
}

/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:1";

/** Commands that ask somebody over the network; `OUT` is an output whose database is a server. */
const UNREACHABLE: readonly (readonly [string[], string])[] = [
  [["login", "--service", NOWHERE], "No build service answers at"],
  [
    ["compile", "examples/empty", "--out", "OUT/x", "--service", NOWHERE],
    "No build service answers at",
  ],
  [["conformance", NOWHERE, "--project", "examples/empty"], "Nothing answers at"],
  [["users", "list", "OUT"], "The database server cannot be reached"],
  [["users", "lock", "ann@example.com", "OUT"], "The database server cannot be reached"],
  [
    [
      "why",
      "examples/helpdesk",
      "GET",
      "/api/v1/tickets/t1",
      "--as",
      "agent",
      "--database",
      NOWHERE,
    ],
    "The database server cannot be reached",
  ],
  [["dev", "OUT/p", "--host", "203.0.113.1"], "Cannot assign requested address"],
];

/** What those commands are told by variables. */
const VARIABLES = {
  SERVICE_API_KEY: "a-key-of-tests",
  DATABASE_URL: NOWHERE,
  AUTH_SECRET: "s".repeat(32),
};

for (const [args, message] of UNREACHABLE) {
  Deno.test(`"${args.join(" ")}" says who does not answer and exits with 3`, () =>
    withTempFolder(async (folder) => {
      assertEquals(await main(["new", "empty", `${folder}/p`], recordingTerminal()), 0);
      await Deno.mkdir(`${folder}/src`);
      await Deno.writeTextFile(`${folder}/src/main.ts`, "");
      const before = new Map(Object.keys(VARIABLES).map((name) => [name, Deno.env.get(name)]));
      for (const [name, value] of Object.entries(VARIABLES)) Deno.env.set(name, value);
      try {
        for (const json of [[], ["--json"]]) {
          const terminal = recordingTerminal();
          const named = args.map((word) => word.replace(/^OUT/, folder));
          assertEquals(await main([...named, ...json], terminal), 3, terminal.errText());
          assertStringIncludes(terminal.errText(), message);
          assertEquals(terminal.errText().includes("    at "), false);
          if (json.length > 0) assertEquals(JSON.parse(terminal.outText()).error.exitCode, 3);
        }
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) Deno.env.delete(name);
          else Deno.env.set(name, value);
        }
      }
    }));
}

Deno.test("the guide and help list the exit codes", async () => {
  const terminal = recordingTerminal();
  await main(["--help"], terminal);
  const guide = await Deno.readTextFile("docs/guides/operations.md");
  for (const { code, when } of Object.values(EXIT_CODES)) {
    assertStringIncludes(terminal.outText(), `  ${code}  ${when}\n`.trimEnd());
    assertMatch(guide, new RegExp(`^\\| ${code} +\\| ${when} +\\|$`, "m"));
  }
});

Deno.test("why prints the deciding rule with its place, and the same as JSON", async () => {
  const args = ["why", "examples/helpdesk", "--as", "customer of org_1 user u1"];
  const ask = ["--row", '{"createdBy":"u2"}', "GET", "/api/v1/tickets/t1"];
  const [plain, json] = [recordingTerminal(), recordingTerminal()];
  assertEquals(await main([...args, ...ask], plain), 0);
  assertStringIncludes(plain.outText(), 'fails: createdBy equals ctx.userId: "u2" against "u1"');
  assertMatch(plain.outText(), /features\/tickets\/tickets\.ts:\d+\n/);
  assertEquals(await main([...args, "--json", ...ask], json), 0);
  const { status, code, steps } = JSON.parse(json.outText());
  assertEquals([status, code], [403, "ACCESS_OWNERSHIP_REQUIRED"]);
  assertMatch(steps.at(-1).place, /^quickback\/features\/tickets\/tickets\.ts:\d+$/);
});

for (const args of [["help"], ["--help"], ["-h"], ["help", "compile"], ["compile", "--help"]]) {
  Deno.test(`"${args.join(" ")}" prints to standard output and exits with 0`, async () => {
    const terminal = recordingTerminal();
    assertEquals(await main(args, terminal), 0);
    assertStringIncludes(terminal.outText(), "Usage:");
    assertEquals(terminal.errText(), "");
  });
}

Deno.test("help names every command and each command's options", async () => {
  const terminal = recordingTerminal();
  await main(["help"], terminal);
  for (const name of ["new", "dev", "compile", "validate"]) {
    assertMatch(terminal.outText(), new RegExp(`^  ${name} `, "m"));
  }
  await main(["help", "dev"], terminal);
  assertStringIncludes(terminal.outText(), "--port <value>");
});

Deno.test("new copies a template and names the project after its folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const project = join(folder, "My Shop");
    assertEquals(await main(["new", "empty", project], recordingTerminal()), 0);
    const config = await Deno.readTextFile(join(project, "quickback/quickback.config.ts"));
    assertStringIncludes(config, 'name: "my-shop"');
    await Deno.stat(join(project, "quickback/features/notes/notes.ts"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
