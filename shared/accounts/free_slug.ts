/** Slugs of organizations are unique without regard to case (definitions 7, "auth routes"). */
import { APIError } from "better-auth/api";
import type { Reader } from "../runtime/ports.ts";

/** Of the library, for a slug that another organization has. */
const TAKEN = {
  code: "ORGANIZATION_SLUG_ALREADY_TAKEN",
  message: "Organization slug already taken",
} as const;

/**
 * Refuses a slug, which is in lower case, that another organization has in other letters: those from before the rule may have
 * capitals. The same spelling is refused by the library itself.
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
