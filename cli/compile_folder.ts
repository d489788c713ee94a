/** Compiles a project folder into an output folder, both on disk (definitions 8). */
import { startNativeBundleCheck } from "../container/native_bundle_check.ts";
import { ifThere } from "../library/platform/if_there.ts";
import * as compiler from "../shared/compiler/mod.ts";
import { requestWith, schemasToSend } from "./action_input_schemas.ts";
import { CommandError } from "./exit_codes.ts";
import type { Findings } from "./findings.ts";
import { type BuildServiceAddress, compileRemotely } from "./compile_remotely.ts";
import { compileHost } from "./installation.ts";
import { type PresentLock, readPresentLock, withPresentLock } from "./kept_lock.ts";
import { type OutputFile, writeOutputFolder, type WriteSummary } from "./output_folder.ts";
import * as projects from "./project_folder.ts";
import { mendingRequest } from "./unrun_steps.ts";

interface FolderOptions {
  readonly folder: string;
  readonly out: string;
  /** True overwrites existing files that no compile has written. */
  readonly force: boolean;
  readonly onProgress?: NonNullable<compiler.CompileHost["onProgress"]>;
  /** False: the output depends on the package; otherwise it contains the runtime. */
  readonly vendor?: boolean;
  /** True when this output's databases begin empty, so that data steps without a place are left out. */
  readonly beginsEmpty?: boolean;
  /** True when its migrations continue the project's own `quickback/drizzle/`, not those of the output. */
  readonly followsProject?: boolean;
  /** False: the caller checks the bundle after the files are written. */
  readonly checksBundle?: boolean;
}

export interface FolderCompiled {
  readonly kind: "compiled";
  readonly findings: Findings;
  readonly output: Output;
  readonly host: compiler.CompileHost;
  readonly summary: WriteSummary;
  /** Tags of data steps that run before their migration. */
  readonly earlySteps: readonly string[];
}

type Output = Extract<compiler.Compilation, { readonly ok: true }>;

interface FolderFailed {
  readonly kind: "failed";
  readonly findings: Findings;
}

type FolderCompile = FolderCompiled | FolderFailed;

/** Result of compiling a folder, here or at a build service. */
export type FolderOutcome = Omit<FolderCompiled, "output" | "host"> | FolderFailed;

/** Compiles the folder; writes nothing if there is an error. */
export async function compileFolder(options: FolderOptions): Promise<FolderCompile> {
  const { onProgress, vendor = true, checksBundle = true, beginsEmpty = false } = options;
  const input = await readInput(options);
  const host = {
    ...await compileHost({ vendor }),
    ...(onProgress ? { onProgress } : {}),
  };
  const request = { ...requestWith(input.project.inputSchemas), vendor, beginsEmpty };
  const result = await compiledMending(input.files, { host, request, out: options.out });
  const found = result.ok && checksBundle ? await checked(result, host) : null;
  const findings = {
    errors: result.ok ? found?.errors ?? [] : result.errors,
    warnings: [...result.warnings, ...found?.warnings ?? []],
    sources: input.files,
    folder: options.folder,
  };
  if (!result.ok || findings.errors.length > 0) return { kind: "failed", findings };
  const summary = await writeOutput(result.files, input, options);
  const earlySteps = compiler.earlySteps(result.files);
  return { kind: "compiled", findings, output: result, host, summary, earlySteps };
}

/** Compiles the folder against the migrations in the output folder; writes nothing. */
export async function compileInMemory(
  options: Pick<FolderOptions, "folder" | "out" | "vendor" | "beginsEmpty">,
): Promise<FolderInMemory> {
  const { vendor = true, beginsEmpty = false } = options;
  const { files, project, lock } = await readInput({ ...options, force: false });
  const request = { ...requestWith(project.inputSchemas), vendor, beginsEmpty };
  const host = await compileHost({ vendor });
  const result = await compiledMending(files, { host, request, out: options.out });
  const errors = result.ok ? [] : result.errors;
  const written = result.ok ? withPresentLock(result.files, lock) : [];
  const findings = { errors, warnings: result.warnings, sources: files, folder: options.folder };
  return { result, written, findings };
}

/** Compiles, and allows a data step to be edited or removed if the output's database has not run it. */
async function compiledMending(
  files: compiler.RawFiles,
  { host, request, out }: {
    readonly host: compiler.CompileHost;
    readonly request: compiler.CompileRequest;
    readonly out: string;
  },
): Promise<compiler.Compilation> {
  const result = compiler.compile(files, host, request);
  const mending = result.ok ? null : await mendingRequest(result, out);
  return mending === null ? result : compiler.compile(files, host, { ...request, ...mending });
}

interface FolderInMemory {
  readonly result: compiler.Compilation;
  /** Files as the compile would write them to that folder. */
  readonly written: readonly OutputFile[];
  readonly findings: Findings;
}

