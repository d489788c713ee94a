/** What `conformance` refuses before it asks anything. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const API = "http://localhost:1";

const REFUSED: readonly (readonly [string, readonly string[], number, string])[] = [
  ["no address", [], 2, "conformance <url> --project <folder>"],
  ["an address that is none", ["localhost"], 2, "is no address of an API"],
  ["another scheme", ["file:///etc"], 2, "is no address of an API"],
  ["no definitions", [API], 2, "Say which definitions"],
  ["another machine", ["https://api.example.com", "--project", "."], 1, "say --yes"],
  [
    "a name that only looks like this machine",
    ["http://localhost.example.com", "--project", "."],
    1,
    "say --yes",
  ],
  ["no database", [API, "--project", "."], 1, "DATABASE_URL is not set"],
];

for (const [name, args, expected, text] of REFUSED) {
  Deno.test(`conformance refuses ${name}`, async () => {
    const terminal = recordingTerminal();
    assertEquals(await main(["conformance", ...args], terminal), expected);
    assertStringIncludes(terminal.errText(), text);
  });
}

Deno.test("conformance says in its help that it writes rows", async () => {
  const terminal = recordingTerminal();
  await main(["conformance", "--help"], terminal);
  assertStringIncludes(terminal.outText(), "writes rows");
});
