/** A compile in this thread, slice by slice: between two slices others run, and an abandoned one stops. */
import * as compiler from "../compiler/mod.ts";
import { PAUSE, type Steps } from "../lib/steps.ts";
import { SLICE_MS, SLICE_STEPS_MAX } from "./limits.ts";
import type { Compiler, ServiceTimers } from "./ports.ts";
import type { CompileEvent, CompileJob } from "./compile/compile_event.ts";
import { CarriedFiles, outputFiles } from "./compile/output_files.ts";

/** Phase 7: what only the bundle of a whole output shows. */
type BundleCheck = (
  output: Extract<compiler.Compilation, { ok: true }>,
) => Promise<compiler.CheckFindings>;

interface StepOptions {
  /** Null: this compiler only validates. */
  readonly host: compiler.CompileHost | null;
  /** Null where nothing bundles. */
  readonly check: BundleCheck | null;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Says when a slice has taken long enough; absent: its steps are counted. */
  readonly now?: ServiceTimers["now"];
  /** Runs a slice; absent: at once. A thread runs each as a task of its own, because only there does it end with its memory. */
  readonly task?: Task;
  /** Syntax trees of earlier compiles, reused for unchanged files. */
  readonly trees?: compiler.SyntaxTrees;
  /** Takes the schemas that can be read from the definitions where the request has none: its page cannot read them. */
  readonly readsSchemas?: boolean;
  /** Databases of its outputs begin empty, as those of development do. */
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
    // A frame leaves, a deadline passes, others are answered.
    await turn();
    job.signal.throwIfAborted();
  }
}

/**
 * Runs steps until there is an event, or for as long as others can be kept waiting. Steps are counted too: an edge
 * platform's clock may stand still while a worker computes.
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

/** Hands the files out, then looks for what only all of them together show. */
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
