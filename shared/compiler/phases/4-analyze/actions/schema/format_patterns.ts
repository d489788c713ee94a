/**
 * Lists the patterns that Zod writes into a JSON Schema beside its formats. They are anchored and linear, but the general
 * analysis cannot prove that of each, or not fast enough (definitions 5).
 */
import { z } from "zod";

const DATE_TIMES = [false, true].flatMap((offset) =>
  [false, true].flatMap((local) =>
    [{}, ...[-1, 0, 3, 6, 9].map((precision) => ({ precision }))].map((precise) =>
      z.iso.datetime({ offset, local, ...precise })
    )
  )
);

const FORMATS: readonly z.ZodType[] = [
  ...DATE_TIMES,
  z.email(),
  z.uuid(),
  z.guid(),
  z.iso.date(),
  z.iso.time(),
  z.iso.duration(),
  z.base64(),
  z.base64url(),
  z.hostname(),
  z.ipv4(),
  z.ipv6(),
  z.nanoid(),
  z.ulid(),
];

const PATTERNS: ReadonlySet<unknown> = new Set(
  FORMATS.map((format) => z.toJSONSchema(format).pattern),
);

export function isFormatPattern(pattern: string): boolean {
  return PATTERNS.has(pattern);
}
