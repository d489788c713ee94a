/** Runs a program of ours over a compiled output, in a process of its own: its author's code runs there, without a network. */
import { join } from "node:path";
import { CommandError } from "./command.ts";
import { TextLineStream } from "./dev/text_lines.ts";
import { LOCK_FILE } from "./kept_lock.ts";

interface OutputProcess {
  /** The program: takes the output's folder and the file that its result goes to. */
  readonly program: string;
  readonly out: string;
  /** The only folder that it may write to. */
  readonly work: string;
  readonly result: string;
  /** Each line that it prints. */
  readonly onLine: (line: string) => void;
}

/** Its imports and their lock are those of the output, so that it runs what would be deployed. */
export async function runOverOutput(options: OutputProcess): Promise<void> {
  const { program, out, work, result, onLine } = options;
  // A copy: Deno adds to it what the project's own dependencies resolve to.
  const lock = join(work, LOCK_FILE);
  await Deno.copyFile(join(out, LOCK_FILE), lock);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--quiet",
      "--lock",
      lock,
      "--config",
      join(out, "deno.json"),
      "--allow-read",
      `--allow-write=${work}`,
      "--allow-env",
      "--allow-sys",
      "--allow-ffi",
      program,
      out,
      result,
    ],
    env: { TMPDIR: work, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) onLine(line);
  const { success } = await child.status;
  if (!success) throw new CommandError(`The project could not be run:\n${await errors}`);
}
