/** Writes the catalogue as a page of the documentation, with the meaning and the solution of every code. */
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
offending text and, where there is one, a way out. An error stops the compile, a warning does not. What \`--json\` and
\`--format\` print has a link to its line here (\`diagnostics.md#ROLE_UNKNOWN\`). This page is made from the
catalogue in \`shared/compiler/diagnostics/catalogue\`.
`;

/** Makes the Markdown page, which depends only on the catalogue. `links` are the places of the reference's sections. */
export function cataloguePage(links: ReadonlyMap<string, string>): string {
  const rows = Object.keys(CATALOGUE).filter((name: string): name is DiagnosticCode =>
    Object.hasOwn(CATALOGUE, name)
  ).sort().map((code): PageRow => {
    const { severity, section, title } = CATALOGUE[code];
    return { code, severity, section, title };
  });
  const sections = (["error", "warning"] as const).map((severity) =>
    section(severity, rows.filter((row) => row.severity === severity), links)
  );
  // Link definitions follow the rows, so that rows stay short enough to be read.
  const cited = [...new Set(rows.map((row) => row.section))].sort();
  const lines = cited.flatMap((section) => {
    const link = links.get(section);
    return link === undefined ? [] : [`[${section}]: ${link}`];
  });
  const definitions = lines.length === 0 ? [] : [...lines, ""];
  return [INTRODUCTION, ...sections, ...definitions].join("\n");
}

function section(
  severity: Severity,
  rows: readonly PageRow[],
  links: ReadonlyMap<string, string>,
): string {
  const heading = severity === "error" ? "Errors" : "Warnings";
  const lines = rows.map(({ code, title, section }) =>
    `| <a id="${code}"></a>\`${code}\` | ${title.replaceAll("|", "\\|").replaceAll("\n", " ")} | ${
      links.has(section) ? `[${section}]` : section
    } |`
  );
  return [`## ${heading}`, "", "| Code | Meaning | Section |", "|---|---|---|", ...lines, ""].join(
    "\n",
  );
}
