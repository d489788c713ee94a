/** Runs the parser once over one text and returns its outcome as a value. */
import { parse } from "@babel/parser";
import type { Program } from "@babel/types";

export interface SyntaxProblem {
  readonly message: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Offset in the text. */
  readonly index: number;
  /** True for an error that another one may cause, such as an export of a name from a broken statement. */
  readonly dependsOnOthers: boolean;
}

export type ParseOutcome =
  /** The parser reached the end; `problems` are the errors that it could skip. */
  | {
    readonly kind: "parsed";
    readonly program: Program;
    readonly problems: readonly SyntaxProblem[];
  }
  /** The parser stopped at `problem`. */
  | { readonly kind: "stopped"; readonly problem: SyntaxProblem }
  /** The parser's own recursion ran out of stack. */
  | { readonly kind: "overflow" };

/**
 * Matches nested labels, which only an attack contains: the parser compares each with all around it. Repetitions are bounded,
 * so that no text keeps the search busy.
 */
const MANY_LABELS = /(?<![\w$])(?:[\w$]{1,64}\s{0,8}:\s{0,8}){100}/;

/** Parses a text. It stops at the first mistake, or skips mistakes that permit it. It never throws for any text. */
export function parseText(
  path: string,
  text: string,
  mistakes: "stop" | "stepOver",
): ParseOutcome {
  if (MANY_LABELS.test(text)) return { kind: "overflow" };
  try {
    const { program, errors } = parse(text, {
      sourceType: "module",
      errorRecovery: mistakes === "stepOver",
      attachComment: false,
      plugins: /\.[jt]sx$/.test(path)
        ? ["typescript", "decorators", "jsx"]
        : ["typescript", "decorators"],
    });
    return { kind: "parsed", program, problems: (errors ?? []).map(problemOf) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "overflow" };
    if (isParserError(error)) return { kind: "stopped", problem: problemOf(error) };
    throw error;
  }
}

interface ParserError {
  readonly message: string;
  readonly loc: { readonly line: number; readonly column: number; readonly index: number };
  readonly reasonCode: string;
}

function isParserError(error: unknown): error is SyntaxError & ParserError {
  return error instanceof SyntaxError && "loc" in error && typeof error.loc === "object" &&
    error.loc !== null && "reasonCode" in error;
}

function problemOf({ message, loc, reasonCode }: ParserError): SyntaxProblem {
  return {
    message: message.replace(/ \(\d+:\d+\)$/, "").replace(/\.$/, ""),
    line: loc.line,
    column: loc.column + 1,
    index: loc.index,
    dependsOnOthers: reasonCode === "ModuleExportUndefined",
  };
}
