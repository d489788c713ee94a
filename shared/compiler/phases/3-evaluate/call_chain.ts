/** Reads names with their members and calls: `limits.max`, `q.text({ … }).required()`, `customers.id`, `` sql`…` ``. */
import type * as t from "@babel/types";
import type { CallLink, Value } from "../values.ts";
import { nearest } from "../../../lib/nearest.ts";
import { AUTHORING_VALUES } from "./authoring_symbols.ts";
import { constructOf } from "./constructs.ts";
import { type Evaluation, isTable, readConstant } from "./evaluation.ts";
import { textOf } from "./place.ts";
import { exportOf, type Found, lookUp } from "./project_scope.ts";
import { deeper, placeIn, type Reader, refusedValue, unreadable } from "./reader.ts";
import { readValue } from "./read_value.ts";
import { withoutTypes } from "./syntax.ts";

type Step =
  | { readonly kind: "member"; readonly name: string; readonly node: t.Node }
  | { readonly kind: "call"; readonly node: t.CallExpression }
  | { readonly kind: "tag"; readonly node: t.TaggedTemplateExpression };

interface Chain {
  readonly root: t.Identifier;
  readonly steps: readonly Step[];
  /** The whole expression. */
  readonly node: t.Expression;
}

export function readCallChain(node: t.Expression, reader: Reader, evaluation: Evaluation): Value {
  const chain = chainOf(node);
  if (chain === null) return refusedValue(constructOf(node, reader.scope.source), node, reader);
  const found = lookUp(evaluation.project, reader.scope, chain.root.name);
  return readFound(found ?? guessedRoot(chain, reader, evaluation), chain, reader, evaluation);
}

/** Returns the chain; null when it does not start at a name, or contains `?.` or a computed member. */
function chainOf(node: t.Expression): Chain | null {
  const steps: Step[] = [];
  let current: t.Node = node;
  for (;;) {
    if (current.type === "Identifier") return { root: current, steps: steps.reverse(), node };
    if (current.type === "CallExpression") {
      steps.push({ kind: "call", node: current });
      current = current.callee;
    } else if (current.type === "TaggedTemplateExpression") {
      steps.push({ kind: "tag", node: current });
      current = current.tag;
    } else if (current.type === "MemberExpression") {
      const name = memberName(current);
      if (name === null) return null;
      steps.push({ kind: "member", name, node: current.property });
      current = current.object;
    } else {
      const inner: t.Node = isTypeOnly(current) ? withoutTypes(current) : current;
      if (inner === current) return null;
      current = inner;
    }
  }
}

function isTypeOnly(node: t.Node): node is t.Expression {
  return node.type === "ParenthesizedExpression" ||
    (node.type.startsWith("TS") && "expression" in node);
}

/** Returns the member's name in `a.b`, `a["b"]` and `a[0]`. */
function memberName({ property, computed }: t.MemberExpression): string | null {
  if (!computed) return property.type === "Identifier" ? property.name : null;
  if (property.type === "StringLiteral") return property.value;
  return property.type === "NumericLiteral" ? String(property.value) : null;
}

/** Reports an undeclared name, and reads it as the most similar one. */
function guessedRoot({ root }: Chain, reader: Reader, { project }: Evaluation): Found {
  const { scope, findings } = reader;
  if (GLOBALS.has(root.name)) return { kind: "unreadable", construct: null };
  const isAuthoring = AUTHORING_VALUES.includes(root.name);
  // A name of one or two letters is similar to too many others.
  const isGuessable = !isAuthoring && root.name.length > 2;
  const suggestion = isGuessable ? nearest(root.name, scope.declarations.keys()) : null;
  findings.addOnce("NAME_UNDECLARED", placeIn(reader, root), {
    about: root.name,
    details: {
      name: root.name,
      nearest: suggestion,
      module: isAuthoring ? "quickback" : null,
    },
  });
  if (isAuthoring) return { kind: "library", module: "quickback", path: root.name };
  return (suggestion === null ? null : lookUp(project, scope, suggestion)) ?? { kind: "unknown" };
}

/** Names that exist without a declaration, but only when code runs. */
const GLOBALS: ReadonlySet<string> = new Set(
  ("undefined NaN Infinity globalThis Array BigInt Boolean Date Error Intl JSON Map Math Number Object Promise RegExp " +
    "Set String Symbol URL Deno Bun process console crypto fetch parseInt parseFloat structuredClone")
    .split(" "),
);

