/** Command lines: what is read, and what is refused with the usage. */
import { assertEquals, assertThrows } from "@std/assert";
import { readArguments } from "../../../cli/command_line.ts";
import type { Command } from "../../../cli/command.ts";
import { UsageError } from "../../../cli/exit_codes.ts";

const COMMAND: Command = {
  name: "build",
  usage: "<folder> --out <folder>",
  summary: "",
  arguments: ["<folder>"],
  options: { out: { value: "folder", help: "" }, force: { help: "" }, "no-page": { help: "" } },
  run: () => Promise.resolve(0),
};

Deno.test("readArguments() tells positionals, values and flags apart", () => {
  assertEquals(readArguments(COMMAND, ["a", "--out", "b", "--force"]), {
    positionals: ["a"],
    values: new Map([["out", "b"]]),
    flags: new Set(["force"]),
  });
  assertEquals(readArguments(COMMAND, ["--out=b", "a"]).values, new Map([["out", "b"]]));
});

Deno.test("readArguments() has an option that says no only where it was said", () => {
  assertEquals(readArguments(COMMAND, ["a"]).flags, new Set());
  assertEquals(readArguments(COMMAND, ["a", "--no-page"]).flags, new Set(["no-page"]));
});

const REFUSED: readonly (readonly [string[], string])[] = [
  [[], "build <folder> --out <folder>"],
  [["a", "b"], "build <folder> --out <folder>"],
  [["a", "--otu", "b"], "--otu"],
  [["a", "--out"], "--out"],
  [["a", "--force=yes"], "--force"],
  [["a", "-x"], "-x"],
];

for (const [args, mentions] of REFUSED) {
  Deno.test(`readArguments() refuses ${JSON.stringify(args)}`, () => {
    assertThrows(() => readArguments(COMMAND, args), UsageError, mentions);
  });
}
