/** The answer to "why", as a person reads it. */
import { placeText } from "../../../shared/oracle/places.ts";
import type { Why, WhyStep } from "../../../proof/why/why.ts";
import { RUNTIME_CODES } from "../../../shared/contract/codes.ts";
import type { Terminal } from "../../terminal.ts";

interface AskedWhy {
  /** `GET /api/v1/tickets/t1`. */
  readonly request: string;
  /** The caller as it was read, in words. */
  readonly caller: string;
  readonly answer: Why;
}

export function printWhy({ request, caller, answer }: AskedWhy, { out, outColors }: Terminal) {
  out(outColors.bold(`${request} as ${caller}`));
  for (const step of answer.steps) printStep(step, out);
  for (const { rule, place } of answer.open) {
    out(`  ?    row             ${rule}`);
    out(`                       ${placeText(place)}`);
  }
  out("");
  out(verdict(answer));
  for (const { column, type, shown, rule, place } of answer.masks) {
    out(`  ${column} ${SHOWN[shown]} (${type}): ${rule}`);
    out(`    ${placeText(place)}`);
  }
}

const SHOWN = {
  plain: "is plain",
  masked: "is masked",
  byRow: "is plain in the caller's own rows only",
} as const;

function printStep({ layer, passed, rule, place, compared }: WhyStep, out: Terminal["out"]): void {
  out(`  ${passed ? "ok  " : "no  "} ${layer.padEnd(15)} ${rule === "" ? "every row" : rule}`);
  if (place !== null) out(`                       ${placeText(place)}`);
  for (const { condition, actual, wanted, holds } of compared) {
    const values = `${JSON.stringify(actual)} against ${JSON.stringify(wanted)}`;
    out(`                       ${holds ? "holds" : "fails"}: ${condition}: ${values}`);
  }
}

function verdict({ status, code, open, isListed }: Why): string {
  if (code !== null) return `${status} ${code}: ${RUNTIME_CODES[code].title}`;
  if (isListed !== null) return `${status}: the row is ${isListed ? "" : "not "}in the answer`;
  const rows = open.length === 0 ? "" : ", for rows that meet what is marked with ?";
  return `${status}: nothing refuses this${rows}`;
}
