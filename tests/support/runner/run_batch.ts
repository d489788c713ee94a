/** One `deno test` process over some files: its output, file by file as each is done, and how it ended. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Failure, failuresIn } from "./failures.ts";

export interface BatchResult {
  readonly files: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
  /** The tests that `failed` counts; a test with several wrong steps is there once for each. */
  readonly failures: readonly Failure[];
  readonly success: boolean;
  /** What the process printed last on its standard error. */
  readonly errors: string;
  /** Seconds that each file took, its loading left out where it was loaded with others. */
  readonly seconds: ReadonlyMap<string, number>;
  /** Set when the process ended without its summary. */
  readonly death?: Death;
}

/** A process that ended in the middle of its work. */
export interface Death {
  /** The file that ran, or was being loaded. */
  readonly file: string;
  /** "signal SIGSEGV" or "status 1". */
  readonly end: string;
  /** What the process printed of this file. */
  readonly lastWords: string;
  /** The files after that one. */
  readonly notRun: readonly string[];
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/m;
/** How Deno announces a module, or `together.ts` a file. */
const FILE = /^running \d+ tests? from (\S+)$|^tests of (\S+) \.\.\. ok /;
const TOGETHER = fileURLToPath(new URL("./together.ts", import.meta.url));

/**
 * Runs files in one process of their own, as one module where nobody asks for something else: a `--filter` would leave
 * out the names of the files. `options` go to `deno test` as they are.
 */
export async function runBatch(
  files: readonly string[],
  options: readonly string[],
): Promise<BatchResult> {
  const together = files.length > 1 && options.length === 0;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...options, ...(together ? [TOGETHER] : files)],
    env: { NO_COLOR: "1", TEST_FILES: files.join("\n") },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [output, errors, status] = await Promise.all([
    printedByFile(child.stdout),
    lastText(child.stderr),
    child.status,
  ]);
  const summary = SUMMARY.exec(output.last);
  // An error outside of every test ends a module, and with it the files that come after.
  if (summary !== null && (!together || output.announced === files.length)) {
    return {
      files,
      passed: Number(summary[1]) - output.announced,
      failed: Number(summary[2]),
      ignored: Number(summary[3] ?? 0),
      failures: failuresIn(output.last),
      success: status.success,
      errors,
      seconds: output.seconds,
    };
  }
  const at = Math.max(
    0,
    files.findIndex((file) => resolve(file) === resolve(output.running ?? "")),
  );
  return {
    files,
    ...countsOf(output.printed),
    failures: output.failures,
    success: false,
    errors,
    seconds: output.seconds,
    death: {
      file: files[at] ?? "",
      end: summary === null ? endOf(status) : "an error outside of every test",
      lastWords: output.last,
      notRun: files.slice(at + 1),
    },
  };
}

function endOf({ code, signal }: Deno.CommandStatus): string {
  return signal === null ? `status ${code}` : `signal ${signal}`;
}

interface Printed {
  /** The text of all files that were done. */
  readonly printed: string;
  /** The text since the last file began. */
  readonly last: string;
  /** The path of the last file that began. */
  readonly running: string | undefined;
  /** The failed tests of those files. Deno tells their errors at the end of the process, if it comes to that. */
  readonly failures: readonly Failure[];
  /** Passed tests that only named a file. */
  readonly announced: number;
  readonly seconds: ReadonlyMap<string, number>;
}

/** Prints a process's output as whole files, so that two processes' lines do not mix. */
async function printedByFile(stream: ReadableStream<Uint8Array>): Promise<Printed> {
  let printed = "";
  let last: string[] = [];
  let running: string | undefined;
  let announced = 0;
  const failures: Failure[] = [];
  const seconds = new Map<string, number>();
  let since = performance.now();
  const note = (): void => {
    const file = running?.replace(/^\.\//, "");
    if (file !== undefined && resolve(file) !== TOGETHER) {
      seconds.set(file, (performance.now() - since) / 1000);
    }
    since = performance.now();
  };
  const show = (): void => {
    if (last.length === 0) return;
    note();
    const text = last.join("\n");
    console.log(text);
    printed += `${text}\n`;
    const file = running?.replace(/^\.\//, "") ?? "";
    for (const [, name = ""] of text.matchAll(/^(\S.*) \.\.\. FAILED \(/gm)) {
      failures.push({ file, name, error: "" });
    }
    last = [];
  };
  let rest = "";
  for await (const text of decoded(stream)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, module, file] = FILE.exec(line) ?? [];
      if (file !== undefined) announced += 1;
      if (module !== undefined || file !== undefined) {
        show();
        running = file ?? module;
      }
      last.push(file === undefined ? line : `tests of ${file}`);
    }
  }
  if (rest !== "") last.push(rest);
  const text = last.join("\n");
  note();
  if (SUMMARY.test(text)) console.log(text);
  return { printed, last: text, running, failures, announced, seconds };
}

/** The tests of files that were done before their process died. */
function countsOf(printed: string): Pick<BatchResult, "passed" | "failed" | "ignored"> {
  const count = (outcome: string): number =>
    printed.match(new RegExp(`^\\S.* \\.\\.\\. ${outcome} \\(`, "gm"))?.length ?? 0;
  return { passed: count("ok"), failed: count("FAILED"), ignored: count("ignored") };
}

/** The last 8,000 characters of a stream. */
async function lastText(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of decoded(stream)) {
    text = (text + part).slice(-8_000);
  }
  return text;
}

async function* decoded(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) yield decoder.decode(bytes, { stream: true });
}
