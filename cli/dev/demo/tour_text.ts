/** The tour as text: each step is asked once, so that the answer printed is the one that the API gave. */
import { RUNTIME_CODES } from "../../../shared/contract/codes.ts";
import type { Colors } from "../../terminal.ts";
import { type Answer, type ApiClient, member, textAt } from "./api_client.ts";
import { curlLine } from "./curl.ts";
import { exportLine } from "./shell_variable.ts";
import type { TourStep } from "./tour.ts";

interface TourTextOptions {
  readonly api: ApiClient;
  /** Without a trailing slash. */
  readonly origin: string;
  readonly colors: Colors;
}

/** The lines that set the visitors' variables, then two lines a step: what happens, and the command that makes it happen. */
export async function tourText(
  steps: readonly TourStep[],
  options: TourTextOptions,
): Promise<readonly string[]> {
  const visitors = new Set(steps.flatMap(({ visitor }) => visitor ?? []));
  const lines = ["", ...[...visitors].map(exportLine)];
  for (const step of steps) {
    const answer = await options.api(step.request);
    lines.push(
      "",
      `  ${options.colors.bold(step.layer)}: ${step.title} → ${answerText(step, answer)}`,
      curlLine(step, options.origin),
    );
  }
  return lines;
}

function answerText(step: TourStep, answer: Answer): string {
  const code = textAt(answer.json, "code");
  if (code !== null && Object.hasOwn(RUNTIME_CODES, code)) return `${answer.status} ${code}`;
  const shown = step.shows.flatMap((name) => {
    const value = member(answer.json, name);
    return value === undefined || value === null ? [] : [`${name} ${JSON.stringify(value)}`];
  });
  return [answer.status, ...shown].join(" ");
}
