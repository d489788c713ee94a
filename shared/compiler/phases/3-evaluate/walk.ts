/** Every node of a syntax tree in source order, without recursion: trees may be deep. */
import type { Node } from "@babel/types";

export function nodesBelow(root: Node): readonly Node[] {
  const found: Node[] = [];
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    found.push(node);
    const parts = Object.values(node).flatMap(nodesIn);
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      if (part) pending.push(part);
    }
  }
  return found;
}

function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
}

/** The parser's nodes, and nothing else in its tree, carry a type and a position. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string" && "start" in value && "loc" in value;
}
