/** A new project under TypeScript's own compiler: it knows the project's roles as `check` does, without a further step. */
import { dirname, join } from "node:path";
import { assertEquals, assertMatch } from "@std/assert";
import ts from "typescript";
import { main } from "../../../cli/main.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const SLIP = [
  'create: { access: { roles: ["customer+"] } }',
  'create: { access: { roles: ["custumer+"] } }',
] as const;

Deno.test("tsc and check find a role that the project does not list", () =>
  withTempFolder(async (folder) => {
    const project = join(folder, "desk");
    assertEquals(await main(["new", "helpdesk", project], recordingTerminal()), 0);
    const table = join(project, "quickback/features/tickets/tickets.ts");
    const text = await Deno.readTextFile(table);
    await Deno.writeTextFile(table, text.replace(...SLIP));
    const terminal = recordingTerminal();
    assertEquals(await main(["validate", project, "--json"], terminal), 1);
    const [{ code, line }] = JSON.parse(terminal.outText()).diagnostics;
    assertMatch(code, /^ROLE_/);
    assertEquals(faultsIn(project), [`tickets.ts:${line} TS2820`]);
  }));

/** What `tsc` finds by the project's own settings, but for packages, which nobody has installed here. */
function faultsIn(project: string): readonly string[] {
  const file = join(project, "tsconfig.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file));
  const program = ts.createProgram(fileNames, options);
  return ts.getPreEmitDiagnostics(program).flatMap(({ file, start, code }) => {
    const name = file?.fileName.split("/").at(-1);
    const isOwn = file?.fileName.startsWith(project) === true && [2322, 2820].includes(code);
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return isOwn ? [`${name}:${line + 1} TS${code}`] : [];
  });
}
