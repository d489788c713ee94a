/**
 * Finds every `onWebhookEvent(…)` of a file (definitions 6). A call at the top level becomes a value that the output collects,
 * so a call elsewhere is reported.
 */
import type { CallExpression, Expression, Node } from "@babel/types";
import type { Value, WebhookEventCall } from "../values.ts";
import { definitionDialect } from "./definition_values.ts";
import type { Evaluation } from "./evaluation.ts";
import { Findings } from "./findings.ts";
import { placeOf } from "./place.ts";
import { lookUp } from "./project_scope.ts";
import { readValue } from "./read_value.ts";
import type { Scope } from "./scope.ts";
import { calleeName, withoutTypes } from "./syntax.ts";

const NAME = "onWebhookEvent";
const EMIT = "emitWebhookEvent";

/** Returns the calls in source order. `uses` are the nodes of the file without its imports. */
export function webhookEventCalls(
  uses: readonly Node[],
  scope: Scope,
  evaluation: Evaluation,
): readonly WebhookEventCall[] {
  const statements = scope.statements.flatMap((node) =>
    node.type === "ExpressionStatement"
      ? callsIn(node.expression, {
        kind: "statement",
        range: { start: node.start ?? 0, end: node.end ?? 0 },
      })
      : []
  );
  const constants = [...scope.declarations].flatMap(([name, declaration]) =>
    declaration.kind === "constant" ? callsIn(declaration.value, { kind: "constant", name }) : []
  );
  const exported = scope.exports.get("default");
  const defaults = exported?.kind === "default" ? callsIn(exported.value, { kind: "default" }) : [];
  const calls = [...statements, ...constants, ...defaults];
  return uses.filter((node) => isLibraryName(node, NAME, { scope, evaluation })).map((node) => {
    const found = calls.find(({ call }) => call.callee.start === node.start);
    const place = placeOf(node, scope.source);
    if (!found) return { place, on: null, binding: { kind: "elsewhere" } };
    const [first] = found.call.arguments;
    const isExpression = first && first.type !== "SpreadElement" &&
      first.type !== "ArgumentPlaceholder";
    const on = isExpression ? readArgument(first, scope, evaluation) : null;
    return { place, on, binding: found.binding };
  });
}

/** Returns the event types that calls of `emitWebhookEvent` name as literals, also as one of two alternatives. */
export function emittedEvents(
  uses: readonly Node[],
  scope: Scope,
  evaluation: Evaluation,
): readonly string[] {
  return uses.flatMap((node) => {
    if (node.type !== "CallExpression") return [];
    if (!isLibraryName(node.callee, EMIT, { scope, evaluation })) return [];
    const [first] = node.arguments;
    if (!first || first.type === "SpreadElement" || first.type === "ArgumentPlaceholder") return [];
    return textsOf(withoutTypes(first), scope, evaluation);
  });
}

function textsOf(node: Expression, scope: Scope, evaluation: Evaluation): readonly string[] {
  if (node.type === "ConditionalExpression") {
    return [node.consequent, node.alternate].flatMap((one) => textsOf(one, scope, evaluation));
  }
  const value = readArgument(node, scope, evaluation);
  return value.kind === "string" ? [value.value] : [];
}

/** True for the name itself, or `library.<name>`. Another name for it is reported where it is declared. */
function isLibraryName(
  node: Node,
  name: string,
  { scope, evaluation }: { readonly scope: Scope; readonly evaluation: Evaluation },
): boolean {
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return false;
  const [root = "", ...members] = calleeName(node)?.split(".") ?? [];
  const isImported = scope.declarations.get(root)?.kind === "import";
  const found = isImported ? lookUp(evaluation.project, scope, root) : null;
  if (found?.kind !== "library" || found.module !== "quickback") return false;
  return [...(found.path === "" ? [] : [found.path]), ...members].join(".") === name;
}

interface TopLevelCall {
  readonly call: CallExpression;
  readonly binding: WebhookEventCall["binding"];
}

function callsIn(
  value: Expression,
  binding: WebhookEventCall["binding"],
): readonly TopLevelCall[] {
  const call = withoutTypes(value);
  return call.type === "CallExpression" ? [{ call, binding }] : [];
}

function readArgument(node: Expression, scope: Scope, evaluation: Evaluation): Value {
  const dialect = definitionDialect(evaluation, scope.source);
  return readValue(node, { scope, findings: new Findings(), depth: 0, dialect });
}
