/** Report of a compile for people: warnings and errors at their places, then one line that counts (definitions 8). */
import { DIAGNOSTICS_LISTED_MAX } from "../shared/contract/limits.ts";
import { codeFrame, type FrameStyle } from "../shared/compiler/diagnostics/code_frame.ts";
import type { Diagnostic } from "../shared/compiler/diagnostics/diagnostic.ts";
import type { RawFiles } from "../shared/compiler/host.ts";
import type { ExitCode } from "./command.ts";
import type { FolderOutcome } from "./compile_folder.ts";
import type { WriteSummary } from "./output_folder.ts";
import { shellWord } from "./shell_word.ts";
import type { Colors, Terminal } from "./terminal.ts";

/** Diagnostics, with the texts to show them in. */
export interface Findings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** The project's files by path. */
  readonly sources: RawFiles;
}

/** Prints the outcome of `compile` and says how it ends. */
export function reportCompile(
  result: FolderOutcome,
  { terminal, out }: { readonly terminal: Terminal; readonly out: string },
): ExitCode {
  const code = reportValidation(result.findings, terminal);
  if (result.kind === "failed") return code;
  const { left } = result.summary;
  for (const path of left) {
    terminal.err(
      `${terminal.errColors.yellow("left")} ${path} is no longer generated, but was edited by hand`,
    );
  }
  terminal.out(`${summaryText(result.summary)} in ${out}`);
  terminal.out(`Next: cd ${shellWord(out)} && deno task start`);
  return 0;
}

/** Prints the findings of `validate` and says how it ends. */
export function reportValidation(findings: Findings, terminal: Terminal): ExitCode {
  terminal.err(findingsText(findings, terminal.errColors));
  return findings.errors.length === 0 ? 0 : 1;
}

/** Every warning, then every error up to the listed number, then the count. */
export function findingsText(findings: Findings, colors: Colors): string {
  const { errors, warnings } = findings;
  const listed = errors.slice(0, DIAGNOSTICS_LISTED_MAX);
  const frames = [...warnings, ...listed].map((diagnostic) =>
    codeFrame(diagnostic, sourceOf(diagnostic, findings.sources), styleOf(colors)) + "\n"
  );
  return [...frames, countLine(errors.length, { warnings: warnings.length, colors })].join("\n");
}

function countLine(
  errors: number,
  { warnings, colors }: { readonly warnings: number; readonly colors: Colors },
): string {
  const rest = errors > DIAGNOSTICS_LISTED_MAX
    ? `; the first ${DIAGNOSTICS_LISTED_MAX} are listed`
    : "";
  const text = `${counted(errors, "error")}, ${counted(warnings, "warning")}${rest}`;
  return errors > 0 ? colors.red(text) : warnings > 0 ? colors.yellow(text) : colors.green(text);
}

function summaryText({ written, unchanged, removed }: WriteSummary): string {
  const parts = [
    `${counted(written.length, "file")} written`,
    `${unchanged} unchanged`,
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return parts.join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sourceOf({ place }: Diagnostic, sources: RawFiles): string | null {
  return Object.hasOwn(sources, place.file) ? sources[place.file] ?? null : null;
}

function styleOf(colors: Colors): FrameStyle {
  return {
    error: (text) => colors.bold(colors.red(text)),
    warning: (text) => colors.bold(colors.yellow(text)),
    strong: colors.bold,
    faint: colors.dim,
  };
}
