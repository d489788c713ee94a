/** Turns "the schema is now this" into files: new SQL, the journal and the snapshots (definitions 7, "files of an output"). */
import { jsonFile, parsedJson } from "../../lib/json.ts";
import type { SqlTable } from "../../model/sql_table.ts";
import type { GeneratedFile } from "../host.ts";
import { contentHash } from "./content_hash.ts";
import { destructiveMarks } from "./destructive_marks.ts";
import { diffSchema } from "./diff_schema.ts";
import { isForeignJournal, isForeignSnapshot } from "./foreign_state.ts";
import { EMPTY_JOURNAL, type Journal, migrationNumber, nextEntry, readJournal } from "./journal.ts";
import type { SchemaDiff, SchemaHints, SchemaProblem } from "./schema_change.ts";
import { changeSql } from "./schema_sql.ts";
import {
  FIRST_PREVIOUS_ID,
  isAsWritten,
  readSnapshot,
  type Snapshot,
  snapshotOf,
  tablesOf,
} from "./snapshot.ts";

/** Folder of a project's migrations. */
export const MIGRATIONS_FOLDER = "quickback/drizzle/features";
const META = `${MIGRATIONS_FOLDER}/meta/`;
export const JOURNAL = `${META}_journal.json`;
const BREAKPOINT = "--> statement-breakpoint";
const HASH_LENGTH = 8;

export interface MigrationInput {
  readonly tables: readonly SqlTable[];
  readonly hints: SchemaHints;
  /** Migration files of earlier compiles: path → text. */
  readonly state: ReadonlyMap<string, string>;
}

export type MigrationPlan =
  | {
    readonly kind: "planned";
    readonly files: readonly GeneratedFile[];
    /** Tag of the new migration; null when the schema is as it was. */
    readonly tag: string | null;
  }
  | { readonly kind: "refused"; readonly problems: readonly SchemaProblem[] }
  | UnreadableState;

/** State that this compiler did not write, that was edited, or of which a part is missing. */
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
  /** A snapshot says something else than its id was made from. */
  | "edited"
  /** A snapshot that the journal does not list. */
  | "unlisted"
  /** A snapshot that was not made after the one before it, as when two branches were merged. */
  | "outOfLine";

/** A pure function of its input. Existing state is carried byte for byte; only the journal grows. */
export function planMigration({ tables, hints, state }: MigrationInput): MigrationPlan {
  const history = readHistory(state);
  if (history.kind === "unreadable") return history;
  const snapshot = snapshotOf(tables, history.last?.id ?? FIRST_PREVIOUS_ID);
  const diff = diffSchema({
    before: history.last ? tablesOf(history.last) : [],
    after: tablesOf(snapshot),
    hints,
  });
  if (diff.problems.length > 0) return { kind: "refused", problems: diff.problems };
  const kept = keptFiles(state);
  if (diff.changes.length === 0) {
    const files = history.last ? kept : [{ path: JOURNAL, content: jsonFile(EMPTY_JOURNAL) }];
    return { kind: "planned", files, tag: null };
  }
  const sql = migrationSql(diff);
  const entry = nextEntry(history.journal, contentHash(sql).slice(0, HASH_LENGTH));
  const journal: Journal = {
    ...history.journal,
    entries: [...history.journal.entries, entry],
  };
  return {
    kind: "planned",
    tag: entry.tag,
    files: [
      ...kept.filter(({ path }) => path !== JOURNAL && path !== snapshotPath(entry.idx)),
      { path: JOURNAL, content: jsonFile(journal) },
      { path: snapshotPath(entry.idx), content: jsonFile(snapshot) },
      { path: sqlPath(entry.tag), content: sql },
    ],
  };
}

type History =
  | { readonly kind: "known"; readonly journal: Journal; readonly last: Snapshot | null }
  | UnreadableState;

function readHistory(state: ReadonlyMap<string, string>): History {
  const text = state.get(JOURNAL);
  // Snapshots without a journal mean that it was lost: starting over would create every table again.
  if (text === undefined && keptFiles(state).length > 0) return unreadable(JOURNAL, "missing");
  const journal = text === undefined ? EMPTY_JOURNAL : readJournal(parsedJson(text));
  if (!journal) return unreadable(JOURNAL, isForeignJournal(text) ? "foreign" : "malformed");
  const listed = journal.entries.map(({ idx }) => snapshotPath(idx));
  const unlisted = [...state.keys()].find((path) => SNAPSHOT.test(path) && !listed.includes(path));
  if (unlisted !== undefined) return unreadable(unlisted, "unlisted");
  return followSnapshots(listed, { journal, state });
}

const SNAPSHOT = new RegExp(`^${META}\\d+_snapshot\\.json$`);

/** Each was made after the one before it; what the last one says is what databases have. */
function followSnapshots(
  paths: readonly string[],
  { journal, state }: { readonly journal: Journal; readonly state: ReadonlyMap<string, string> },
): History {
  let last: Snapshot | null = null;
  for (const path of paths) {
    const text = state.get(path);
    if (text === undefined) return unreadable(path, "missing");
    const snapshot = readSnapshot(parsedJson(text));
    if (!snapshot) return unreadable(path, isForeignSnapshot(text) ? "foreign" : "malformed");
    if (!isAsWritten(snapshot)) return unreadable(path, "edited");
    if (snapshot.prevId !== (last?.id ?? FIRST_PREVIOUS_ID)) return unreadable(path, "outOfLine");
    last = snapshot;
  }
  return { kind: "known", journal, last };
}

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

export function sqlPath(tag: string): string {
  return `${MIGRATIONS_FOLDER}/${tag}.sql`;
}

/** Null: there is none, or none that can be read. */
export function readJournalIn(state: ReadonlyMap<string, string>): Journal | null {
  return readJournal(parsedJson(state.get(JOURNAL) ?? ""));
}

/** The marks stand above the first statement: runners take them with it. */
function migrationSql({ changes, losses }: SchemaDiff): string {
  const statements = changes.flatMap(changeSql).map((statement) => `${statement};`);
  const marks = destructiveMarks(losses).map((mark) => `${mark}\n`).join("");
  return `${marks}${statements.join(`\n${BREAKPOINT}\n`)}\n`;
}
