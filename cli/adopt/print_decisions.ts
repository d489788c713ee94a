/** Writes `DECIDE.md`: the decisions for a person, and the outcome of each clause of the source. */
import type { Draft } from "./draft.ts";
import { CLAUSE_KINDS, type ClauseKind, type Entry, OUTCOMES } from "./ledger.ts";

export function printDecisions({ decisions, ledger }: Draft): string {
  const entries = ledger.entries();
  return [
    "# What to decide",
    "",
    ...decisions.map(({ text, places }) =>
      `- [ ] ${oneLine(places.length === 0 ? text : `${text}: ${listed(places)}`)}`
    ),
    "",
    "# What became of each clause",
    "",
    `- ${countsText("all clauses", entries)}`,
    ...kindsOf(entries).flatMap((kind) => kindLines(kind, entries)),
    "",
  ].join("\n");
}

function kindsOf(entries: readonly Entry[]): readonly ClauseKind[] {
  const found = new Set(entries.map(({ kind }) => kind));
  return [...found].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
}

const ORDER = Object.keys(CLAUSE_KINDS);

/** Writes one line for each kind of clause, and one below it for each clause that was changed or left out. */
function kindLines(kind: ClauseKind, all: readonly Entry[]): readonly string[] {
  const entries = all.filter((entry) => entry.kind === kind);
  const told = Map.groupBy(
    entries.filter(({ outcome }) => outcome !== "carried"),
    ({ outcome, reason }) => `${outcome}: ${reason}`,
  );
  return [
    `- ${countsText(CLAUSE_KINDS[kind], entries)}`,
    ...[...told].map(([text, same]) =>
      `  - ${oneLine(`${same.length} ${text}: ${listed(same.map(({ place }) => place))}`)}`
    ),
  ];
}

/** Writes counts such as `columns: 12 = 10 carried + 1 changed + 1 left out`. */
function countsText(name: string, entries: readonly Entry[]): string {
  const counts = OUTCOMES.map((outcome) =>
    `${entries.filter((entry) => entry.outcome === outcome).length} ${outcome}`
  );
  return `${name}: ${entries.length} = ${counts.join(" + ")}`;
}

function listed(places: readonly string[]): string {
  return [...new Set(places)].map((place) => `\`${place.replaceAll("`", "'")}\``).join(", ");
}

/** Puts a foreign name on one line, because it could contain line breaks. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ");
}
