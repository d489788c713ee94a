/** Names that the service itself uses: for its tables in SQL, and beside the resources in URLs (contract 4, definitions 7). */
import { kebabCase } from "../../../../surface/names.ts";
import type { RuleInput } from "./rule.ts";

const TABLES = new Set([
  "audit_events",
  "webhook_endpoints",
  "webhook_deliveries",
  "webhook_events",
  "idempotency_keys",
  "service_key_values",
  "push_messages",
]);
const PREFIXES = ["auth_", "quickback_", "sqlite_"];
/** Routes directly under the API base. */
const SEGMENTS = new Set(["token", "changeset", "auth"]);

export function reservedNames({ analysis }: RuleInput): void {
  for (const { name, sqlName, namePlace, options } of analysis.tables) {
    const lower = sqlName.toLowerCase();
    if (TABLES.has(lower) || PREFIXES.some((prefix) => lower.startsWith(prefix))) {
      analysis.report.add("TABLE_RESERVED", namePlace, { table: name });
    } else if (options && SEGMENTS.has(kebabCase(name))) {
      analysis.report.add("SEGMENT_RESERVED", namePlace, { table: name, segment: kebabCase(name) });
    }
  }
}
