/** Writes findings as a SARIF 2.1.0 log, which code scanners and editors read. */
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import type { Findings } from "../findings.ts";
import { VERSION } from "../version.ts";
import { docsLink } from "./docs_link.ts";
import { workspacePath } from "./workspace_path.ts";

/** Writes the log. `failure`: reason why the command could not check anything; null: it could. */
export function sarifLog(found: readonly Findings[], failure: string | null) {
  const results = found.flatMap(({ errors, warnings, folder }) =>
    [...warnings, ...errors].map((diagnostic) => resultOf(diagnostic, folder))
  );
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort().map((id) => {
    const helpUri = docsLink(id);
    return { id, ...(helpUri === null ? {} : { helpUri }) };
  });
  const notification = { level: "error", message: { text: failure } };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "quickback", version: VERSION, rules } },
      columnKind: "utf16CodeUnits",
      invocations: [{
        executionSuccessful: failure === null,
        ...(failure === null ? {} : { toolExecutionNotifications: [notification] }),
      }],
      results,
    }],
  };
}

function resultOf({ severity, code, message, place, hint }: Diagnostic, folder: string) {
  const { file, line, column, length } = place;
  return {
    ruleId: code,
    level: severity,
    message: { text: hint === null ? message : `${message}. ${hint}` },
    locations: [{
      physicalLocation: {
        artifactLocation: { uri: encodeURI(workspacePath(folder, file)) },
        region: { startLine: line, startColumn: column, endColumn: column + length },
      },
    }],
  };
}
