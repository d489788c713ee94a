/** Checks `{{placeholders}}` in the texts of a project's messages and pages (definitions 6). */
import { nearest } from "../../../../lib/nearest.ts";
import { MAIL_PLACEHOLDER } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";

/** Reports every unknown placeholder. */
export function checkPlaceholders(
  { file, text, known, placeOf }: {
    readonly file: string;
    readonly text: string;
    readonly known: readonly string[];
    readonly placeOf: (index: number, length: number) => Place;
  },
  report: Report,
): void {
  for (const { 0: whole, 1: name = "", index } of text.matchAll(MAIL_PLACEHOLDER)) {
    if (known.includes(name)) continue;
    report.add("EMAIL_PLACEHOLDER_UNKNOWN", placeOf(index, whole.length), {
      file,
      name,
      form: null,
      nearest: nearest(name, known),
      known,
    });
  }
}
