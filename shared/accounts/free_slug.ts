/** Slugs of organizations are unique without regard to case (definitions 7, "auth routes"). */
import { APIError } from "better-auth/api";
import type { Reader } from "../runtime/ports.ts";

/** The library's error for a slug that another organization has. */
const TAKEN = {
  code: "ORGANIZATION_SLUG_ALREADY_TAKEN",
  message: "Organization slug already taken",
} as const;

/**
 * Refuses a lower-case slug that another organization has with capitals, from before the rule. The library itself refuses the
 * same spelling.
 */
export async function requireFreeSlug(
  reader: Reader,
  slug: string | undefined,
  organizationId: string | null,
): Promise<void> {
  if (slug === undefined) return;
  const { rows } = await reader.run({
    sql: `SELECT 1 FROM "auth_organization" WHERE lower("slug") = ? AND "id" IS NOT ? LIMIT 1`,
    args: [slug, organizationId],
  });
  if (rows.length > 0) throw new APIError("BAD_REQUEST", TAKEN);
}
