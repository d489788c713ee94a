/** Defines the list of a project's migrations, in the form of drizzle's journal. */
import { z } from "zod";

/** A step that changes rows, in the transaction of its entry. It runs after the entry unless it declares otherwise. */
const stepSchema = z.object({
  /** File name without its ending. */
  tag: z.string().regex(/^\d{4,}_[A-Za-z0-9_-]+$/),
  kind: z.enum(["sql", "ts"]),
  /** Time of the step, after that of its entry and before that of the next entry. */
  when: z.number().int().min(0),
  /** Hash of the file's text. */
  hash: z.string(),
  /** Databases in which it runs, if organizations have their own. Absent: all. */
  home: z.enum(["directory", "tenant"]).exactOptional(),
  /** True when it makes rows fit its entry, and so runs before it. */
  before: z.literal(true).exactOptional(),
});

const entrySchema = z.object({
  idx: z.number().int().min(0),
  version: z.literal("6"),
  when: z.number().int().min(0),
  tag: z.string().regex(/^\d{4,}_[A-Za-z0-9_-]+$/),
  breakpoints: z.boolean(),
  steps: z.array(stepSchema).exactOptional(),
});

const journalSchema = z.object({
  version: z.literal("7"),
  dialect: z.literal("sqlite"),
  entries: z.array(entrySchema),
}).refine(({ entries }) =>
  entries.every((entry, at) => {
    const before = entries[at - 1];
    return entry.idx === at && entry.tag.startsWith(`${migrationNumber(at)}_`) &&
      (before === undefined || before.when < entry.when);
  })
);

export type Journal = z.infer<typeof journalSchema>;
export type JournalStep = z.infer<typeof stepSchema>;
export type JournalEntry = z.infer<typeof entrySchema>;

/** Start of the migrations' times: `when` counts from 2026-01-01T00:00:00Z. A compile uses no clock. */
const FIRST_WHEN = 1_767_225_600_000;
/** Milliseconds between two entries. The steps of an entry have times in between. */
export const WHEN_STEP = 1000;

export const EMPTY_JOURNAL: Journal = { version: "7", dialect: "sqlite", entries: [] };

/** Returns the journal in parsed JSON; null when the JSON is not one. */
export function readJournal(value: unknown): Journal | null {
  return journalSchema.safeParse(value).data ?? null;
}

/** Returns the entry after the last one; `hash` identifies its content. */
export function nextEntry({ entries }: Journal, hash: string): JournalEntry {
  const last = entries.at(-1);
  const idx = entries.length;
  return {
    idx,
    version: "6",
    when: last ? last.when + WHEN_STEP : FIRST_WHEN,
    tag: `${migrationNumber(idx)}_${hash}`,
    breakpoints: true,
  };
}

export function migrationNumber(idx: number): string {
  return String(idx).padStart(4, "0");
}
