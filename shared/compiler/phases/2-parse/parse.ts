/** Runs phase 2, which turns every code file into a syntax tree or reports all its syntax errors (contract 4.8). */
import type { Program } from "@babel/types";
import { mapInSteps, type Steps } from "../../../lib/steps.ts";
import { linesOf, positionAt } from "../../diagnostics/lines.ts";
import type { Report } from "../../diagnostics/report.ts";
import { shorten } from "../../diagnostics/wording.ts";
import { isCodePath, type SourceFile } from "../1-read/layout.ts";
import { NESTING_MAX, tooDeep } from "./nesting.ts";
import { type ParseOutcome, parseText, type SyntaxProblem } from "./parse_text.ts";
import { type KnownTrees, SyntaxTrees } from "./syntax_trees.ts";

/** Returns one module per source file, in the same order. Parsing never runs code and never throws. */
export function* parse(
  sources: readonly SourceFile[],
  report: Report,
  trees: KnownTrees = new SyntaxTrees(),
): Steps<readonly Module[]> {
  const run: Run = { report, budget: new MendingBudget() };
  return yield* mapInSteps(sources, (source): Module => {
    if (source.role.kind === "refused") return { source, program: null, broken: true };
    if (!isCodePath(source.path, source.role)) return { source, program: null, broken: false };
    const program = trees.get(source.path, source.text, () => parseFile(source, run));
    return { source, program, broken: program === null };
  });
}

interface Run {
  readonly report: Report;
  readonly budget: MendingBudget;
}

function parseFile(source: SourceFile, { report, budget }: Run): Program | null {
  const { path, text } = source;
  const deep = tooDeep(text);
  if (deep !== null) {
    report.add("FILE_TOO_NESTED", { file: path, ...deep, length: 1 }, { limit: NESTING_MAX });
    return null;
  }
  const outcome = parseText(path, text, "stop");
  if (outcome.kind === "overflow") {
    report.add("FILE_UNPARSABLE", { file: path, line: 1, column: 1, length: 1 }, {});
    return null;
  }
  if (outcome.kind === "parsed") return outcome.program;
  for (const problem of syntaxProblems({ path, text, budget }, outcome.problem)) {
    const { line, column, index } = problem;
    const word = /^[A-Za-z0-9_$]+/.exec(text.slice(index, index + 100));
    report.add("SYNTAX_ERROR", { file: path, line, column, length: word?.[0].length ?? 1 }, {
      problem: shorten(problem.message, 160),
    });
  }
  return null;
}

/** A source file with its syntax tree, phase 2's result. */
export interface Module {
  readonly source: SourceFile;
  /** Syntax tree; null for files that are not code, and for code with syntax errors, which were reported. */
  readonly program: Program | null;
  /** True for code that could not be parsed. Its declarations are unknown, not missing. */
  readonly broken: boolean;
}

/**
 * Limits the characters that may be parsed again in one compile. Recovering from an error takes the parser some 40 µs, so a
 * text full of errors would occupy it for long.
 */
class MendingBudget {
  #characters = 600_000;

  spend(characters: number): boolean {
    this.#characters -= characters;
    return this.#characters >= 0;
  }
}

interface Mended {
  readonly text: string;
  readonly outcome: ParseOutcome;
  /** True for a repair that removed no half of a bracket pair, so that later errors are real. */
  readonly balanced: boolean;
}

interface Subject {
  readonly path: string;
  readonly text: string;
  readonly budget: MendingBudget;
}

/**
 * Finds the syntax errors, sorted by offset. `first` is where the parser stopped. Each error is repaired just enough to
 * continue with the same offsets; the result is not used otherwise. Without budget only `first` is reported.
 */
function syntaxProblems(subject: Subject, first: SyntaxProblem): readonly SyntaxProblem[] {
  if (!subject.budget.spend(subject.text.length)) return [pointBack(subject.text, first)];
  const outcome = parseText(subject.path, subject.text, "stepOver");
  const found: SyntaxProblem[] = [];
  let [current, trusted] = [{ text: subject.text, outcome, balanced: true }, 1];
  while (current.outcome.kind === "stopped") {
    found.push(current.outcome.problem);
    if (current.balanced && trusted === found.length - 1) trusted = found.length;
    const mended = mend({ ...subject, text: current.text }, current.outcome.problem);
    if (mended === null) return found.slice(0, trusted).map((p) => pointBack(subject.text, p));
    current = mended;
  }
  const steppedOver = current.outcome.kind === "parsed" ? current.outcome.problems : [];
  const own = steppedOver.filter((problem) => found.length === 0 || !problem.dependsOnOthers);
  return [...found.map((problem) => pointBack(subject.text, problem)), ...own]
    .sort((a, b) => a.index - b.index);
}

/** Returns the smallest repair that lets the parser get past the problem's line; null when none does. */
function mend(subject: Subject, problem: SyntaxProblem): Mended | null {
  let best: Mended | null = null;
  for (const text of repairs(subject.text, problem)) {
    if (!subject.budget.spend(text.length)) return null;
    const outcome = parseText(subject.path, text, "stepOver");
    const mended = { text, outcome, balanced: netBrackets(text) === netBrackets(subject.text) };
    if (outcome.kind === "parsed") return mended;
    if (outcome.kind === "stopped" && outcome.problem.line > problem.line) {
      if (reach(mended) > reach(best)) best = mended;
    }
  }
  return best;
}

/** Returns repaired texts of the same length: with a comma inserted, without the token, without the line. */
function repairs(text: string, { index }: SyntaxProblem): readonly string[] {
  const token = /^(?:[A-Za-z0-9_$]+|[^\s])/.exec(text.slice(index, index + 200))?.[0] ?? "";
  const lineStart = text.lastIndexOf("\n", index - 1) + 1;
  const nextBreak = text.indexOf("\n", index);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  const withComma = /[ \t]/.test(text[index - 1] ?? "")
    ? [text.slice(0, index - 1) + "," + text.slice(index)]
    : [];
  return [
    ...withComma,
    blank(text, index, index + token.length),
    blank(text, lineStart, lineEnd),
  ];
}

/** Replaces characters by spaces. Line ends stay, so that every later place stays. */
function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, " ") +
    text.slice(end);
}

function reach(mended: Mended | null): number {
  return mended?.outcome.kind === "stopped" ? mended.outcome.problem.index : -1;
}

function netBrackets(text: string): number {
  let net = 0;
  for (const character of text) {
    if ("([{".includes(character)) net++;
    else if (")]}".includes(character)) net--;
  }
  return net;
}

/** Moves a missing token to the end of the line before, where the author omitted it. */
function pointBack(text: string, problem: SyntaxProblem): SyntaxProblem {
  const expected = /^Unexpected token, expected "(.+)"$/.exec(problem.message)?.[1];
  if (expected === undefined) return problem;
  const message = `Expected ${JSON.stringify(expected)}`;
  const before = text.slice(0, problem.index).trimEnd();
  const lastLine = linesOf(before).at(-1) ?? "";
  const isSameLine = linesOf(text.slice(before.length, problem.index)).length === 1;
  if (isSameLine || before === "" || lastLine.includes("//") || before.endsWith("*/")) {
    return { ...problem, message };
  }
  const index = before.length - 1;
  return { ...problem, message, index, ...positionAt(text, index) };
}
