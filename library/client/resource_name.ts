/** Names of resources: the canonical name, and the name in URLs, which is accepted too. */

/** Maps `workOrders` and `work-orders` to `work-orders`, as the compiler spells it. */
export function segmentOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .join("-")
    .toLowerCase();
}
