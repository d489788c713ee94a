/** Runs `import <openapi|prisma|sql> <file> [folder]`: drafts definitions from a schema, closed by default. */
import { basename, dirname, join, relative } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { requestWith } from "../action_input_schemas.ts";
import type { Draft } from "../adopt/draft.ts";
import { draftOf } from "../adopt/draft_of.ts";
import { withoutRefused } from "../adopt/drop_refused.ts";
import { DraftError, type ForeignSchema } from "../adopt/foreign_schema.ts";
import { printDecisions } from "../adopt/print_decisions.ts";
import { printDraft } from "../adopt/print_draft.ts";
import { guessTenancy, NO_TENANT, type Tenancy, tenancyNamed } from "../adopt/tenancy.ts";
import type { Arguments } from "../command.ts";
import { reportValidation } from "../compile_report.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import type { Findings } from "../findings.ts";
import type { Output } from "../output.ts";
import { readProjectFolder } from "../project_folder.ts";
import { readModel, writeDrafts } from "./add/write_draft.ts";

interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** Readers by kind of schema; each reads the files of its kind. */
const READERS: ReadonlyMap<string, (file: string) => Promise<ForeignSchema>> = new Map([
  ["openapi", async (file) => {
    const { readOpenApi } = await import("../adopt/read_openapi.ts");
    return readOpenApi(await readText(file), await readBeside(file));
  }],
  ["prisma", async (file) => {
    const { readPrisma } = await import("../adopt/read_prisma.ts");
    const texts = await readAll(file, /\.(prisma|zmodel)$/);
    return readPrisma(texts.map(({ text }) => text).join("\n"));
  }],
  ["sql", async (file) => {
    const { readSql } = await import("../adopt/read_sql.ts");
    const texts = await readAll(file, /(?<!\.down|\.undo|_down)\.sql$/);
    return readSql(texts);
  }],
]);

export async function importSchema(
  { positionals: [kind = "", file = "", folder = "."], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const read = READERS.get(kind);
  if (!read) {
    const known = [...READERS.keys()].join(", ");
    throw new UsageError(`There is no schema of kind "${kind}": choose one of ${known}`);
  }
  const project = await readModel(folder);
  if (project.kind === "failed") return reportValidation(project.findings, output);
  const schema = await schemaFrom(file, read);
  const { model } = project;
  const tenancy = model.multiTenant ? chosenTenancy(schema, values.get("tenant")) : NO_TENANT;
  const taken = model.tables.map(({ name }) => name);
  const draft = draftOf(schema, { multiTenant: model.multiTenant, tenancy, taken });
  const { fitting, files, findings } = await judged(draft, model, folder);
  await writeDrafts(folder, { ...files, "DECIDE.md": printDecisions(fitting) });
  const count = draft.tables.length;
  const tables = draft.tables.map(({ name }) => name);
  output.result({ tables, files: [...Object.keys(files), "DECIDE.md"] });
  output.out(`Drafted ${count} table${count === 1 ? "" : "s"}; nobody may ask for them yet`);
  output.out(`Next: ${join(folder, "DECIDE.md")} lists what to decide`);
  return reportValidation(findings, output);
}

async function schemaFrom(
  file: string,
  read: (file: string) => Promise<ForeignSchema>,
): Promise<ForeignSchema> {
  try {
    return await read(file);
  } catch (error) {
    if (error instanceof DraftError) throw new CommandError(`${basename(file)}: ${error.message}`);
    throw error;
  }
}

/** Chooses the tenancy of the whole project: the given option, a clear guess, or an answer at a terminal. */
function chosenTenancy(schema: ForeignSchema, said: string | undefined): Tenancy {
  if (said !== undefined) return tenancyOf(schema, said);
  const guess = guessTenancy(schema);
  if (guess.kind === "clear") return guess.tenancy;
  const choice = [...guess.candidates, "none"].join(", ");
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(
      `It is not clear which table organizations stand for: say --tenant <table>, one of ${choice}`,
    );
  }
  return tenancyOf(
    schema,
    prompt(`Which table do organizations stand for (${choice})?`)?.trim() ?? "",
  );
}

function tenancyOf(schema: ForeignSchema, named: string): Tenancy {
  const tenancy = tenancyNamed(schema, named);
  if (tenancy) return tenancy;
  const known = schema.tables.map(({ name }) => name).join(", ");
  throw new UsageError(
    `There is no table "${named}" to be the tenant: choose one of ${known}, none`,
  );
}

/**
 * Maximum number of passes. Each leaves out all parts that the compiler refused in the pass before; that may cause new
 * refusals.
 */
const PASSES_MAX = 8;

/** Returns the draft in a form that the compiler accepts beside the existing project. */
async function judged(draft: Draft, { database }: ProjectModel, folder: string) {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  let fitting = draft;
  for (let pass = 1;; pass++) {
    const files = printDraft(fitting, database.generateId === "serial" ? "int" : "text");
    const sources = { ...rawFiles, ...files };
    const validation = validate(sources, undefined, requestWith(inputSchemas));
    const errors = validation.ok ? [] : validation.errors;
    const refusals = errors.map(({ place, message }) => ({ ...place, message }));
    const without = withoutRefused(fitting, files, refusals);
    if (without === null || pass === PASSES_MAX) {
      const findings: Findings = { errors, warnings: validation.warnings, sources, folder };
      return { fitting, files, findings };
    }
    fitting = without;
  }
}

async function readText(file: string): Promise<string> {
  const text = await ifThere(Deno.readTextFile(file));
  if (text === null) throw new CommandError(`There is no file "${file}"`);
  return text.replace(/^\uFEFF/, "");
}

/** Reads a file, or all matching files of a folder in the order of their paths. */
async function readAll(path: string, pattern: RegExp): Promise<readonly NamedText[]> {
  const found = await ifThere(Deno.stat(path));
  if (!found?.isDirectory) return [{ path: basename(path), text: await readText(path) }];
  const files = await filesIn(path);
  const wanted = files.filter((file) => pattern.test(file)).sort();
  if (wanted.length === 0) throw new CommandError(`No file in "${path}" is a schema of this kind`);
  return await Promise.all(
    wanted.map(async (file) => ({ path: relative(path, file), text: await readText(file) })),
  );
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (!isDirectory) found.push(path);
    else if (name !== "node_modules" && !name.startsWith(".")) found.push(...await filesIn(path));
  }
  return found;
}

/** Reads the files to which a description refers, and those to which they refer, by their paths from its folder. */
async function readBeside(file: string): Promise<ReadonlyMap<string, string>> {
  const { filesBeside } = await import("../adopt/openapi/documents.ts");
  const texts = new Map<string, string>();
  const waiting = [...filesBeside(await readText(file), "")];
  for (const path of waiting) {
    if (texts.has(path)) continue;
    const text = await ifThere(Deno.readTextFile(join(dirname(file), path)));
    if (text === null) continue;
    texts.set(path, text);
    waiting.push(...filesBeside(text, path));
  }
  return texts;
}
