/** Exit codes and where texts go, without a process around it. */
import { join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const COMMAND_LINE_ERRORS: readonly (readonly [string[], string])[] = [
  [[], "Name a command"],
  [["compiel"], 'There is no command "compiel"'],
  [["help", "compiel"], 'There is no command "compiel"'],
  [["compile", "somewhere"], "--out <folder>"],
  [["compile", "somewhere", "--out", "x", "--forse"], "--forse"],
  [["validate"], "validate <folder>"],
  [["validate", "a", "b"], "validate <folder>"],
  [["new", "empty"], "new <template> <folder>"],
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

const PROJECT_ERRORS: readonly (readonly [string[], string])[] = [
  [["validate", "no-such-folder"], "has no quickback/ folder"],
  [["compile", "no-such-folder", "--out", "x"], "has no quickback/ folder"],
  [["dev", "no-such-folder"], "has no quickback/ folder"],
  [["new", "no-such-template", "x"], "choose one of empty, helpdesk, saas"],
  [["new", "x", "--template", "no-such-template"], "choose one of empty, helpdesk, saas"],
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
