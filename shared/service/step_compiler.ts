/** Compiles in this thread, slice by slice. Other work runs between two slices, and an abandoned compile stops there. */
import * as compiler from "../compiler/mod.ts";
import { PAUSE, type Steps } from "../lib/steps.ts";
import { SLICE_MS, SLICE_STEPS_MAX } from "./limits.ts";
import type { Compiler, ServiceTimers } from "./ports.ts";
import type { CompileEvent, CompileJob } from "./compile/compile_event.ts";
import { CarriedFiles, outputFiles } from "./compile/output_files.ts";

/** Phase 7: checks of the bundled output. */
type BundleCheck = (
  output: Extract<compiler.Compilation, { ok: true }>,
) => Promise<compiler.CheckFindings>;

interface StepOptions {
  /** Null: this compiler only validates. */
  readonly host: compiler.CompileHost | null;
  /** Null: nothing can be bundled here. */
  readonly check: BundleCheck | null;
  /** Waits for one turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Returns the time that limits a slice. Absent: steps are counted instead. */
  readonly now?: ServiceTimers["now"];
  /** Runs a slice. Absent: at once. A thread runs each slice as a task, since its memory is freed only after a task. */
  readonly task?: Task;
  /** Cached syntax trees of unchanged files. */
  readonly trees?: compiler.SyntaxTrees;
  /** True when missing input schemas are read from the definitions, for pages that cannot read them. */
  readonly readsSchemas?: boolean;
  /** True when the databases of outputs start empty, as in development. */
  readonly beginsEmpty?: boolean;
}

type Task = <Result>(work: () => Result) => Promise<Result>;

export function stepCompiler(options: StepOptions): Compiler {
  const carried = options.host && new CarriedFiles(options.host);
  return { compile: (job) => compileInSteps(job, { ...options, carried }) };
}

interface Tools extends StepOptions {
  readonly carried: CarriedFiles | null;
}

async function* compileInSteps(job: CompileJob, options: Tools): Events<void> {
  const result = yield* run(stepsOf(job, options), { job, options });
  if (!result.ok) return yield { kind: "failed", errors: result.errors };
  const found = yield* checked(result, job, options);
  if (found.errors.length > 0) return yield { kind: "failed", errors: found.errors };
  const warnings = [...result.warnings, ...found.warnings];
  yield { kind: "finished", contract: result.model.contract, commands: COMMANDS, warnings };
}

type Events<Result> = AsyncGenerator<CompileEvent, Result, void>;

/** Commands to run in the output, in order (definitions 8). */
const COMMANDS = ["deno task start"] as const;

type Result = compiler.Compilation | compiler.Validation;

function stepsOf(
  { input: { files, ...input }, complete, caller = "" }: CompileJob,
  { host, trees, readsSchemas = false, beginsEmpty = false }: StepOptions,
): Steps<Result, compiler.Progress> {
  const request = {
    ...input,
    readsSchemas,
    beginsEmpty,
    ...(trees ? { trees: trees.of(caller) } : {}),
  };
  if (!complete) return compiler.validateSteps(files, request);
  if (host === null) throw new Error("This compiler only validates");
  return compiler.compileSteps(files, host, request);
}

async function* run(
  steps: Steps<Result, compiler.Progress>,
  { job, options: { turn, now = () => 0, task = (work) => Promise.resolve(work()) } }: {
    readonly job: CompileJob;
    readonly options: StepOptions;
  },
): Events<Result> {
  for (;;) {
    const step = await task(() => slice(steps, now));
    if (step.done) return step.value;
    if (step.value !== PAUSE) yield { kind: "progress", ...step.value };
    // Frames are sent, deadlines pass, and others are answered meanwhile.
    await turn();
    job.signal.throwIfAborted();
  }
}

/**
 * Runs steps until there is an event, or for as long as others can wait. Steps are counted too, because an edge platform's
 * clock may stand still during computation.
 */
function slice(
  steps: Steps<Result, compiler.Progress>,
  now: ServiceTimers["now"],
): IteratorResult<compiler.Progress | typeof PAUSE, Result> {
  const end = now() + SLICE_MS;
  let step = steps.next();
  for (let taken = 1; !step.done && step.value === PAUSE; taken++) {
    if (taken >= SLICE_STEPS_MAX || now() >= end) break;
    step = steps.next();
  }
  return step;
}

/** Yields the files, then checks what only all of them together show. */
async function* checked(
  result: Extract<Result, { ok: true }>,
  job: CompileJob,
  options: Tools,
): Events<compiler.CheckFindings> {
  if (!("files" in result)) return NOTHING_FOUND;
  yield { kind: "emitted", files: await outputFiles(result.files, options.carried) };
  if (options.check === null) return NOTHING_FOUND;
  yield { kind: "progress", stage: "check", message: `Bundling ${result.files.length} files` };
  await options.turn();
  job.signal.throwIfAborted();
  return await options.check(result);
}

const NOTHING_FOUND: compiler.CheckFindings = { errors: [], warnings: [] };
