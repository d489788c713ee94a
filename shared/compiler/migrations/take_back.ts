/** Takes back migrations that no database has yet: a change of the definitions that was undone before it was applied leaves none. */
import { jsonFile } from "../../lib/json.ts";
import type { GeneratedFile } from "../host.ts";
import type { JournalEntry } from "./journal.ts";
import { JOURNAL, readJournalIn, snapshotPath, sqlPath } from "./plan_migration.ts";

export interface TakenBack {
  /** Paths of what goes. */
  readonly removed: readonly string[];
  /** The shortened journal; null where it is removed as a whole, or stays as it is. */
  readonly journal: GeneratedFile | null;
}

const NOTHING: TakenBack = { removed: [], journal: null };

/** `isApplied` takes an entry's `when`. State that cannot be read is left to the compile, which says so. */
export function takeBack(
  state: ReadonlyMap<string, string>,
  isApplied: (when: number) => boolean,
): TakenBack {
  const journal = readJournalIn(state);
  if (journal === null) return NOTHING;
  const first = journal.entries.findIndex(({ when }) => !isApplied(when));
  if (first < 0) return NOTHING;
  const removed = journal.entries.slice(first).flatMap(filesOf);
  if (first === 0) return { removed: [...removed, JOURNAL], journal: null };
  const kept = { ...journal, entries: journal.entries.slice(0, first) };
  return { removed, journal: { path: JOURNAL, content: jsonFile(kept) } };
}

function filesOf({ idx, tag }: JournalEntry): readonly string[] {
  return [sqlPath(tag), snapshotPath(idx)];
}
