/** The codes of answers as a page of the documentation: layer, status and title (contract 7.2). */
import { type CodeRow, LAYERS, RUNTIME_CODES, SERVICE_CODES } from "../../shared/contract/codes.ts";

const INTRODUCTION = `# Problems

Every code that an answer can carry. Answers are RFC 9457 Problem Documents (\`application/problem+json\`); their \`type\` ends
in the code in kebab-case. This page is made from \`shared/contract/codes.ts\`.
`;

/** Markdown, the same for the same tables. */
export function problemsPage(): string {
  const codes: readonly [string, CodeRow][] = Object.entries({
    ...RUNTIME_CODES,
    ...SERVICE_CODES,
  });
  const sections = LAYERS.map((layer) => {
    const rows = codes.filter(([, row]) => row.layer === layer)
      .map(([code, row]) => `| \`${code}\` | ${row.status} | ${row.title} |`);
    return [`## ${layer}`, "", "| Code | Status | Title |", "|---|---|---|", ...rows, ""].join(
      "\n",
    );
  });
  return [INTRODUCTION, ...sections].join("\n");
}
