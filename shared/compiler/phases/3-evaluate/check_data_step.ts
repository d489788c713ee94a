/** Checks a data step in TypeScript, a function that may use only its database (definitions 1, `migrations/`). */
import type { Node } from "@babel/types";
import type { Report } from "../../diagnostics/report.ts";
import type { Module } from "../2-parse/parse.ts";
import type { Evaluation } from "./evaluation.ts";
import { placeOf } from "./place.ts";
import { withoutTypes } from "./syntax.ts";
import { nodesBelow } from "./walk.ts";

/** Global names with which code leaves its transaction, or hides that it does. */
const OUTSIDE: ReadonlySet<string> = new Set(
  ("fetch XMLHttpRequest WebSocket WebSocketStream EventSource BroadcastChannel Worker caches localStorage sessionStorage " +
    "navigator Deno Bun process require globalThis self window global eval Function setTimeout setInterval " +
    "setImmediate queueMicrotask").split(" "),
);

/**
 * Reports, in steps only, imports other than drizzle, names that give access to anything outside, and a default export that is
 * no function.
 */
export function checkDataStep(
  { source, program }: Module,
  { evaluation: { project }, report }: {
    readonly evaluation: Evaluation;
    readonly report: Report;
  },
): void {
  const scope = project.scopes.get(source.path);
  if (source.role.kind !== "dataStep" || program === null || scope === undefined) return;
  const refuse = (node: Node, construct: string) =>
    report.add("DATA_STEP_CODE", placeOf(node, source), { construct });
  const nodes = program.body.flatMap(nodesBelow);
  // A member or a key is not a use of the global with its name.
  const names = new Set(nodes.flatMap((node): Node[] => {
    if (node.type === "MemberExpression" && !node.computed) return [node.property];
    const isKeyed = node.type === "ObjectProperty" || node.type === "ObjectMethod" ||
      node.type === "TSPropertySignature";
    return isKeyed && !node.computed && !("shorthand" in node && node.shorthand) ? [node.key] : [];
  }));
  for (const node of nodes) {
    if (node.type === "ImportExpression" || node.type === "MetaProperty") {
      refuse(node, node.type === "MetaProperty" ? "import.meta" : "import()");
    } else if (
      node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration" ||
      node.type === "ExportNamedDeclaration"
    ) {
      const specifier = node.source?.value ?? "drizzle-orm";
      if (!/^drizzle-orm(?:\/|$)/.test(specifier)) refuse(node, `an import of "${specifier}"`);
    } else if (
      node.type === "Identifier" && OUTSIDE.has(node.name) && !names.has(node) &&
      !scope.declarations.has(node.name)
    ) {
      refuse(node, node.name);
    }
  }
  const exported = scope.exports.get("default");
  const isFunction = exported?.kind === "defaultFunction" ||
    (exported?.kind === "default" &&
      /^(?:Arrow)?FunctionExpression$/.test(withoutTypes(exported.value).type));
  if (!isFunction) {
    const place = { file: source.path, line: 1, column: 1, length: 1 };
    report.add("DATA_STEP_EXPORT", place, { file: source.path });
  }
}
