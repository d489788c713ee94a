/** Writes findings as lines that GitHub Actions shows at their places in a pull request. */
import { DIAGNOSTICS_LISTED_MAX } from "../../shared/contract/mod.ts";
import { printable } from "../../shared/lib/texts.ts";
import type { Findings } from "../findings.ts";
import { docsLink } from "./docs_link.ts";
import { workspacePath } from "./workspace_path.ts";

/** Writes `::error file=…,line=…,col=…,title=CODE::message`, with the same maximum as for people. */
export function githubAnnotations({ errors, warnings, folder }: Findings): readonly string[] {
  return [...warnings, ...errors.slice(0, DIAGNOSTICS_LISTED_MAX)].map((diagnostic) => {
    const { severity, code, message, place, hint } = diagnostic;
    const properties = {
      file: workspacePath(folder, place.file),
      line: place.line,
      col: place.column,
      endColumn: place.column + place.length,
      title: code,
    };
    const list = Object.entries(properties).map(([name, value]) =>
      `${name}=${inMessage(printable(String(value))).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
    );
    const docs = docsLink(code);
    const text = [hint === null ? message : `${message}. ${hint}`, ...(docs === null ? [] : [docs])]
      .join("\n");
    return `::${severity} ${list.join(",")}::${
      inMessage(text.split("\n").map(printable).join("\n"))
    }`;
  });
}

/** Escapes a message: a line break would begin another command of the runner. */
function inMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
