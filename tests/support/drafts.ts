/** Drafts of small foreign schemas, as a person finds them in the project. */
import { assertEquals } from "@std/assert";
import { draftOf } from "../../cli/adopt/draft_of.ts";
import { withoutRefused } from "../../cli/adopt/drop_refused.ts";
import type { ForeignSchema } from "../../cli/adopt/foreign_schema.ts";
import { printDecisions } from "../../cli/adopt/print_decisions.ts";
import { printDraft } from "../../cli/adopt/print_draft.ts";
import { guessTenancy, NO_TENANT } from "../../cli/adopt/tenancy.ts";
import { validate } from "../../shared/compiler/mod.ts";

export interface Drafted {
  /** Without `DECIDE.md`. */
  readonly files: Readonly<Record<string, string>>;
  readonly decisions: string;
}

/** Fails where the compiler takes the draft not at all. */
export function drafted(schema: ForeignSchema, multiTenant = false): Drafted {
  const guess = guessTenancy(schema);
  const tenancy = guess.kind === "clear" ? guess.tenancy : NO_TENANT;
  const config = multiTenant ? "" : ", features: { organizations: false }";
  let draft = draftOf(schema, { multiTenant, tenancy, taken: [] });
  for (;;) {
    const files = printDraft(draft, "text");
    const sources = {
      "quickback/quickback.config.ts": `export default { name: "x"${config} };\n`,
      ...files,
    };
    const result = validate(sources);
    const errors = result.ok ? [] : result.errors;
    const refusals = errors.map(({ place, message }) => ({ ...place, message }));
    const without = withoutRefused(draft, files, refusals);
    if (without === null) {
      assertEquals(errors.map(({ code, message }) => `${code} ${message}`), []);
      return { files, decisions: printDecisions(draft) };
    }
    draft = without;
  }
}

/** Columns of a table by name, as its file writes them, without the id. */
export function columnsOf({ files }: Drafted, table: string): Readonly<Record<string, string>> {
  const text = textOf(files, table);
  const lines = text.matchAll(/^ {2,4}(\w+): (q\..*),$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = "", column = ""]) => [name, column] as const)
      .filter(([name]) => name !== "id"),
  );
}

/** A line of a table's file that begins so. */
export function lineOf({ files }: Drafted, table: string, beginning: string): string | undefined {
  return textOf(files, table).split("\n").map((line) => line.trim())
    .find((line) => line.startsWith(beginning));
}

function textOf(files: Drafted["files"], table: string): string {
  const path = Object.keys(files).find((one) => one.endsWith(`/${table}.ts`));
  if (path === undefined) throw new Error(`There is no ${table} in ${Object.keys(files).join()}`);
  return files[path] ?? "";
}

/** `columns: 12 = 10 carried + 1 changed + 1 left out` as numbers, by class. */
export function countsOf({ decisions }: Drafted): Readonly<Record<string, readonly number[]>> {
  const lines = decisions.matchAll(
    /^- ([a-z ]+): (\d+) = (\d+) carried \+ (\d+) changed \+ (\d+) left out$/gm,
  );
  return Object.fromEntries(
    [...lines].map(([, name = "", ...numbers]) => [name, numbers.map(Number)]),
  );
}
