/** Programs of others, run apart: `tests/tools` has packages and a lock of its own, so that no task of ours fetches them. */
import { fileURLToPath } from "node:url";

const TOOLS = new URL("../tools/", import.meta.url);

export interface ToolRun {
  /** A module of `tests/tools`, or a package that its `deno.json` lists. */
  readonly tool: string;
  readonly args?: readonly string[];
  readonly input?: string;
  readonly cwd?: string;
}

export interface ToolOutput {
  readonly success: boolean;
  readonly out: string;
  readonly err: string;
}

export async function runTool(
  { tool, args = [], input = "", cwd }: ToolRun,
): Promise<ToolOutput> {
  const program = tool.endsWith(".ts") ? fileURLToPath(new URL(tool, TOOLS)) : tool;
  const config = fileURLToPath(new URL("deno.json", TOOLS));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--frozen", "--config", config, program, ...args],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd === undefined ? {} : { cwd }),
  }).spawn();
  const given = new Blob([input]).stream().pipeTo(child.stdin);
  const [{ success, stdout, stderr }] = await Promise.all([
    child.output(),
    given,
  ]);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, out: text(stdout), err: text(stderr) };
}
