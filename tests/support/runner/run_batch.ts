/** One `deno test` process over some files: its output, file by file as each is done, and how it ended. */
import { resolve } from "node:path";

export interface BatchResult {
  readonly files: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
  readonly success: boolean;
  /** What the process printed last on its standard error. */
  readonly errors: string;
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
const FILE = /^running \d+ tests? from (\S+)$/;

/** Runs files in one process of their own. `options` go to `deno test` as they are. */
export async function runBatch(
  files: readonly string[],
  options: readonly string[],
): Promise<BatchResult> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...options, ...files],
    env: { NO_COLOR: "1" },
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
  if (summary !== null) {
    return {
      files,
      passed: Number(summary[1]),
      failed: Number(summary[2]),
      ignored: Number(summary[3] ?? 0),
      success: status.success,
      errors,
    };
  }
  const at = Math.max(
    0,
    files.findIndex((file) => resolve(file) === resolve(output.running ?? "")),
  );
  return {
    files,
    ...countsOf(output.printed),
    success: false,
    errors,
    death: {
      file: files[at] ?? "",
      end: status.signal === null ? `status ${status.code}` : `signal ${status.signal}`,
      lastWords: output.last,
      notRun: files.slice(at + 1),
    },
  };
}

interface Printed {
  /** The text of all files that were done. */
  readonly printed: string;
  /** The text since the last file began. */
  readonly last: string;
  /** The path of the last file that began. */
  readonly running: string | undefined;
}

/** Prints a process's output as whole files, so that two processes' lines do not mix. */
async function printedByFile(stream: ReadableStream<Uint8Array>): Promise<Printed> {
  let printed = "";
  let last: string[] = [];
  let running: string | undefined;
  const show = (): void => {
    if (last.length === 0) return;
    const text = last.join("\n");
    console.log(text);
    printed += `${text}\n`;
    last = [];
  };
  let rest = "";
  for await (const text of decoded(stream)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const file = FILE.exec(line)?.[1];
      if (file !== undefined) {
        show();
        running = file;
      }
      last.push(line);
    }
  }
  if (rest !== "") last.push(rest);
  const text = last.join("\n");
  if (SUMMARY.test(text)) console.log(text);
  return { printed, last: text, running };
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
