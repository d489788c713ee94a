/** Output of a command in one of its forms: text for people, or one document for programs. */
import { countText, type Findings, findingsText } from "./findings.ts";
import type { ExitCode } from "./exit_codes.ts";
import { githubAnnotations } from "./formats/github.ts";
import { diagnosticsOf } from "./formats/json.ts";
import { sarifLog } from "./formats/sarif.ts";
import type { Terminal } from "./terminal.ts";

export const FORMATS = ["text", "json", "sarif", "github"] as const;
export type Format = typeof FORMATS[number];

/** Receives everything that a command writes. */
export interface Output extends Terminal {
  /** Words that the user typed before the command: `npx quickback`. */
  readonly program: string;
  readonly format: Format;
  /** Prints mistakes in definitions in the requested form. */
  findings(findings: Findings): void;
  /** Sets members of the JSON document; people read `out`. */
  result(members: Readonly<Record<string, unknown>>): void;
  /** Prints one of many JSON texts instead of the document, for a command that follows a stream; people read `out`. */
  each(entry: Readonly<Record<string, unknown>>): void;
  /** Prints the document now, for a command that continues to run; later members are discarded. */
  end(code: ExitCode, failure?: string): void;
}

export class CommandOutput implements Output {
  readonly program: string;
  readonly format: Format;
  readonly outColors;
  readonly errColors;
  readonly err;
  readonly progress;
  /** Prints for people; prints nothing if standard output is one document. */
  readonly out: Terminal["out"];
  readonly #out: Terminal["out"];
  readonly #found: Findings[] = [];
  #members: Readonly<Record<string, unknown>> = {};
  #hasEnded = false;

  constructor(terminal: Terminal, program: string, format: Format) {
    this.program = program;
    this.format = format;
    this.outColors = terminal.outColors;
    this.errColors = terminal.errColors;
    this.err = terminal.err;
    this.progress = terminal.progress;
    this.#out = terminal.out;
    this.out = format === "json" || format === "sarif" ? () => {} : terminal.out;
  }

  findings(findings: Findings): void {
    this.#found.push(findings);
    if (this.format === "text") return this.err(findingsText(findings, this.errColors));
    this.err(countText(findings, this.errColors));
    if (this.format === "github") githubAnnotations(findings).forEach(this.#out);
  }

  result(members: Readonly<Record<string, unknown>>): void {
    this.#members = { ...this.#members, ...members };
  }

  each(entry: Readonly<Record<string, unknown>>): void {
    this.#hasEnded = true;
    if (this.format === "json") this.#out(JSON.stringify(entry));
  }

  end(code: ExitCode, failure?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.format === "json") this.#out(JSON.stringify(this.#document(code, failure), null, 2));
    if (this.format === "sarif") {
      this.#out(JSON.stringify(sarifLog(this.#found, failure ?? null), null, 2));
    }
  }

  #document(code: ExitCode, failure: string | undefined) {
    return {
      ok: code === 0,
      diagnostics: this.#found.flatMap(diagnosticsOf),
      ...(failure === undefined ? {} : { error: { exitCode: code, message: failure } }),
      ...this.#members,
    };
  }
}
