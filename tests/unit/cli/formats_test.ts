/** Results of commands as documents for programs. */
import { join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../../cli/commands.ts";
import { docsLink } from "../../../cli/formats/docs_link.ts";
import { main } from "../../../cli/main.ts";
import { VERSION } from "../../../cli/version.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const CONFIG = "quickback/quickback.config.ts";

Deno.test("validate --json prints one document with every finding at its place", () =>
  withMistake(async (folder) => {
    const { code, out, err } = await run(["validate", folder, "--json"]);
    const { ok, diagnostics } = JSON.parse(out);
    assertEquals([code, ok], [1, false]);
    assertEquals(diagnostics, [{
      severity: "error",
      code: "UNKNOWN_KEY",
      message: diagnostics[0].message,
      file: CONFIG,
      line: 1,
      column: 18,
      hint: diagnostics[0].hint,
      docs: diagnostics[0].docs,
    }, ...diagnostics.slice(1)]);
    assertStringIncludes(err, "error");
  }));

Deno.test("--format json is what --json is short for", () =>
  withMistake(async (folder) => {
    const short = await run(["validate", folder, "--json"]);
    assertEquals(await run(["validate", folder, "--format", "json"]), short);
    assertEquals(await run(["validate", folder, "--format=json"]), short);
    assertEquals((await run(["validate", folder, "--json", "--format", "text"])).code, 2);
  }));

Deno.test("validate --format sarif prints a SARIF log with the rule, the place and the tool", () =>
  withMistake(async (folder) => {
    const { code, out } = await run(["validate", folder, "--format", "sarif"]);
    const { version, runs: [log] } = JSON.parse(out);
    assertEquals([code, version], [1, "2.1.0"]);
    assertEquals([log.tool.driver.name, log.tool.driver.version], ["quickback", VERSION]);
    assertEquals(log.invocations, [{ executionSuccessful: true }]);
    const [{ ruleId, level, locations: [{ physicalLocation }] }] = log.results;
    assertEquals([ruleId, level], ["UNKNOWN_KEY", "error"]);
    assertEquals(physicalLocation.region.startLine, 1);
    assertEquals(physicalLocation.region.startColumn, 18);
    assertEquals(physicalLocation.artifactLocation.uri.endsWith(CONFIG), true);
    const rule = log.tool.driver.rules.find(({ id }: { id: string }) => id === ruleId);
    assertEquals(rule.helpUri, docsLink(ruleId));
  }));

Deno.test("validate --format github prints one annotation for each finding", () =>
  withMistake(async (folder) => {
    const { code, out } = await run(["validate", folder, "--format", "github"]);
    assertEquals(code, 1);
    const [line = ""] = out.split("\n");
    assertEquals(
      /^::error file=[^,:]+,line=1,col=18,endColumn=\d+,title=UNKNOWN_KEY::./.test(line),
      true,
      line,
    );
    assertStringIncludes(line, `%0A${docsLink("UNKNOWN_KEY")}`);
  }));

Deno.test("a diagnostic leads to its entry in the documents", async () => {
  const { href, hash } = new URL(docsLink("UNKNOWN_KEY") ?? "");
  const page = await Deno.readTextFile(new URL(href));
  assertStringIncludes(page, `<a id="${hash.slice(1)}"></a>`);
  // A code of the type checker is not of ours.
  assertEquals(docsLink("TS2322"), null);
});

Deno.test("progress is for a person who waits, and compile tells each phase with its time", () =>
  withTempFolder(async (folder) => {
    await run(["new", "empty", join(folder, "shop")]);
    const { err, progress } = await run([
      "compile",
      join(folder, "shop"),
      "--out",
      join(folder, "api"),
    ]);
    assertMatch(progress, /^read +Reading 2 files \d+ ms$/m);
    assertMatch(progress, /^emit .* \d+ ms$/m);
    assertEquals(err, "0 errors, 0 warnings");
  }));

Deno.test("a command that cannot run says so in its document too", async () => {
  const json = await run(["validate", "no-such-folder", "--json"]);
  assertEquals([json.code, JSON.parse(json.out).ok, JSON.parse(json.out).diagnostics], [
    1,
    false,
    [],
  ]);
  assertStringIncludes(JSON.parse(json.out).error.message, "has no quickback/ folder");
  const usage = await run(["validate", "a", "b", "--json"]);
  assertEquals([usage.code, JSON.parse(usage.out).error.exitCode], [2, 2]);
  const sarif = await run(["validate", "no-such-folder", "--format", "sarif"]);
  const [{ executionSuccessful, toolExecutionNotifications }] =
    JSON.parse(sarif.out).runs[0].invocations;
  assertEquals([executionSuccessful, toolExecutionNotifications.length], [false, 1]);
});

Deno.test("compile and new tell programs what they wrote", () =>
  withTempFolder(async (folder) => {
    const made = await run(["new", "empty", join(folder, "shop"), "--json"]);
    assertEquals(JSON.parse(made.out), {
      ok: true,
      diagnostics: [],
      name: "shop",
      folder: join(folder, "shop"),
      template: "empty",
      files: 8,
    });
    const out = join(folder, "api");
    const compiled = await run(["compile", join(folder, "shop"), "--out", out, "--json"]);
    const { ok, written, unchanged, removed } = JSON.parse(compiled.out);
    assertEquals([ok, unchanged, removed], [true, 0, []]);
    assertEquals(written.includes("openapi.json"), true);
  }));

for (const { name, isHidden } of COMMANDS) {
  Deno.test(`"${name}" has a help with --json and its own summary`, async () => {
    const { code, out } = await run([...name.split(" "), "--help"]);
    assertEquals(code, 0);
    assertStringIncludes(out, "--json");
    const { out: overview } = await run(["help", ...name.split(" ").slice(0, -1)]);
    const line = new RegExp(`^  ${name.split(" ").at(-1)}\\b`, "m");
    assertEquals(line.test(overview), !isHidden);
  });
}

async function withMistake(body: (folder: string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    await Deno.mkdir(join(folder, "quickback"));
    await Deno.writeTextFile(join(folder, CONFIG), 'export default { nam: "shop" };\n');
    await body(folder);
  });
}

async function run(args: readonly string[]) {
  const terminal = recordingTerminal();
  const code = await main(args, terminal, "quickback");
  return {
    code,
    out: terminal.outText(),
    err: terminal.errText(),
    progress: terminal.progressText(),
  };
}
