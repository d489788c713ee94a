/** Reads the default export of a file outside of features (definitions 6), without running it. */
import type { AuthoredExport, AuthoredFile } from "../values.ts";
import type { Report } from "../../diagnostics/report.ts";
import { constructOf } from "./constructs.ts";
import { type Evaluation, type FoundValue, readOnce } from "./evaluation.ts";
import { placeOf } from "./place.ts";
import { exportOf, lookUp } from "./project_scope.ts";
import type { Scope } from "./scope.ts";
import { calleeName, withoutTypes } from "./syntax.ts";

export interface AuthoredReading {
  readonly evaluation: Evaluation;
  readonly report: Report;
  readonly told: Set<string>;
}

export function authoredFileOf(scope: Scope, reading: AuthoredReading): AuthoredFile {
  const { source, known } = scope;
  const exported = known ? exportedBy(scope, reading) : null;
  return { file: source.path, isParsed: known, exported };
}

function exportedBy(scope: Scope, reading: AuthoredReading): AuthoredExport | null {
  const exported = scope.exports.get("default");
  if (exported === undefined) return null;
  const { source } = scope;
  const node = exported.kind === "default" ? exported.value : exported.node;
  const place = placeOf(node, source);
  const found = exportOf(reading.evaluation.project, scope, "default");
  switch (found?.kind) {
    case "value":
      return { ...exportedValue(found, reading), place };
    case "function": {
      const isFunction = found.node.type === "FunctionDeclaration";
      const construct = constructOf(found.node, source);
      return isFunction ? { kind: "function", place } : { kind: "other", construct, place };
    }
    default:
      return { kind: "other", construct: constructOf(node, source), place };
  }
}

type WithoutPlace<Export> = Export extends AuthoredExport ? Omit<Export, "place"> : never;

/** Calls whose arguments the compiler reads; the rest of a service is code. */
const READ: ReadonlySet<string> = new Set([
  "defineWebhookProvider",
  "defineRealtime",
  "defineJob",
  "defineSchedule",
  "defineSeed",
  "defineHooks",
]);

function exportedValue(
  found: FoundValue,
  reading: AuthoredReading,
): WithoutPlace<AuthoredExport> {
  const node = withoutTypes(found.value);
  switch (node.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return { kind: "function" };
    case "ObjectExpression":
      return { kind: "object", value: read(found, reading) };
    case "CallExpression": {
      const callee = libraryName(calleeName(node.callee), found.scope, reading);
      if (callee !== null) {
        const value = READ.has(callee) ? read(found, reading) : null;
        return { kind: "defined", callee, value };
      }
      return { kind: "call", construct: constructOf(node, found.scope.source) };
    }
    default:
      return { kind: "other", construct: constructOf(node, found.scope.source) };
  }
}

/** Returns the library's own name for a callee that was imported from `quickback` under any name, such as `defineService`. */
function libraryName(
  callee: string | null,
  scope: Scope,
  { evaluation: { project } }: AuthoredReading,
): string | null {
  const [root = "", ...members] = callee?.split(".") ?? [];
  const found = scope.declarations.has(root) ? lookUp(project, scope, root) : null;
  if (found?.kind !== "library" || found.module !== "quickback") return null;
  return [...(found.path === "" ? [] : [found.path]), ...members].join(".");
}

function read(found: FoundValue, { evaluation, report, told }: AuthoredReading) {
  const measured = readOnce(evaluation, found, 0);
  if (measured === "reading") throw new Error(`Constant ${found.name} is being read at top level`);
  measured.findings.reportTo(report, told);
  return measured.value;
}
