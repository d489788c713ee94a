/**
 * Inserts `migrations/*.{sql,ts}` between the generated migrations. It decides their order and checks their content
 * (definitions 1).
 */
import { jsonFile, parsedJson } from "../../../lib/json.ts";
import { statementsIn } from "../../../lib/sql_script.ts";
import type { Home, ProjectModel } from "../../../model/mod.ts";
import { homeOf, isPerOrganization, serviceTables } from "../../../model/mod.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { GeneratedFile } from "../../host.ts";
import * as journals from "../../migrations/journal.ts";
import { JOURNAL, MIGRATIONS_FOLDER, snapshotPath } from "../../migrations/plan_migration.ts";
import { contentHash, readSnapshot, tablesOf } from "../../migrations/snapshot.ts";
import type { Definitions } from "../values.ts";
import { namesIn, runsBefore } from "./prepared_rows.ts";
import { readScript, type SchemaNames } from "./read_script.ts";

interface StepsInput {
  readonly model: ProjectModel;
  readonly definitions: Definitions;
}

/** Facts about the databases that the migrations are for. */
export interface KnownDatabases {
  /** True for databases that begin empty: a step without a place in this history is left out. */
  readonly beginsEmpty: boolean;
  /** Tags of steps of earlier compiles that no database has run. */
  readonly unrunSteps: ReadonlySet<string>;
}

/** File of `migrations/`. Its name contains its place in the order. */
interface Step {
  readonly file: string;
  readonly tag: string;
  readonly number: number;
  readonly kind: "sql" | "ts";
  readonly text: string;
}

/** Checks the steps themselves, where no history lists the migrations. */
export function checkDataSteps({ model, definitions }: StepsInput, report: Report): void {
  const tables = tablesOfModel(model);
  for (const step of stepsOf(definitions, report)) contentOf(step, { model, tables }, report);
}

/**
 * Returns the migrations with the steps: SQL and code beside the generated files, and their order in the journal. A step that
 * no database has run may be edited and removed.
 */
export function weaveDataSteps(
  { model, definitions }: StepsInput,
  files: readonly GeneratedFile[],
  { beginsEmpty, unrunSteps }: KnownDatabases,
  report: Report,
): readonly GeneratedFile[] {
  const texts = new Map(files.map(({ path, content }) => [path, content]));
  const journal = journals.readJournal(parsedJson(texts.get(JOURNAL) ?? ""));
  if (journal === null) throw new Error("The journal of a planned migration cannot be read");
  const steps = stepsOf(definitions, report);
  const known = new Map(
    journal.entries.flatMap((entry) => (entry.steps ?? []).map((step) => [step.tag, step])),
  );
  reportGone(known.values(), { steps, unrunSteps }, report);
  if (steps.length === 0 && known.size === 0) return files;
  const before = journals.readJournal(
    parsedJson(definitions.migrationState.get(JOURNAL) ?? ""),
  )?.entries.length ?? 0;
  const entries = journal.entries.map((entry) => withoutGone(entry, steps));
  const woven: GeneratedFile[] = [];
  for (const step of steps) {
    const former = known.get(step.tag);
    const present = former?.kind === step.kind ? former : undefined;
    if (!present && !hasPlace(step, { before, count: entries.length, beginsEmpty }, report)) {
      continue;
    }
    const at = entries.findIndex(({ steps }) => steps?.some(({ tag }) => tag === step.tag));
    const entry = entries[present ? at : step.number];
    if (entry === undefined) throw new Error(`Data step '${step.tag}' has no migration to follow`);
    const snapshotAt = (idx: number) =>
      readSnapshot(parsedJson(texts.get(snapshotPath(idx)) ?? ""));
    const snapshot = snapshotAt(entry.idx);
    const tables = snapshot ? namesIn(tablesOf(snapshot)) : tablesOfModel(model);
    // A step of earlier compiles may name tables and columns that the model no longer has.
    const isKept = present !== undefined &&
      (present.hash === contentHash(emittedText(step)) || !unrunSteps.has(step.tag));
    const content = isKept
      ? { text: emittedText(step), home: present.home }
      : contentOf(step, { model, tables }, report);
    if (content === null) continue;
    const hash = contentHash(content.text);
    woven.push({ path: `${MIGRATIONS_FOLDER}/${step.tag}.${step.kind}`, content: content.text });
    if (isKept) {
      if (present.hash === hash) continue;
      report.add("DATA_STEP_EDITED", startOf(step.file), { file: step.file, isGone: false });
    } else {
      const own = entry.steps ?? [];
      const added: journals.JournalStep = {
        tag: step.tag,
        kind: step.kind,
        when: present?.when ?? (own.at(-1)?.when ?? entry.when) + 1,
        hash,
        ...(content.home === undefined ? {} : { home: content.home }),
        ...(step.kind === "sql" && runsBefore(step.text, snapshotAt(entry.idx - 1), snapshot)
          ? { before: true as const }
          : {}),
      };
      const others = own.filter(({ tag }) => tag !== step.tag);
      const all = [...others, added].sort((one, other) => one.when - other.when);
      entries[entry.idx] = { ...entry, steps: all };
    }
  }
  const text = jsonFile({ ...journal, entries });
  return [
    ...files.map((file) => file.path === JOURNAL ? { path: JOURNAL, content: text } : file),
    ...woven,
  ];
}

