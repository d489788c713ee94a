/** Phase 2: every code file becomes a syntax tree, or all its syntax errors are reported (contract 4.8). */
import type { Program } from "@babel/types";
import { mapInSteps, type Steps } from "../../../lib/steps.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { shorten } from "../../diagnostics/quote.ts";
import { isCodePath } from "../1-read/layout.ts";
import type { SourceFile } from "../1-read/source_file.ts";
import type { Module } from "./module.ts";
import { NESTING_MAX, tooDeep } from "./nesting.ts";
import { parseText, type SyntaxProblem } from "./parse_text.ts";
import { MendingBudget, syntaxProblems } from "./syntax_problems.ts";
import { type KnownTrees, SyntaxTrees } from "./syntax_trees.ts";

/** One module per source file, in the same order. Parsing never runs anything and never throws. */
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
  const outcome = parseText(path, text, { mistakes: "stop" });
  if (outcome.kind === "overflow") {
    report.add("FILE_UNPARSABLE", { file: path, line: 1, column: 1, length: 1 }, {});
    return null;
  }
  if (outcome.kind === "parsed") return outcome.program;
  for (const problem of syntaxProblems({ path, text, budget }, outcome.problem)) {
    report.add("SYNTAX_ERROR", placeOf(source, problem), {
      problem: shorten(problem.message, 160),
    });
  }
  return null;
}

function placeOf({ path, text }: SourceFile, { line, column, index }: SyntaxProblem): Place {
  const word = /^[A-Za-z0-9_$]+/.exec(text.slice(index, index + 100));
  return { file: path, line, column, length: word?.[0].length ?? 1 };
}
