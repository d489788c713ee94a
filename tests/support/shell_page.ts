/**
 * Runs a page of the documentation, word for word, in one shell: its files are written, its commands must succeed, and each
 * `curl` must be answered with the status and the members that the comment after it says.
 */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { type CodeBlock, codeBlocks } from "./pages.ts";
import { withSteadyFolder } from "./temp_folder.ts";

/** A line of a comment such as `# 409 {"code":"DB_UNIQUE_VIOLATION", …}`. */
const EXPECTATION = /^# (\d{3})(?: (\{.*))?/gm;
/** The end of a paragraph that names the file of the block after it. */
const FILE = /`([\w./-]+\.\w+)`:$/;
/** The beginning of a line before commands that go on beside those after them. */
const RUNNING = /^Leave (?:this|it) running/;
const DONE = "__DONE__";

/** Keeps each answer, and its status, beside what the real one does. */
const CURL = `#!/bin/bash
answer=$(printf '%s/%03d' "$ANSWERS" "$(ls "$ANSWERS" | wc -l)")
mkdir "$answer"
set -o pipefail
"$REAL_CURL" -w '%{stderr}%{http_code}' "$@" 2>"$answer/status" | tee "$answer/body"
`;

/** `jq -r .a[0].b`, for machines without the program. */
const JQ = `#!/usr/bin/env -S deno run --no-config
const value = JSON.parse(await new Response(Deno.stdin.readable).text());
const [raw, path, ...rest] = Deno.args;
if (raw !== "-r" || !/^(\\.\\w+|\\[\\d+\\])+$/.test(path) || rest.length > 0) Deno.exit(2);
console.log(path.match(/\\w+/g).reduce((inner, name) => inner[name], value));
`;

/** A statement for a file, for machines without the program. */
const SQLITE = `#!/usr/bin/env -S deno run -A --no-config
import { DatabaseSync } from "node:sqlite";
const [file, sql] = Deno.args;
for (const row of new DatabaseSync(file).prepare(sql).all()) console.log(Object.values(row).join("|"));
`;

/** Programs that pages use and not every machine has. */
const STAND_INS: Readonly<Record<string, string>> = { jq: JQ, sqlite3: SQLITE };

export interface ShellPage {
  readonly page: string;
  /** Texts of the page that this machine needs otherwise, as the port of a server. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What each program that the page leaves running prints when it is ready, in their order. */
  readonly ready?: readonly string[];
  /** Is called after all commands, while those programs still run. */
  readonly then?: () => Promise<void>;
}

/** Fails unless everything went as the page says. */
export async function runShellPage(
  { page, replaced, env = {}, ready = [], then = () => Promise.resolve() }: ShellPage,
): Promise<void> {
  const script = Object.entries(replaced).reduce(
    (script, [from, to]) => script.replaceAll(from, to),
    scriptOf(codeBlocks(page), ready),
  );
  await withSteadyFolder(async (folder) => {
    const work = join(folder, "work");
    await Deno.mkdir(work);
    await using shell = await Shell.start(script, { folder, work, env });
    const out = await shell.done();
    const expected = [...page.matchAll(EXPECTATION)].map(([, status, body]) => ({ status, body }));
    const answers = await shell.answers();
    assertEquals(answers.map(({ status }) => status), expected.map(({ status }) => status), out);
    const others = expected.filter(({ body }, at) => body && !says(answers[at]?.body ?? "", body));
    assertEquals(others.map(({ body }) => body), [], out);
    assertEquals(out.includes(DONE), true, out);
    await then();
  });
}

/** True when the answer has everything that an expectation shows of it, in that order. */
function says(answer: string, expectation: string): boolean {
  let from = 0;
  return expectation.split("…").map((part) => part.replaceAll(/^[\s{},]+|[\s{},]+$/g, ""))
    .every((part) => {
      const at = answer.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
}

function scriptOf(blocks: readonly CodeBlock[], ready: readonly string[]): string {
  const waits = [...ready];
  const parts = blocks.flatMap(({ language, text, after }) => {
    const [, file] = FILE.exec(after) ?? [];
    if (file !== undefined) {
      return [`mkdir -p "$(dirname ${file})"; cat > ${file} <<'END_OF_FILE'\n${text}END_OF_FILE`];
    }
    if (language !== "sh") return [];
    if (!RUNNING.test(after)) return [text];
    const sign = waits.shift();
    if (sign === undefined) throw new Error(`Nobody says when this is ready: ${text}`);
    const log = `"$LOGS/${waits.length}"`;
    return [
      `touch ${log}; set -m; ( ${text.trim()} ) > ${log} 2>&1 & RUNNING="$RUNNING $!"; set +m`,
      `until grep -q '${sign}' ${log}; do kill -0 $! || { cat ${log}; exit 1; }; sleep 0.1; done`,
    ];
  });
  return [
    "exec 3<&0 </dev/null; RUNNING=",
    "trap 'for each in $RUNNING; do kill -- \"-$each\" 2>/dev/null; done; wait' EXIT",
    ...parts,
    `echo ${DONE}; read -r _ <&3 || true`,
  ].join("\n");
}

interface ShellOptions {
  /** For what the commands do not see. */
  readonly folder: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

class Shell implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<unknown>;
  readonly #done = Promise.withResolvers<string>();
  #out = "";

  private constructor(child: Deno.ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#ended = Promise.all([this.#read(child.stdout), this.#read(child.stderr)])
      .then(() => this.#done.resolve(this.#out));
  }

  static async start(script: string, { folder, work, env }: ShellOptions): Promise<Shell> {
    const bin = join(folder, "bin");
    await Deno.mkdir(bin);
    const realCurl = await whereIs("curl");
    if (realCurl === "") throw new Error("These pages are run with curl, which is not installed");
    await Deno.writeTextFile(join(bin, "curl"), CURL, { mode: 0o755 });
    for (const [name, text] of Object.entries(STAND_INS)) {
      if (await whereIs(name) !== "") continue;
      await Deno.writeTextFile(join(bin, name), text, { mode: 0o755 });
    }
    await Deno.mkdir(join(folder, "answers"));
    const child = new Deno.Command("bash", {
      args: ["-euo", "pipefail", "-c", script],
      cwd: work,
      env: {
        ...env,
        NO_COLOR: "1",
        LOGS: folder,
        ANSWERS: join(folder, "answers"),
        REAL_CURL: realCurl,
        PATH: `${bin}:${Deno.env.get("PATH")}`,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return new Shell(child, folder);
  }

  /** Everything that was printed, once all commands are through or one has failed. */
  done(): Promise<string> {
    return this.#done.promise;
  }

  /** In the order in which they were asked for. */
  async answers(): Promise<readonly { readonly status: string; readonly body: string }[]> {
    const folder = join(this.#folder, "answers");
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    return Promise.all(names.map(async (name) => ({
      status: await Deno.readTextFile(join(folder, name, "status")),
      body: await Deno.readTextFile(join(folder, name, "body")),
    })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stdin.close();
    await this.#child.status;
    await this.#ended;
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.#out += text;
      if (this.#out.includes(DONE)) this.#done.resolve(this.#out);
    }
  }
}

async function whereIs(program: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${program} || true`] })
    .output();
  return new TextDecoder().decode(stdout).trim();
}
