/** Compiles a project folder into an output folder, both on disk (definitions 8). */
import { BundleThread } from "../container/bundle_thread.ts";
import { readCompileHost } from "../container/host.ts";
import {
  type CheckFindings,
  type Compilation,
  compile,
  type CompileHost,
  type RawFiles,
  validate,
  type Validation,
} from "../shared/compiler/mod.ts";
import { requestWith, schemasToSend } from "./action_input_schemas.ts";
import { CommandError } from "./command.ts";
import type { Findings } from "./compile_report.ts";
import { type BuildServiceAddress, compileRemotely } from "./compile_remotely.ts";
import { type PresentLock, readPresentLock, withPresentLock } from "./kept_lock.ts";
import { type OutputFile, writeOutputFolder, type WriteSummary } from "./output_folder.ts";
import {
  isStateOfMigrations,
  type ProjectFolder,
  readProjectFolder,
  readTree,
  withoutMigrationState,
} from "./project_folder.ts";
import { VERSION } from "./version.ts";

interface FolderOptions {
  readonly folder: string;
  readonly out: string;
  /** Overwrite files there that no compile has written. */
  readonly force: boolean;
  readonly onProgress?: NonNullable<CompileHost["onProgress"]>;
  /** False: the caller has the bundle checked when the files are written. */
  readonly checksBundle?: boolean;
}

export interface FolderCompiled {
  readonly kind: "compiled";
  readonly findings: Findings;
  readonly output: Output;
  readonly host: CompileHost;
  readonly summary: WriteSummary;
}

type Output = Extract<Compilation, { readonly ok: true }>;

interface FolderFailed {
  readonly kind: "failed";
  readonly findings: Findings;
}

type FolderCompile = FolderCompiled | FolderFailed;

/** Result of compiling a folder, here or at a build service. */
export type FolderOutcome = Omit<FolderCompiled, "output" | "host"> | FolderFailed;

/** Writes nothing when there is an error. */
export async function compileFolder(options: FolderOptions): Promise<FolderCompile> {
  const { onProgress, checksBundle = true } = options;
  const input = await readInput(options);
  const host = {
    ...readCompileHost({ version: VERSION }),
    ...(onProgress ? { onProgress } : {}),
  };
  // The bundler gets ready while this thread compiles.
  using bundle = checksBundle ? new BundleThread(host) : null;
  const result = compile(input.files, host, requestWith(input.project.inputSchemas));
  const found = result.ok && bundle !== null ? await checked(result, bundle, onProgress) : null;
  const findings = {
    errors: result.ok ? found?.errors ?? [] : result.errors,
    warnings: [...result.warnings, ...found?.warnings ?? []],
    sources: input.files,
    folder: options.folder,
  };
  if (!result.ok || findings.errors.length > 0) return { kind: "failed", findings };
  const summary = await writeOutput(result.files, input, options);
  return { kind: "compiled", findings, output: result, host, summary };
}

/** Compiles the folder against the migrations in the output folder; writes nothing. */
export async function compileInMemory(
  options: Pick<FolderOptions, "folder" | "out">,
): Promise<FolderInMemory> {
  const { files, project, lock } = await readInput({ ...options, force: false });
  const host = readCompileHost({ version: VERSION });
  const result = compile(files, host, requestWith(project.inputSchemas));
  const errors = result.ok ? [] : result.errors;
  const written = result.ok ? withPresentLock(result.files, lock) : [];
  const findings = { errors, warnings: result.warnings, sources: files, folder: options.folder };
  return { result, written, findings };
}

interface FolderInMemory {
  readonly result: Compilation;
  /** Its files as they would stand in that folder. */
  readonly written: readonly OutputFile[];
  readonly findings: Findings;
}

function checked(
  output: Output,
  bundle: BundleThread,
  onProgress: FolderOptions["onProgress"],
): Promise<CheckFindings> {
  onProgress?.("check", `Bundling ${output.files.length} files`);
  return bundle.check(output);
}

/** The same through a build service. */
export async function compileFolderRemotely(
  options: Omit<FolderOptions, "onProgress">,
  service: BuildServiceAddress,
): Promise<FolderOutcome> {
  const input = await readInput(options);
  const { files, project } = input;
  const definitions = withoutMigrationState(files);
  const { schemas, errors } = schemasToSend(definitions, project.inputSchemas);
  const sent = { rawFiles: files, actionInputSchemas: schemas };
  const result = await compileRemotely(sent, service);
  // The service also missed the schemas that those errors kept from being sent.
  const found = result.errors.length > 0 && errors.length > 0 ? errors : result.errors;
  const { folder } = options;
  const findings = { errors: found, warnings: result.warnings, sources: files, folder };
  if (result.errors.length > 0) return { kind: "failed", findings };
  const summary = await writeOutput(result.files, input, options);
  return { kind: "compiled", findings, summary };
}

interface FolderInput {
  readonly project: ProjectFolder;
  /** The output's own journal and snapshots; empty when it has none. */
  readonly state: RawFiles;
  readonly lock: PresentLock | null;
  /** Input files of the compile. */
  readonly files: RawFiles;
}

/** Input of a compile of the folder as it is now. */
export async function compileFilesOf(folders: Omit<Folders, "force">) {
  const { files, project } = await readInput({ ...folders, force: false });
  return { files, inputSchemas: project.inputSchemas };
}

type Folders = Pick<FolderOptions, "folder" | "out" | "force">;

async function readInput({ folder, out }: Folders): Promise<FolderInput> {
  const project = await readProjectFolder(folder);
  const state = await migrationState(out);
  const lock = await readPresentLock({ folder, out });
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
  readonly validation: Validation;
  /** All that a compile finds but in the bundle. */
  readonly findings: Findings;
}

/** Writes nothing; `out`: the output whose migrations the next one follows. */
export async function validateFolder(
  folder: string,
  out: string | null,
): Promise<FolderValidated> {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  if (out !== null) await requireFolder(out);
  const files = out === null ? rawFiles : withMigrationState(rawFiles, await migrationState(out));
  const validation = validate(files, undefined, requestWith(inputSchemas));
  const errors = validation.ok ? [] : validation.errors;
  return {
    validation,
    findings: { errors, warnings: validation.warnings, sources: files, folder },
  };
}

/**
 * Replaces the project's migration state by that of the output folder, where there is one: the next migration follows it.
 */
function withMigrationState(files: RawFiles, state: RawFiles): RawFiles {
  if (Object.keys(state).length === 0) return files;
  return { ...withoutMigrationState(files), ...state };
}

/** A mistyped one would have no history, which every schema follows. */
async function requireFolder(out: string): Promise<void> {
  if (await isFolder(out)) return;
  throw new CommandError(`There is no folder "${out}"; compile into it first, or leave out --out`);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function migrationState(out: string): Promise<RawFiles> {
  const tree = await readTree(out, "quickback/drizzle") ?? {};
  return Object.fromEntries(Object.entries(tree).filter(([path]) => isStateOfMigrations(path)));
}

/** The project's earlier SQL belongs to the output too; a file of this compile wins over one of the same name. */
function earlierMigrations(
  { migrations }: ProjectFolder,
  files: readonly OutputFile[],
): readonly OutputFile[] {
  const generated = new Set(files.map(({ path }) => path));
  return Object.entries(migrations)
    .filter(([path]) => !generated.has(path))
    .map(([path, content]) => ({ path, content }));
}
