/** Turns a changed schema into files: new SQL, the journal and the snapshots (definitions 7, "files of an output"). */
import { z } from "zod";
import { jsonFile, parsedJson } from "../../lib/json.ts";
import { ROW_CHECK_MARK, type RowCheck, type SqlTable } from "../../model/mod.ts";
import type { GeneratedFile } from "../host.ts";
import { diffSchema } from "./diff_schema.ts";
import type { Journal } from "./journal.ts";
import { EMPTY_JOURNAL, migrationNumber, nextEntry, readJournal } from "./journal.ts";
import type { SchemaHints, SchemaLoss, SchemaNotice, SchemaProblem } from "./schema_change.ts";
import { changeSql } from "./schema_change.ts";
import * as snapshots from "./snapshot.ts";

/** Folder of a project's migrations. */
export const MIGRATIONS_FOLDER = "quickback/drizzle/features";
const META = `${MIGRATIONS_FOLDER}/meta/`;
/** Path of the journal, which lists the migrations. */
export const JOURNAL = `${META}_journal.json`;
const BREAKPOINT = "--> statement-breakpoint";
const HASH_LENGTH = 8;

export interface MigrationInput {
  readonly tables: readonly SqlTable[];
  readonly hints: SchemaHints;
  /** Texts of earlier compiles' migration files, by path. */
  readonly state: ReadonlyMap<string, string>;
}

export type MigrationPlan =
  | {
    readonly kind: "planned";
    readonly files: readonly GeneratedFile[];
    /** Tag of the new migration; null when the schema is unchanged. */
    readonly tag: string | null;
    readonly notices: readonly SchemaNotice[];
  }
  | { readonly kind: "refused"; readonly problems: readonly SchemaProblem[] }
  | UnreadableState;

/** State that this compiler did not write, that was edited, or that is incomplete. */
export interface UnreadableState {
  readonly kind: "unreadable";
  readonly file: string;
  readonly fault: StateFault;
}

export type StateFault =
  | "missing"
  | "malformed"
  /** Another tool wrote it, in a form that this compiler cannot continue. */
  | "foreign"
  /** A snapshot does not match the id made from its content. */
  | "edited"
  /** A snapshot that the journal does not list. */
  | "unlisted"
  /** A snapshot was not made after the one before it, for example because two branches were merged. */
  | "outOfLine";

/** Plans the files. It is a pure function: existing state is copied byte for byte, and only the journal grows. */
export function planMigration({ tables, hints, state }: MigrationInput): MigrationPlan {
  const history = readHistory(state);
  if (history.kind === "unreadable") return history;
  const previousId = history.last?.id ?? snapshots.FIRST_PREVIOUS_ID;
  const after = snapshots.tablesOf(snapshots.snapshotOf(tables, previousId));
  const diff = diffSchema(history.last ? snapshots.tablesOf(history.last) : [], after, {
    ...hints,
    appliedRings: history.last?.internal?.rings ?? [],
  });
  const { changes, losses, checks, notices, rings, problems } = diff;
  if (problems.length > 0) return { kind: "refused", problems };
  const kept = keptFiles(state);
  if (changes.length === 0 && checks.length === 0) {
    const files = history.last
      ? withFacts(kept, history, { tables, rings })
      : [{ path: JOURNAL, content: jsonFile(EMPTY_JOURNAL) }];
    return { kind: "planned", files, tag: null, notices: [] };
  }
  const snapshot = snapshots.snapshotOf(tables, previousId, rings);
  // The comments precede the first statement, so that runners keep them together.
  const statements = changes.length === 0 ? [NO_CHANGE] : changes.flatMap(changeSql);
  const marks = [...destructiveMarks(losses), ...checks.map(checkMark)];
  const sql = `${marks.map((mark) => `${mark}\n`).join("")}${
    statements.map((statement) => `${statement};`).join(`\n${BREAKPOINT}\n`)
  }\n`;
  const entry = nextEntry(history.journal, snapshots.contentHash(sql).slice(0, HASH_LENGTH));
  const journal: Journal = {
    ...history.journal,
    entries: [...history.journal.entries, entry],
  };
  return {
    kind: "planned",
    tag: entry.tag,
    notices,
    files: [
      ...kept.filter(({ path }) => path !== JOURNAL && path !== snapshotPath(entry.idx)),
      { path: JOURNAL, content: jsonFile(journal) },
      { path: snapshotPath(entry.idx), content: jsonFile(snapshot) },
      { path: `${MIGRATIONS_FOLDER}/${entry.tag}.sql`, content: sql },
    ],
  };
}

