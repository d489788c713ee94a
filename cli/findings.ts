/** Findings of a compile, with the data that is needed to show them. */
import { codeFrame } from "../shared/compiler/diagnostics/code_frame.ts";
import type { RawFiles } from "../shared/compiler/host.ts";
import type { Diagnostic } from "../shared/compiler/mod.ts";
import type { Colors } from "./terminal.ts";
import { DIAGNOSTICS_LISTED_MAX } from "../shared/contract/mod.ts";
import { counted } from "../shared/lib/texts.ts";

/** Diagnostics, with the texts in which they are shown. */
export interface Findings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** Project's files by path. */
  readonly sources: RawFiles;
  /** Project's folder, as the user wrote it. */
  readonly folder: string;
}

/** Writes every warning, then every error up to the listed maximum, then the count. */
export function findingsText(findings: Findings, colors: Colors): string {
  const { errors, warnings } = findings;
  const listed = errors.slice(0, DIAGNOSTICS_LISTED_MAX);
  const frames = [...warnings, ...listed].map((diagnostic) =>
    codeFrame(
      diagnostic,
      Object.hasOwn(findings.sources, diagnostic.place.file)
        ? findings.sources[diagnostic.place.file] ?? null
        : null,
      {
        error: (text) => colors.bold(colors.red(text)),
        warning: (text) => colors.bold(colors.yellow(text)),
        strong: colors.bold,
        faint: colors.dim,
      },
    ) + "\n"
  );
  return [...frames, countText(findings, colors)].join("\n");
}

/** Writes the number of errors and warnings in one line. */
export function countText({ errors, warnings }: Findings, colors: Colors): string {
  const rest = errors.length > DIAGNOSTICS_LISTED_MAX
    ? `; the first ${DIAGNOSTICS_LISTED_MAX} are listed`
    : "";
  const counts = `${counted(errors.length, "error")}, ${counted(warnings.length, "warning")}`;
  if (errors.length > 0) return colors.red(counts + rest);
  return warnings.length > 0 ? colors.yellow(counts) : colors.green(counts);
}
