/** Uses of a platform's own global object, `Deno.readFile`, on a platform that does not have them. */
import type { MemberExpression, Node } from "@babel/types";
import type { Place } from "../../diagnostics/diagnostic.ts";
import { positionAt } from "../../diagnostics/lines.ts";
import type { FileOrigin } from "../../host.ts";
import { parseText } from "../2-parse/parse_text.ts";
import { nodesBelow } from "../3-evaluate/walk.ts";
import type { Target } from "../../platforms/mod.ts";

interface MemberUse {
  /** `Deno.readFile` */
  readonly member: string;
  readonly place: Place;
}

const OBJECT = "Deno";
const GLOBALS: ReadonlySet<string> = new Set(["globalThis", "self"]);

/** In source order. A file that gives the name a meaning of its own means that one. */
export function missingMembers(
  { file, text }: FileOrigin,
  { hasDenoMember }: Target,
): readonly MemberUse[] {
  if (!text.includes(OBJECT)) return [];
  const outcome = parseText(file, text, { mistakes: "stop" });
  if (outcome.kind !== "parsed") return [];
  const nodes = nodesBelow(outcome.program);
  if (nodes.some(declaresObject)) return [];
  return nodes.flatMap((node) => {
    if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return [];
    const member = isHostObject(node.object) ? nameOf(node) : null;
    if (member === null || hasDenoMember(member)) return [];
    const [start, end] = [node.start ?? 0, node.end ?? 0];
    const place = { file, ...positionAt(text, start), length: Math.max(1, end - start) };
    return [{ member: `${OBJECT}.${member}`, place }];
  });
}

function isHostObject(node: Node): boolean {
  if (node.type === "Identifier") return node.name === OBJECT;
  return node.type === "MemberExpression" && node.object.type === "Identifier" &&
    GLOBALS.has(node.object.name) && nameOf(node) === OBJECT;
}

function nameOf({ property, computed }: Pick<MemberExpression, "property" | "computed">) {
  if (property.type === "StringLiteral") return property.value;
  return property.type === "Identifier" && !computed ? property.name : null;
}

/** Imports, variables, functions, classes and parameters. */
function declaresObject(node: Node): boolean {
  switch (node.type) {
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return node.local.name === OBJECT;
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id?.type === "Identifier" && node.id.name === OBJECT;
    default:
      return "params" in node && Array.isArray(node.params) &&
        node.params.some((one) => one.type === "Identifier" && one.name === OBJECT);
  }
}
