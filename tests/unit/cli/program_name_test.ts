/** Usage lines say what the person typed. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { programName } from "../../../cli/program_name.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const TASK = "deno/2.9.6 npm/? deno/2.9.6 linux x86_64";

const TYPED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["quickback", {}],
  ["quickback", { npm_command: "run-script" }],
  ["npx quickback", { npm_command: "exec", npm_config_user_agent: "npm/10.9.0 node/v22.1.0" }],
  ["deno task quickback", { npm_config_user_agent: TASK }],
  ["npx quickback", { npm_command: "exec" }],
  ["npx quickback", { npm_command: "exec", npm_lifecycle_script: "'quickback'" }],
  ["npx -y deno task quickback", { npm_command: "exec", npm_lifecycle_script: "'deno'" }],
];

for (const [program, variables] of TYPED) {
  Deno.test(`programName() is "${program}" for ${JSON.stringify(variables)}`, () => {
    assertEquals(programName(new Map(Object.entries(variables))), program);
  });
}

Deno.test("the usage of a mistake and of a help begins with what was typed", async () => {
  for (const args of [["validate", "a", "b"], ["help", "validate"]]) {
    const terminal = recordingTerminal();
    await main(args, terminal, "npx quickback");
    const text = terminal.outText() + terminal.errText();
    assertStringIncludes(text, "Usage: npx quickback validate [folder] [--out <folder>]");
  }
});

const MEANT: readonly (readonly [string[], string])[] = [
  [["validat"], 'did you mean "validate"?'],
  [["compile", "shop", "--uot", "api"], "Did you mean --out?"],
];

for (const [args, suggestion] of MEANT) {
  Deno.test(`"${args.join(" ")}" is answered with what was meant`, async () => {
    const terminal = recordingTerminal();
    assertEquals(await main(args, terminal), 2);
    assertStringIncludes(terminal.errText(), suggestion);
  });
}
