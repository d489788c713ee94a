/** The catalogue as a page of the documentation: every code, what it means and the way out. */
import { CATALOGUE, type DiagnosticCode } from "./catalogue/mod.ts";
import type { Severity } from "./diagnostic.ts";

interface PageRow {
  readonly code: string;
  readonly severity: Severity;
  readonly section: string;
  readonly title: string;
}

const INTRODUCTION = `# Diagnostics

Every mistake that the compiler finds in a project's definitions, by its code. Each is told with file, line, column, the
offending text and, where there is one, a way out. An error stops the compile, a warning does not. This page is made from
the catalogue in \`shared/compiler/diagnostics/catalogue\`.
`;

/** Markdown, the same for the same catalogue. */
export function cataloguePage(): string {
  const rows = Object.keys(CATALOGUE).filter(isCode).sort().map(pageRow);
  const sections = (["error", "warning"] as const).map((severity) =>
    section(severity, rows.filter((row) => row.severity === severity))
  );
  return [INTRODUCTION, ...sections].join("\n");
}

function isCode(name: string): name is DiagnosticCode {
  return Object.hasOwn(CATALOGUE, name);
}

function pageRow(code: DiagnosticCode): PageRow {
  const { severity, section, title } = CATALOGUE[code];
  return { code, severity, section, title };
}

function section(severity: Severity, rows: readonly PageRow[]): string {
  const heading = severity === "error" ? "Errors" : "Warnings";
  const lines = rows.map((row) => `| \`${row.code}\` | ${cell(row.title)} | ${row.section} |`);
  return [`## ${heading}`, "", "| Code | Meaning | Section |", "|---|---|---|", ...lines, ""].join(
    "\n",
  );
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