/** Returns the files of the migration that creates these tables in an empty database. */
export function firstMigration(tables: readonly SqlTable[]): readonly GeneratedFile[] {
  const hints: SchemaHints = {
    tables: new Map(),
    columns: new Map(),
    backfills: new Map(),
    allowDestructive: false,
  };
  const plan = planMigration({ tables, hints, state: new Map() });
  if (plan.kind !== "planned") throw new Error("An empty database refused its tables");
  return plan.files;
}

/** Makes a migration that only checks rows. Runners do not run an empty file. */
const NO_CHANGE = "SELECT 1";

/**
 * Returns the files with facts that the last snapshot does not contain yet. A type that accepts more than before needs no
 * migration.
 */
function withFacts(
  files: readonly GeneratedFile[],
  { journal, last }: Extract<History, { readonly kind: "known" }>,
  { tables, rings }: { readonly tables: readonly SqlTable[]; readonly rings: readonly string[] },
): readonly GeneratedFile[] {
  const idx = journal.entries.at(-1)?.idx;
  if (idx === undefined || last === null) return files;
  const snapshot = snapshots.snapshotOf(tables, last.prevId, rings);
  const isSaid =
    JSON.stringify(snapshots.factsOf(snapshot)) === JSON.stringify(snapshots.factsOf(last));
  return isSaid
    ? files
    : files.map((file) =>
      file.path === snapshotPath(idx) ? { ...file, content: jsonFile(snapshot) } : file
    );
}

type History =
  | { readonly kind: "known"; readonly journal: Journal; readonly last: snapshots.Snapshot | null }
  | UnreadableState;

function readHistory(state: ReadonlyMap<string, string>): History {
  const ofKit = [...state.keys()].find((path) => KIT_SNAPSHOT.test(path));
  if (ofKit !== undefined) return unreadable(ofKit, "foreign");
  const text = state.get(JOURNAL);
  // Snapshots without a journal mean that it was lost. Starting over would create every table again.
  if (text === undefined && keptFiles(state).length > 0) return unreadable(JOURNAL, "missing");
  const journal = text === undefined ? EMPTY_JOURNAL : readJournal(parsedJson(text));
  if (!journal) return unreadable(JOURNAL, isForeignJournal(text) ? "foreign" : "malformed");
  const listed = journal.entries.map(({ idx }) => snapshotPath(idx));
  const unlisted = [...state.keys()].find((path) => SNAPSHOT.test(path) && !listed.includes(path));
  if (unlisted !== undefined) return unreadable(unlisted, "unlisted");
  // Each snapshot follows from the one before it, and the last one describes the databases.
  let last: snapshots.Snapshot | null = null;
  for (const path of listed) {
    const text = state.get(path);
    if (text === undefined) return unreadable(path, "missing");
    const snapshot = snapshots.readSnapshot(parsedJson(text));
    if (!snapshot) return unreadable(path, isForeignSnapshot(text) ? "foreign" : "malformed");
    if (!snapshots.isAsWritten(snapshot)) return unreadable(path, "edited");
    if (snapshot.prevId !== (last?.id ?? snapshots.FIRST_PREVIOUS_ID)) {
      return unreadable(path, "outOfLine");
    }
    last = snapshot;
  }
  return { kind: "known", journal, last };
}

/** Matches a snapshot in its migration's own folder, the layout of version 7 of drizzle-kit. */
const KIT_SNAPSHOT = new RegExp(`^${MIGRATIONS_FOLDER}/(?!meta/)[^/]+/snapshot\\.json$`);
const SNAPSHOT = new RegExp(`^${META}\\d+_snapshot\\.json$`);

function unreadable(file: string, fault: StateFault): UnreadableState {
  return { kind: "unreadable", file, fault };
}

