/** Shows an answer of the API: its content, and the layer that refused the request, if one did. */
import { z } from "zod";
import type { ApiAnswer } from "../protocol.ts";
import type { Method } from "./api_document.ts";
import { element } from "./dom.ts";
import { jsonView } from "./json_view.ts";
import { statementsView } from "./statements_view.ts";
import { parsedJson } from "../../shared/lib/json.ts";

/** Layers with the question that each one answers (contract 1.3). */
const LAYERS: readonly (readonly [name: string, question: string])[] = [
  ["authentication", "Who is it?"],
  ["firewall", "Whose row is it?"],
  ["access", "May they do this?"],
  ["guards", "May this field be written?"],
  ["masking", "May they see it?"],
];

/** Maximum number of characters of a body that are shown. */
const SHOWN_MAX = 200_000;

const PROBLEM = z.object({
  layer: z.string(),
  code: z.string(),
  title: z.string().default(""),
  detail: z.string().optional(),
  hint: z.string().optional(),
});

type Problem = z.infer<typeof PROBLEM>;

/** Shows an answer. `masked` contains the places of the members that were masked for the caller. */
export function answerView(
  answer: ApiAnswer,
  { method, masked }: { readonly method: Method; readonly masked: ReadonlySet<string> },
): HTMLElement {
  const value = parsedJson(answer.body);
  const shown = value === undefined ? answer.body : JSON.stringify(value, null, 2);
  const isLong = answer.isCut || shown.length > SHOWN_MAX;
  const problem = answer.status >= 400 ? PROBLEM.safeParse(value).data ?? null : null;
  return element(
    "div",
    { class: "answer" },
    element(
      "p",
      { class: `answer-status ${answer.status < 400 ? "good" : "bad"}` },
      element("strong", {}, String(answer.status)),
      ` ${problem?.code ?? ""}`,
      element("span", { class: "dim" }, `${answer.milliseconds} ms`),
    ),
    layersView({ status: answer.status, method, problem }),
    problem === null ? null : element(
      "div",
      { class: "problem" },
      element(
        "p",
        {},
        element("strong", {}, `Refused by ${problem.layer}`),
        `: ${problem.detail ?? problem.title}`,
      ),
      problem.hint === undefined ? null : element("p", { class: "dim" }, problem.hint),
    ),
    masked.size === 0 ? null : element(
      "p",
      { class: "dim" },
      `${masked.size === 1 ? "1 member is" : `${masked.size} members are`} masked for this caller`,
    ),
    element(
      "pre",
      { class: "answer-body", tabindex: "0", "aria-label": "Body of the answer" },
      ...(value === undefined || isLong
        ? [shown.slice(0, SHOWN_MAX), isLong ? "\n… cut here" : ""]
        : jsonView(value, masked)),
    ),
    statementsView(answer),
    element(
      "details",
      { class: "answer-headers" },
      element("summary", {}, `${answer.headers.length} headers`),
      element(
        "dl",
        {},
        ...answer.headers.flatMap(([name, text]) => [
          element("dt", {}, name),
          element("dd", {}, text),
        ]),
      ),
    ),
  );
}

interface JudgedAnswer {
  readonly status: number;
  readonly method: Method;
  readonly problem: Problem | null;
}

/**
 * Shows how far a request came, as far as that is known. An accepted request passed the layers that its kind of request meets;
 * a refusal comes from the layer that it names. A refusal after authentication proves that authentication accepted the request.
 */
function layersView(judged: JudgedAnswer): HTMLElement {
  const { problem } = judged;
  const names = LAYERS.map(([name]) => name);
  const isOther = problem !== null && !names.includes(problem.layer);
  const items = LAYERS.map(([name, question]) => layerView(name, question, stateOf(name, judged)));
  return element(
    "ol",
    { class: "layers", "aria-label": "Layers" },
    ...items,
    isOther ? layerView(problem.layer, problem.title, "refused") : null,
  );
}

function layerView(
  name: string,
  question: string,
  state: string,
): HTMLElement {
  const word = state === "unknown" ? "" : `: ${state}`;
  return element(
    "li",
    { class: `layer ${state}`, title: question },
    name,
    element("span", { class: "unseen" }, word),
  );
}

function stateOf(name: string, { status, method, problem }: JudgedAnswer): string {
  if (status < 400) {
    // Guards check what is written; masks change what is answered.
    if (name === "guards" && (method === "GET" || method === "DELETE")) return "unknown";
    return name === "masking" && status === 204 ? "unknown" : "passed";
  }
  if (problem === null) return "unknown";
  if (problem.layer === name) return "refused";
  return name === "authentication" && problem.layer !== "rate-limit" ? "passed" : "unknown";
}