/** Reports removed steps that a database may have run. */
function reportGone(
  known: Iterable<journals.JournalStep>,
  { steps, unrunSteps }: {
    readonly steps: readonly Step[];
    readonly unrunSteps: KnownDatabases["unrunSteps"];
  },
  report: Report,
): void {
  for (const { tag, kind } of known) {
    if (steps.some((step) => step.tag === tag && step.kind === kind)) continue;
    if (unrunSteps.has(tag)) continue;
    const file = `${FOLDER}${tag}.${kind}`;
    report.add("DATA_STEP_EDITED", startOf(file), { file, isGone: true });
  }
}

function withoutGone(
  { steps: own = [], ...entry }: journals.JournalEntry,
  steps: readonly Step[],
): journals.JournalEntry {
  // Drops a removed step that no database has run, or one that changed its kind.
  const left = own.filter(({ tag, kind }) =>
    steps.some((step) => step.tag === tag && step.kind === kind)
  );
  return left.length === 0 ? entry : { ...entry, steps: left };
}

const FOLDER = "quickback/migrations/";
/**
 * Matches the name of a step, which begins with four digits like a generated migration's. A name of four digits and only eight
 * hexadecimal digits is a generated one's.
 */
const NAME = /^(\d{4,6})_(?![0-9a-f]{8}$)[A-Za-z0-9][A-Za-z0-9_-]*$/;

function stepsOf({ dataSteps }: Definitions, report: Report): readonly Step[] {
  const tags = new Set<string>();
  return [...dataSteps].flatMap(([file, text]): Step[] => {
    const kind = file.endsWith(".sql") ? "sql" : "ts";
    const tag = file.slice(FOLDER.length, -kind.length - 1);
    const number = Number(NAME.exec(tag)?.[1]);
    // Two files of one name would be one step.
    if (!Number.isInteger(number) || tags.has(tag)) {
      report.add("DATA_STEP_NAME", startOf(file), { file });
      return [];
    }
    tags.add(tag);
    return [{ file, tag, number, kind, text }];
  });
}

/** True when the step's migration is the newest of the earlier compiles, or of this one. */
function hasPlace(
  { file, number }: Step,
  history: { readonly before: number; readonly count: number; readonly beginsEmpty: boolean },
  report: Report,
): boolean {
  const { before, count, beginsEmpty } = history;
  const newest = count === 0 ? null : journals.migrationNumber(count - 1);
  const isLate = number < before - 1 && newest !== null;
  if (number < count && !isLate) return true;
  if (beginsEmpty) report.add("DATA_STEP_LEFT_OUT", startOf(file), { file, newest });
  else if (isLate) report.add("DATA_STEP_LATE", startOf(file), { file, newest });
  else report.add("DATA_STEP_BEYOND", startOf(file), { file, newest });
  return false;
}

interface Content {
  /** Text of the output's file. */
  readonly text: string;
  /** The database whose rows the step changes; undefined: all rows are in one database. */
  readonly home: Home | undefined;
}

interface Known {
  readonly model: ProjectModel;
  readonly tables: SchemaNames;
}

/** Returns the step's content; null when a part of it was reported. */
function contentOf(step: Step, known: Known, report: Report): Content | null {
  const service = serviceTables(known.model).map(({ name }) => name);
  const named = step.kind === "sql"
    ? readScript(step, { tables: known.tables, service }, report)
    : tablesNamedIn(step, known);
  if (named === null) return null;
  const text = emittedText(step);
  if (!isPerOrganization(known.model)) return { text, home: undefined };
  const homes = new Map<Home, string>();
  for (const name of named) {
    const table = known.model.tables.find(({ sqlName }) => sqlName === name);
    if (table) homes.set(homeOf(table), name);
    else if (service.includes(name)) homes.set("directory", name);
  }
  const [home, other] = homes.keys();
  if (home !== undefined && other === undefined) return { text, home };
  report.add("DATA_STEP_HOMES", startOf(step.file), {
    directory: homes.get("directory") ?? null,
    tenant: homes.get("tenant") ?? null,
  });
  return null;
}

/** Returns the step's text for the output. Runners split SQL at the marker between a migration's statements. */
function emittedText({ kind, text }: Step): string {
  const unix = text.replaceAll("\r\n", "\n");
  if (kind === "ts") return unix;
  return statementsIn(unix).map(({ sql }) => `${sql};\n`).join("--> statement-breakpoint\n");
}

/** Returns the tables whose names occur in a step's strings, alone or in SQL. */
function tablesNamedIn({ text }: Step, { tables }: Known): ReadonlySet<string> {
  const words = new Set(text.match(/[A-Za-z_][A-Za-z0-9_$]*/g) ?? []);
  return new Set([...tables.keys()].filter((name) => words.has(name)));
}

/** Returns the model's tables. Their columns at the time of the step are not known without a history. */
function tablesOfModel(model: ProjectModel): SchemaNames {
  return new Map([
    ...model.tables.map(({ sqlName }) => [sqlName, null] as const),
    ...serviceTables(model).map(({ name }) => [name, null] as const),
  ]);
}

function startOf(file: string) {
  return { file, line: 1, column: 1, length: 1 };
}
