/** Writes findings as members of the JSON document. */
import type { Findings } from "../findings.ts";
import { docsLink } from "./docs_link.ts";

/** Returns the diagnostics, warnings first as for people; paths start at the project folder. */
export function diagnosticsOf({ errors, warnings }: Findings) {
  return [...warnings, ...errors].map(({ severity, code, message, place, hint }) => {
    const docs = docsLink(code);
    return {
      severity,
      code,
      message,
      file: place.file,
      line: place.line,
      column: place.column,
      ...(hint === null ? {} : { hint }),
      ...(docs === null ? {} : { docs }),
    };
  });
}