function keptFiles(state: ReadonlyMap<string, string>): readonly GeneratedFile[] {
  return [...state].filter(([path]) => path.startsWith(META))
    .map(([path, content]) => ({ path, content }));
}

export function snapshotPath(idx: number): string {
  return `${META}${migrationNumber(idx)}_snapshot.json`;
}

/** Schema of drizzle-kit's files, for all of its versions and dialects. */
const journalSchema = z.object({
  version: z.string(),
  dialect: z.string(),
  entries: z.array(z.object({ idx: z.number(), when: z.number(), tag: z.string() })).min(1),
});

const snapshotSchema = z.object({
  version: z.string(),
  dialect: z.string(),
  id: z.string(),
  tables: z.record(z.string(), z.unknown()),
});

/**
 * Matches a migration's tag. This compiler's tags end in a hash of their content; `drizzle-kit` chooses two words, or uses the
 * author's name.
 */
const TAG = /^\d{4,}_[A-Za-z0-9_-]+$/;
const OWN_TAG = /^\d{4,}_[0-9a-f]{8}$/;

/** True for a snapshot that this compiler wrote. */
export function isOwnSnapshot(text: string): boolean {
  return snapshots.isContentUuid(snapshots.readSnapshot(parsedJson(text))?.id ?? "");
}

/** True for a journal of another tool. */
function isForeignJournal(text: string | undefined): boolean {
  const { data } = journalSchema.safeParse(parsedJson(text ?? ""));
  return data !== undefined && data.entries.some(({ tag }) => TAG.test(tag) && !OWN_TAG.test(tag));
}

/** True for a snapshot of another tool. */
function isForeignSnapshot(text: string): boolean {
  const { data } = snapshotSchema.safeParse(parsedJson(text));
  return data !== undefined && !snapshots.isContentUuid(data.id);
}

/** Returns the tags of the data steps in an output's files that run before their migration. */
export function earlySteps(
  files: readonly Pick<GeneratedFile, "path" | "content">[],
): readonly string[] {
  const text = files.find(({ path }) => path === JOURNAL)?.content ?? "";
  const entries = readJournal(parsedJson(text))?.entries ?? [];
  return entries.flatMap(({ steps = [] }) => steps).flatMap((step) =>
    step.before ? [step.tag] : []
  );
}

/** Start of each line that marks a loss. */
export const DESTRUCTIVE_MARK = "-- destructive:";

/** Returns one comment line for each loss, without a closing newline. */
export function destructiveMarks(losses: readonly SchemaLoss[]): readonly string[] {
  return losses.map((loss) => `${DESTRUCTIVE_MARK} ${lossText(loss)}`);
}

/**
 * Returns one comment line for a check, without a closing newline. No value in it ends the line, hides text, or splits
 * statements.
 */
function checkMark(check: RowCheck): string {
  const escaped = (text: string) =>
    Array.from(
      { length: text.length },
      (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join("");
  return `${ROW_CHECK_MARK} ${
    JSON.stringify(check).replaceAll(/[>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped)
  }`;
}

function lossText(loss: SchemaLoss): string {
  switch (loss.kind) {
    case "tableDropped":
      return `the table ${quoted(loss.table)} and its rows are gone`;
    case "columnDropped":
      return `the column ${quoted(loss.table)}.${quoted(loss.column)} and its values are gone`;
    case "renameOrDrop":
      return `the column ${quoted(loss.table)}.${quoted(loss.gone)} and its values are gone`;
    case "deletedRowsDropped":
      return `the rows of ${quoted(loss.table)} that ${
        quoted(loss.column)
      } marks as deleted are gone`;
    case "rowsDeleted":
      return `the rows of ${quoted(loss.table)} are gone`;
    case "valuesDropped":
      return `the values of ${quoted(loss.table)}.${
        quoted(loss.column)
      } are gone: its type changes from ${loss.from} to ${loss.to}`;
    case "valuesCut":
      return `the values of ${quoted(loss.table)}.${
        quoted(loss.column)
      } lose what ${loss.to} has no room for`;
  }
}

/** Returns a name as JSON text, which has no line break, so that no name ends the comment. */
function quoted(name: string): string {
  return JSON.stringify(name);
}
