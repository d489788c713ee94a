/** Runs code of the documentation in its own language: a program made of it, which reads JSON and prints JSON. */
import { withTempFolder } from "./temp_folder.ts";

export interface Program {
  /** What starts it, before the name of its file. */
  readonly command: readonly string[];
  readonly file: string;
  readonly text: string;
}

/** The first block of code after a line of a page. */
export async function snippetIn(page: string, line: string): Promise<string> {
  const text = await Deno.readTextFile(new URL(`../../docs/${page}`, import.meta.url));
  const [, after] = text.split(`\n${line}\n`);
  const [, block] = /\n```\w+\n([\s\S]*?)\n```\n/.exec(after ?? "") ?? [];
  if (block === undefined) throw new Error(`${page} has no code after '${line}'`);
  return block;
}

/** Null: it can be run here; otherwise why not. */
export async function programMissing(name: string, ...version: string[]): Promise<string | null> {
  try {
    const { success } = await new Deno.Command(name, {
      args: version,
      stdout: "null",
      stderr: "null",
    }).output();
    if (success) return null;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  console.log(`Skipped: ${name} is not installed`);
  return `${name} is not installed`;
}

export function runProgram({ command, file, text }: Program, input: unknown): Promise<unknown> {
  return withTempFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/${file}`, text);
    const [name = "", ...args] = command;
    const child = new Deno.Command(name, {
      args: [...args, `${folder}/${file}`],
      env: { GOCACHE: `${folder}/cache`, GO111MODULE: "off" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(input)));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  });
}
