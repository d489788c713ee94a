/** Compiles a project into a temporary folder and checks the output for leaks, in a process of its own. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LeakReport } from "../../shared/leakcheck/mod.ts";
import { CommandError } from "../command.ts";
import { compileFolder } from "../compile_folder.ts";
import type { Findings } from "../compile_report.ts";
import { TextLineStream } from "../dev/text_lines.ts";

export type FolderCheck =
  | { readonly kind: "checked"; readonly report: LeakReport }
  | { readonly kind: "failed"; readonly findings: Findings };

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** `onPrincipal` is told whose turn it is. */
export async function checkFolder(
  folder: string,
  onPrincipal: (name: string) => void,
): Promise<FolderCheck> {
  const work = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  try {
    const out = join(work, "output");
    const compiled = await compileFolder({ folder, out, force: true, checksBundle: false });
    if (compiled.kind === "failed") return compiled;
    return { kind: "checked", report: await runChild({ work, out, onPrincipal }) };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

interface ChildRun {
  readonly work: string;
  readonly out: string;
  readonly onPrincipal: (name: string) => void;
}

/** Its imports are those of the output, so that it runs what would be deployed. */
async function runChild({ work, out, onPrincipal }: ChildRun): Promise<LeakReport> {
  const file = join(work, "report.json");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--quiet",
      "--no-lock",
      "--config",
      join(out, "deno.json"),
      "--allow-read",
      `--allow-write=${work}`,
      "--allow-env",
      "--allow-sys",
      "--allow-ffi",
      CHILD,
      out,
      file,
    ],
    env: { TMPDIR: work, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) onPrincipal(line);
  const { success } = await child.status;
  if (!success) throw new CommandError(`The project could not be run:\n${await errors}`);
  return reportIn(JSON.parse(await Deno.readTextFile(file)));
}

function reportIn(value: unknown): LeakReport {
  if (!isReport(value)) throw new Error("The check left no report");
  return value;
}

/** Written by `child.ts`, whose types say the rest. */
function isReport(value: unknown): value is LeakReport {
  return typeof value === "object" && value !== null && "principals" in value &&
    "compared" in value && "differences" in value && "admissions" in value;
}
