/** Finds the folders in which drizzle-kit keeps the state of databases, and the last snapshot of each. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import { compareText } from "../../shared/lib/texts.ts";
import { DraftError } from "./foreign_schema.ts";

/** Folder in which drizzle-kit keeps the state of one database. */
export interface KitFolder {
  /** Path such as `quickback/drizzle/features`. */
  readonly path: string;
  /** Snapshot of the last migration. */
  readonly snapshot: string;
  /** Every file of the folder. */
  readonly files: readonly string[];
}

const JOURNAL = /^(.*)\/meta\/_journal\.json$/;
const NUMBERED = /^(.*)\/meta\/\d+_snapshot\.json$/;
/** Matches version 7, which has one folder for each migration and no journal. */
const IN_FOLDER = /^(.*)\/[^/]+\/snapshot\.json$/;

const journalSchema = z.object({
  dialect: z.string(),
  entries: z.array(z.object({ idx: z.number().int().min(0) })).min(1),
});

/** Returns the folders with a state among these files. Refuses an incomplete state. */
export function kitFolders(files: Readonly<Record<string, string>>): readonly KitFolder[] {
  const paths = Object.keys(files);
  const found = new Set(
    paths.flatMap((path) =>
      [JOURNAL, NUMBERED, IN_FOLDER].flatMap((form) => form.exec(path)?.[1] ?? [])
    ),
  );
  return [...found].sort(compareText).map((path) => ({
    path,
    snapshot: lastSnapshot(path, files),
    files: paths.filter((file) => file.startsWith(`${path}/`)),
  }));
}

function lastSnapshot(folder: string, files: Readonly<Record<string, string>>): string {
  const journal = `${folder}/meta/_journal.json`;
  const own = Object.keys(files).filter((path) => IN_FOLDER.exec(path)?.[1] === folder);
  // The last snapshot is the one from which no other was made.
  if (own.length > 0 && files[journal] === undefined) {
    const links = own.map((path) => {
      const { data } = linkSchema.safeParse(parsedJson(files[path] ?? ""));
      if (!data) throw new DraftError(`${path} is no snapshot of drizzle-kit that can be read`);
      return { path, ...data };
    });
    const ends = links.filter(({ id }) => !links.some(({ prevIds }) => prevIds.includes(id)));
    const [end, other] = ends;
    if (!end) throw new DraftError(`${own[0]} and those beside it follow each other in a circle`);
    if (other) {
      throw new DraftError(
        `${end.path} and ${other.path} are both the last snapshot: bring the two branches together with drizzle-kit first`,
      );
    }
    return end.path;
  }
  if (files[journal] === undefined) {
    throw new DraftError(`${journal} is missing beside its snapshots: restore it`);
  }
  const { data } = journalSchema.safeParse(parsedJson(files[journal]));
  if (!data) throw new DraftError(`${journal} is no journal of drizzle-kit with a migration`);
  const last = Math.max(...data.entries.map(({ idx }) => idx));
  const path = `${folder}/meta/${String(last).padStart(4, "0")}_snapshot.json`;
  if (files[path] === undefined) {
    throw new DraftError(`${path} is missing, which the journal names: restore it`);
  }
  return path;
}

const linkSchema = z.object({ id: z.string(), prevIds: z.array(z.string()) });
