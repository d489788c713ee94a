/** The codes of answers as a page of the documentation: layer, status and title (contract 7.2). */
import { type CodeRow, LAYERS, RUNTIME_CODES, SERVICE_CODES } from "../../shared/contract/codes.ts";
import type { ReferenceSection } from "./reference.ts";

const INTRODUCTION = `# Problems

Every code that an answer can carry. Answers are RFC 9457 Problem Documents (\`application/problem+json\`); their \`type\` ends
in the code in kebab-case, and is a page of the API that answered. What to do about the codes of a layer:
[contract 7.2](reference/http.md#72-codes-by-layer). This page is made from \`shared/contract/codes.ts\`.
`;

/** Markdown, the same for the same tables. `reference`: sections that may speak of a code. */
export function problemsPage(reference: readonly ReferenceSection[]): string {
  const codes: readonly [string, CodeRow][] = Object.entries({
    ...RUNTIME_CODES,
    ...SERVICE_CODES,
  });
  const sections = LAYERS.map((layer) => {
    const rows = codes.filter(([, row]) => row.layer === layer)
      .map(([code, row]) =>
        `| \`${code}\` | ${row.status} | ${row.title} | ${sectionsWith(code, reference)} |`
      );
    const head = ["| Code | Status | Title | See |", "|---|---|---|---|"];
    return [`## ${layer}`, "", ...head, ...rows, ""].join("\n");
  });
  return [INTRODUCTION, ...sections].join("\n");
}

/** Links to what the reference says of a code, elsewhere than in its list of layers. */
function sectionsWith(code: string, reference: readonly ReferenceSection[]): string {
  return reference.filter(({ number, prose }) => number !== "7.2" && prose.includes(`\`${code}\``))
    .map(({ heading, number, link }) => `[${number ?? heading}](${link})`)
    .join(", ");
}
