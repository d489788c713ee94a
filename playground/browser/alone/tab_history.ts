/** Converts the migrations of a compile into the form that the API of a tab takes. */
import { parsedJson } from "../../../shared/lib/json.ts";
import type { TabOutput } from "./sandboxed_api.ts";

const MIGRATIONS = "quickback/drizzle/features/";

/**
 * Returns the migrations in the order of the journal. A project that was opened from a file or link brings the journal of its
 * releases, but not their SQL.
 */
export function historyIn(
  files: Readonly<Record<string, string>>,
): Pick<TabOutput, "migrations" | "snapshots"> {
  const journal: { entries?: readonly JournalEntry[] } = Object(
    parsedJson(files[`${MIGRATIONS}meta/_journal.json`] ?? "{}"),
  );
  const entries = journal.entries ?? [];
  const migrations = entries.flatMap(({ tag, when, steps = [] }) => [
    { tag, when, sql: files[`${MIGRATIONS}${tag}.sql`] ?? "" },
    ...steps.map(({ tag, when, kind, before = false }) => {
      const text = files[`${MIGRATIONS}${tag}.${kind}`] ?? "";
      return {
        tag,
        when,
        sql: text,
        step: { home: null, isCode: kind === "ts", isBefore: before },
      };
    }),
  ]);
  const snapshots = entries.map((_, at) =>
    files[`${MIGRATIONS}meta/${String(at).padStart(4, "0")}_snapshot.json`] ?? ""
  );
  return { migrations, snapshots };
}

interface JournalEntry {
  readonly tag: string;
  readonly when: number;
  readonly steps?: readonly {
    readonly tag: string;
    readonly when: number;
    readonly kind: "sql" | "ts";
    readonly before?: boolean;
  }[];
}
