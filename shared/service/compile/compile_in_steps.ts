/** A compile in this thread, phase by phase: between two phases others run, and an abandoned one stops. */
import {
  type Compilation,
  type CompileHost,
  compileSteps,
  type Diagnostic,
  type GeneratedFile,
  type Progress,
  validateSteps,
  type Validation,
} from "../../compiler/mod.ts";
import type { Compiler } from "../ports.ts";
import type { CompileEvent, CompileJob } from "./compile_event.ts";
import { outputFiles } from "./output_files.ts";

/** Phase 7: mistakes that only the bundle shows; `null` where nothing bundles. */
export type BundleCheck = (files: readonly GeneratedFile[]) => Promise<readonly Diagnostic[]>;

export interface StepOptions {
  /** Null: this compiler only validates. */
  readonly host: CompileHost | null;
  readonly check: BundleCheck | null;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
}

export function stepCompiler(options: StepOptions): Compiler {
  return { compile: (job) => compileInSteps(job, options) };
}

async function* compileInSteps(job: CompileJob, options: StepOptions): Events<void> {
  const result = yield* run(stepsOf(job, options.host), { job, turn: options.turn });
  const errors = result.ok ? yield* checked(result, { job, options }) : result.errors;
  if (!result.ok || errors.length > 0) return yield { kind: "failed", errors };
  const { model: { contract }, warnings } = result;
  yield { kind: "finished", contract, commands: COMMANDS, warnings };
}

type Events<Result> = AsyncGenerator<CompileEvent, Result, void>;

/** What an author runs in the output, in order (definitions 8, "In a generated project"). */
const COMMANDS = ["deno task start"] as const;

type Result = Compilation | Validation;

function stepsOf(
  { input: { files, ...request }, complete }: CompileJob,
  host: CompileHost | null,
): Generator<Progress, Result, void> {
  if (!complete) return validateSteps(files, request);
  if (host === null) throw new Error("This compiler only validates");
  return compileSteps(files, host, request);
}

async function* run(
  steps: Generator<Progress, Result, void>,
  { job, turn }: { readonly job: CompileJob; readonly turn: () => Promise<void> },
): Events<Result> {
  for (let step = steps.next();; step = steps.next()) {
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
): Events<readonly Diagnostic[]> {
  if (!("files" in result)) return [];
  yield { kind: "emitted", files: await outputFiles(result.files) };
  if (options.check === null) return [];
  yield { kind: "progress", stage: "check", message: `Bundling ${result.files.length} files` };
  await options.turn();
  job.signal.throwIfAborted();
  return await options.check(result.files);
}
