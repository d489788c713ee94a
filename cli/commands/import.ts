/** `import <openapi|prisma|sql> <file> [folder]`: drafts definitions from a schema, closed by default. */
import { basename, join } from "node:path";
import { type Draft, DraftError, type ForeignSchema } from "../adopt/draft.ts";
import { draftOf } from "../adopt/draft_of.ts";
import { printDraft } from "../adopt/print_draft.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import { validateFolder } from "../compile_folder.ts";
import { reportValidation } from "../compile_report.ts";
import type { Output } from "../output.ts";
import { readModel, writeDrafts } from "./add/write_draft.ts";

/** Each reads the text of one kind of schema. */
const READERS: ReadonlyMap<string, () => Promise<(text: string) => ForeignSchema>> = new Map([
  ["openapi", async () => (await import("../adopt/read_openapi.ts")).readOpenApi],
  ["prisma", async () => (await import("../adopt/read_prisma.ts")).readPrisma],
  ["sql", async () => (await import("../adopt/read_sql.ts")).readSql],
]);

export async function importSchema(
  { positionals: [kind = "", file = "", folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const load = READERS.get(kind);
  if (!load) {
    const known = [...READERS.keys()].join(", ");
    throw new UsageError(`There is no schema of kind "${kind}": choose one of ${known}`);
  }
  const project = await readModel(folder);
  if (project.kind === "failed") return reportValidation(project.findings, output);
  const { multiTenant, database } = project.model;
  const draft = await draftFrom(file, await load(), multiTenant);
  const files = printDraft(draft, database.generateId === "serial" ? "int" : "text");
  await writeDrafts(folder, files);
  const count = draft.tables.length;
  output.result({ tables: draft.tables.map(({ name }) => name), files: Object.keys(files) });
  output.out(`Drafted ${count} table${count === 1 ? "" : "s"}; nobody may ask for them yet`);
  output.out(`Next: ${join(folder, "DECIDE.md")} lists what to decide`);
  return reportValidation((await validateFolder(folder, null)).findings, output);
}

async function draftFrom(
  file: string,
  read: (text: string) => ForeignSchema,
  multiTenant: boolean,
): Promise<Draft> {
  try {
    return draftOf(read(await Deno.readTextFile(file)), multiTenant);
  } catch (error) {
    if (error instanceof DraftError) throw new CommandError(`${basename(file)}: ${error.message}`);
    if (error instanceof Deno.errors.NotFound) throw new CommandError(`There is no file "${file}"`);
    throw error;
  }
}
