/**
 * Runs one of quickback's programs over a compiled output in its own process: the author's code runs there, without a network.
 */
import { join } from "node:path";
import { CommandError } from "./exit_codes.ts";
import { compileFolder, type FolderCompiled } from "./compile_folder.ts";
import type { Findings } from "./findings.ts";
import { TextLineStream } from "./dev/text_lines.ts";
import { LOCK_FILE } from "./output_folder.ts";

type FolderRun =
  | { readonly kind: "ran"; readonly output: FolderCompiled["output"]; readonly text: string }
  | { readonly kind: "failed"; readonly findings: Findings };

/**
 * Compiles a folder and runs the program over the output; returns the content of the program's result file as `text`. The
 * program's arguments are the output's folder and that file; `onLine` receives each line that it prints.
 */
export async function runOverFolder(
  folder: string,
  program: string,
  onLine: (line: string) => void,
): Promise<FolderRun> {
  const work = await Deno.makeTempDir({ prefix: "quickback-run-" });
  try {
    const out = join(work, "output");
    const compiled = await compileFolder({
      folder,
      out,
      force: true,
      checksBundle: false,
      beginsEmpty: true,
    });
    if (compiled.kind === "failed") return compiled;
    await runOverOutput(program, out, work, onLine);
    const text = await Deno.readTextFile(join(work, RESULT));
    return { kind: "ran", output: compiled.output, text };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

const RESULT = "result";

/** Runs the program with the output's imports and lock, so that it tests the deployed versions. It may write only to `work`. */
async function runOverOutput(
  program: string,
  out: string,
  work: string,
  onLine: (line: string) => void,
): Promise<void> {
  // A copy is used, because Deno adds the resolutions of the project's own dependencies to it.
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
      join(work, RESULT),
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
