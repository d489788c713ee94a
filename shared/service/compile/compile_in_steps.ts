/** A compile in this thread, phase by phase: between two phases others run, and an abandoned one stops. */
import {
  type CheckFindings,
  type Compilation,
  type CompileHost,
  compileSteps,
  type Progress,
  type SyntaxTrees,
  validateSteps,
  type Validation,
} from "../../compiler/mod.ts";
import type { Compiler } from "../ports.ts";
import type { CompileEvent, CompileJob } from "./compile_event.ts";
import { outputFiles } from "./output_files.ts";

/** Phase 7: what only the bundle of a whole output shows. */
export type BundleCheck = (
  output: Extract<Compilation, { ok: true }>,
) => Promise<CheckFindings>;

export interface StepOptions {
  /** Null: this compiler only validates. */
  readonly host: CompileHost | null;
  /** Null where nothing bundles. */
  readonly check: BundleCheck | null;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Runs a phase; absent: at once. A thread runs each as a task of its own, because only there does it end with its memory. */
  readonly task?: Task;
  /** What unchanged files of earlier compiles were parsed into. */
  readonly trees?: SyntaxTrees;
  /** Takes the schemas that can be read from the definitions where the request has none: its page cannot read them. */
  readonly readsSchemas?: boolean;
}

type Task = <Result>(work: () => Result) => Promise<Result>;

const atOnce: Task = (work) => Promise.resolve(work());

export function stepCompiler(options: StepOptions): Compiler {
  return { compile: (job) => compileInSteps(job, options) };
}

async function* compileInSteps(job: CompileJob, options: StepOptions): Events<void> {
  const result = yield* run(stepsOf(job, options), { job, options });
  if (!result.ok) return yield { kind: "failed", errors: result.errors };
  const found = yield* checked(result, { job, options });
  if (found.errors.length > 0) return yield { kind: "failed", errors: found.errors };
  const warnings = [...result.warnings, ...found.warnings];
  yield { kind: "finished", contract: result.model.contract, commands: COMMANDS, warnings };
}

type Events<Result> = AsyncGenerator<CompileEvent, Result, void>;

/** What an author runs in the output, in order (definitions 8, "In a generated project"). */
const COMMANDS = ["deno task start"] as const;

type Result = Compilation | Validation;

function stepsOf(
  { input: { files, ...input }, complete }: CompileJob,
  { host, trees, readsSchemas = false }: StepOptions,
): Generator<Progress, Result, void> {
  const request = { ...input, readsSchemas, ...(trees ? { trees } : {}) };
  if (!complete) return validateSteps(files, request);
  if (host === null) throw new Error("This compiler only validates");
  return compileSteps(files, host, request);
}

async function* run(
  steps: Generator<Progress, Result, void>,
  { job, options: { turn, task = atOnce } }: {
    readonly job: CompileJob;
    readonly options: StepOptions;
  },
): Events<Result> {
  for (;;) {
    const step = await task(() => steps.next());
    if (step.done) return step.value;
    yield { kind: "progress", ...step.value };
    // The frame leaves before the phase keeps this thread.
    await turn();
    job.signal.throwIfAborted();
  }
}

/** Hands the files out, then looks for what only all of them together show. */
async function* checked(
  result: Extract<Result, { ok: true }>,
  { job, options }: { readonly job: CompileJob; readonly options: StepOptions },
): Events<CheckFindings> {
  if (!("files" in result)) return NOTHING_FOUND;
  yield { kind: "emitted", files: await outputFiles(result.files) };
  if (options.check === null) return NOTHING_FOUND;
  yield { kind: "progress", stage: "check", message: `Bundling ${result.files.length} files` };
  await options.turn();
  job.signal.throwIfAborted();
  return await options.check(result);
}

const NOTHING_FOUND: CheckFindings = { errors: [], warnings: [] };