function readFound(found: Found, chain: Chain, reader: Reader, evaluation: Evaluation): Value {
  switch (found.kind) {
    case "library":
      return readLibrary(found, chain, reader);
    case "value":
      return isTable(evaluation, found) ? readReference(found, chain, reader) : readMembers(
        readConstant(evaluation, found, chain.root, reader),
        chain,
        reader,
      );
    case "function":
      return chain.steps.length > 0 ? notStatic(chain, reader) : {
        kind: "function",
        text: textOf(found.node, found.scope.source),
        place: placeIn(reader, chain.node),
      };
    case "namespace":
    case "schema": {
      // Handles `tables.customers.id` of `import * as tables from "../schema"`.
      const [first, ...steps] = chain.steps;
      if (first?.kind !== "member" || found.kind === "schema") return notStatic(chain, reader);
      const member = exportOf(evaluation.project, found.scope, first.name);
      return member === null
        ? notStatic(chain, reader)
        : readFound(member, { ...chain, steps }, reader, evaluation);
    }
    case "unreadable":
      return found.construct === null
        ? notStatic(chain, reader)
        : refusedValue(found.construct, chain.node, reader);
    case "unknown":
      return unreadable(constructOf(chain.node, reader.scope.source), chain.node, reader);
  }
}

function notStatic(chain: Chain, reader: Reader): Value {
  return refusedValue(constructOf(chain.node, reader.scope.source), chain.node, reader);
}

function readReference(
  found: Found & { readonly kind: "value" },
  chain: Chain,
  reader: Reader,
): Value {
  const members = chain.steps.flatMap((step) => step.kind === "member" ? [step.name] : []);
  if (members.length < chain.steps.length) return notStatic(chain, reader);
  const target = { file: found.scope.source.path, name: found.name };
  return { kind: "reference", target, members, place: placeIn(reader, chain.node) };
}

/** Reads members of a value: `limits.max` of an object that can be read, `name.optional()` of a schema. */
function readMembers(value: Value, chain: Chain, reader: Reader): Value {
  if (value.kind === "call" && value.module === "zod" && chain.steps.length > 0) {
    const links = readLinks(chain.steps, reader);
    return links === null
      ? notStatic(chain, reader)
      : { ...value, chain: [...value.chain, ...links], place: placeIn(reader, chain.node) };
  }
  let current = value;
  for (const step of chain.steps) {
    if (current.kind === "unreadable") return current;
    const member = step.kind === "member" ? memberOf(current, step.name) : null;
    if (member === null) return notStatic(chain, reader);
    current = member;
  }
  return current;
}

function memberOf(value: Value, name: string): Value | null {
  if (value.kind === "object") {
    return value.entries.find((entry) => entry.key === name)?.value ?? null;
  }
  return value.kind === "array" && /^\d{1,6}$/.test(name)
    ? value.items[Number(name)] ?? null
    : null;
}

/**
 * Reads a library's chain. Members up to the first call are part of the callee's name; methods after it are applied in turn.
 */
function readLibrary(
  { module, path }: Found & { readonly kind: "library" },
  chain: Chain,
  reader: Reader,
): Value {
  const callIndex = chain.steps.findIndex((step) => step.kind !== "member");
  const first = chain.steps[callIndex];
  if (first === undefined || first.kind === "member") {
    const text = textOf(chain.node, reader.scope.source);
    if (module === "quickback") {
      reader.findings.add("CALL_MISSING", placeIn(reader, chain.node), { name: text });
      return unreadable(`\`${text}\` without a call`, chain.node, reader);
    }
    return notStatic(chain, reader);
  }
  const names = chain.steps.slice(0, callIndex).flatMap((s) => s.kind === "member" ? [s.name] : []);
  const callee = [...(path === "" ? [] : [path]), ...names].join(".");
  const links = readLinks(chain.steps.slice(callIndex + 1), reader);
  if (links === null) return notStatic(chain, reader);
  const args = readArguments(first, reader);
  const calleeNode = first.kind === "tag" ? first.node.tag : first.node.callee;
  return { kind: "call", callee, module, args, chain: links, place: placeIn(reader, calleeNode) };
}

/** Returns the calls of the chain; null unless members and calls alternate. */
function readLinks(steps: readonly Step[], reader: Reader): readonly CallLink[] | null {
  const links: CallLink[] = [];
  for (let index = 0; index < steps.length; index += 2) {
    const [member, call] = [steps[index], steps[index + 1]];
    if (member?.kind !== "member" || call?.kind !== "call") return null;
    const args = readArguments(call, reader);
    links.push({ name: member.name, args, place: placeIn(reader, member.node) });
  }
  return links;
}

function readArguments(
  step: Step & { readonly kind: "call" | "tag" },
  reader: Reader,
): readonly Value[] {
  if (step.kind === "tag") return [readValue(step.node.quasi, deeper(reader))];
  return step.node.arguments.flatMap((argument) => {
    if (argument.type === "SpreadElement") {
      const items = reader.dialect.spreadItems(argument, deeper(reader));
      return items ?? [unreadable("a spread that cannot be read", argument, reader)];
    }
    if (argument.type === "ArgumentPlaceholder") return [];
    return [readValue(argument, deeper(reader))];
  });
}
