/** Walks every node of a syntax tree in source order, without recursion, because trees may be deep. */
import type { Node } from "@babel/types";

export function nodesBelow(root: Node): readonly Node[] {
  const found: Node[] = [];
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    found.push(node);
    const parts: unknown[] = Object.values(node);
    for (let index = parts.length - 1; index >= 0; index--) pushNodes(parts[index], pending);
  }
  return found;
}

/** Adds nodes with the first one last, so that it is taken first. */
function pushNodes(value: unknown, pending: Node[]): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    if (isNode(value)) pending.push(value);
    return;
  }
  for (let index = value.length - 1; index >= 0; index--) {
    const item: unknown = value[index];
    if (typeof item === "object" && item !== null && isNode(item)) pending.push(item);
  }
}

/** True for the parser's nodes. Nothing else in its tree has a type and a position. */
function isNode(value: object): value is Node {
  return "type" in value && typeof value.type === "string" && "start" in value && "loc" in value;
}
