/** A thread that compiles one project after the other. The pool ends it when a compile takes too long. */
import { setImmediate } from "node:timers";
import { parentPort } from "node:worker_threads";
import { SyntaxTrees } from "../shared/compiler/mod.ts";
import type { CompileOrder, Compiler } from "../shared/service/mod.ts";
import { stepCompiler } from "../shared/service/step_compiler.ts";
import { bundleChecks } from "./bundle/bundle_check.ts";
import { startBundler } from "./bundle/bundler.ts";
import { promptTimers } from "./bundle/prompt_timers.ts";
import type { WorkerMessage, WorkerOrder } from "./worker_messages.ts";

/** A signal that never aborts, because an abandoned compile ends with its thread. */
const NEVER = new AbortController().signal;

promptTimers();

const pool = parentPort;
if (pool === null) throw new Error("This module runs as a thread of a compile pool");

pool.once("message", (data: WorkerOrder) => {
  if (data.kind !== "host") throw new Error("A compile thread needs its host first");
  const { host, checks } = data;
  const check = checks ? bundleChecks(host) : null;
  if (checks) void startBundler();
  const compiler = stepCompiler({
    host,
    check,
    turn: () => Promise.resolve(),
    now: () => performance.now(),
    task: (work) => new Promise((resolve) => setImmediate(() => resolve(Promise.try(work)))),
    trees: new SyntaxTrees(),
  });
  pool.on("message", (data: WorkerOrder) => {
    if (data.kind === "compile") void run(compiler, data);
  });
});

async function run(compiler: Compiler, order: CompileOrder): Promise<void> {
  const { input, complete, caller } = order;
  try {
    for await (const event of compiler.compile({ input, complete, caller, signal: NEVER })) {
      tell({ kind: "event", event });
    }
    tell({ kind: "end" });
  } catch (error) {
    tell({ kind: "crash", stack: error instanceof Error ? error.stack ?? error.message : "" });
  }
}

function tell(message: WorkerMessage): void {
  pool?.postMessage(message);
}
