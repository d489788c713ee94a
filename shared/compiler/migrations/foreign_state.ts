/** Recognizes migration state of another tool, as opposed to damaged state of this compiler (definitions 1). */
import { z } from "zod";
import { parsedJson } from "../../lib/json.ts";
import { isContentUuid } from "./content_hash.ts";

/** The forms that drizzle-kit has given its files, whatever their version and dialect. */
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

/** Names of this compiler's migrations end in a hash of their content; `drizzle-kit` draws two words, or takes the author's. */
const TAG = /^\d{4,}_[A-Za-z0-9_-]+$/;
const OWN_TAG = /^\d{4,}_[0-9a-f]{8}$/;

/** True for a journal of another tool. */
export function isForeignJournal(text: string | undefined): boolean {
  const { data } = journalSchema.safeParse(parsedJson(text ?? ""));
  return data !== undefined && data.entries.some(({ tag }) => TAG.test(tag) && !OWN_TAG.test(tag));
}

/** True for a snapshot of another tool. */
export function isForeignSnapshot(text: string): boolean {
  const { data } = snapshotSchema.safeParse(parsedJson(text));
  return data !== undefined && !isContentUuid(data.id);
}