async function checked(
  output: Output,
  host: compiler.CompileHost,
): Promise<compiler.CheckFindings> {
  host.onProgress?.("check", `Bundling ${output.files.length} files`);
  await using native = await startNativeBundleCheck(host);
  return await native.check(output);
}

/** Compiles the folder through a build service. */
export async function compileFolderRemotely(
  options: Omit<FolderOptions, "onProgress">,
  service: BuildServiceAddress,
): Promise<FolderOutcome> {
  const input = await readInput(options);
  const { files, project } = input;
  const definitions = projects.withoutMigrationState(files);
  const { schemas, errors } = schemasToSend(definitions, project.inputSchemas);
  const result = await compileRemotely(files, schemas, service);
  // The service also reports schemas as missing that were not sent because of those errors.
  const found = result.errors.length > 0 && errors.length > 0 ? errors : result.errors;
  const { folder } = options;
  const findings = { errors: found, warnings: result.warnings, sources: files, folder };
  if (result.errors.length > 0) return { kind: "failed", findings };
  const summary = await writeOutput(result.files, input, options);
  return { kind: "compiled", findings, summary, earlySteps: compiler.earlySteps(result.files) };
}

interface FolderInput {
  readonly project: projects.ProjectFolder;
  /** Output's own journal and snapshots; empty if it has none. */
  readonly state: compiler.RawFiles;
  readonly lock: PresentLock | null;
  /** Input files of the compile. */
  readonly files: compiler.RawFiles;
}

/** Returns the input of a compile of the folder as it is now. */
export async function compileFilesOf(folders: Omit<Folders, "force">) {
  const { files, project } = await readInput({ ...folders, force: false });
  return { files, inputSchemas: project.inputSchemas };
}

type Folders = Pick<FolderOptions, "folder" | "out" | "force" | "followsProject">;

async function readInput({ folder, out, followsProject = false }: Folders): Promise<FolderInput> {
  const project = await projects.readProjectFolder(folder);
  const state = followsProject ? {} : await migrationState(out);
  const lock = await readPresentLock(folder, out);
  return { project, state, lock, files: withMigrationState(project.rawFiles, state) };
}

async function writeOutput(
  files: readonly OutputFile[],
  { project, state, lock }: FolderInput,
  { out, force }: Folders,
): Promise<WriteSummary> {
  // An output with a history of its own has its own SQL.
  const earlier = Object.keys(state).length > 0 ? [] : earlierMigrations(project, files);
  return await writeOutputFolder(out, [...earlier, ...withPresentLock(files, lock)], { force });
}

interface FolderValidated {
  readonly validation: compiler.Validation;
  /** All findings of a compile, except those in the bundle. */
  readonly findings: Findings;
}

/** Validates a folder and writes nothing. `out`: output whose migrations the next one continues. */
export async function validateFolder(
  folder: string,
  out: string | null,
): Promise<FolderValidated> {
  const { rawFiles, inputSchemas } = await projects.readProjectFolder(folder);
  // A mistyped folder would have no history, and every schema fits an empty history.
  if (out !== null && !(await ifThere(Deno.stat(out)))?.isDirectory) {
    throw new CommandError(
      `There is no folder "${out}"; compile into it first, or leave out --out`,
    );
  }
  const files = out === null ? rawFiles : withMigrationState(rawFiles, await migrationState(out));
  const request = requestWith(inputSchemas);
  const first = compiler.validate(files, undefined, request);
  const mending = first.ok || out === null ? null : await mendingRequest(first, out);
  const validation = mending === null
    ? first
    : compiler.validate(files, undefined, { ...request, ...mending });
  const errors = validation.ok ? [] : validation.errors;
  return {
    validation,
    findings: { errors, warnings: validation.warnings, sources: files, folder },
  };
}

/**
 * Replaces the project's migration state by that of the output folder, if it has one, so that the next migration continues it.
 */
function withMigrationState(files: compiler.RawFiles, state: compiler.RawFiles): compiler.RawFiles {
  if (Object.keys(state).length === 0) return files;
  return { ...projects.withoutMigrationState(files), ...state };
}

async function migrationState(out: string): Promise<compiler.RawFiles> {
  const tree = await projects.readTree(out, "quickback/drizzle") ?? {};
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => projects.isStateOfMigrations(path)),
  );
}

/** Adds the project's earlier SQL to the output; a file of this compile wins over one with the same name. */
function earlierMigrations(
  { migrations }: projects.ProjectFolder,
  files: readonly OutputFile[],
): readonly OutputFile[] {
  const generated = new Set(files.map(({ path }) => path));
  return Object.entries(migrations)
    .filter(([path]) => !generated.has(path))
    .map(([path, content]) => ({ path, content }));
}
