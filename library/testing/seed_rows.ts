/** Rows of a test in the form of a seed: `{ notes: [{ $as: "first", title: "Tea" }] }`. */
import { parsedJson } from "../../shared/lib/json.ts";
import type { Principal, SeedPrincipal, SeedRow } from "../../shared/model/mod.ts";
import { principalOf, type TestPrincipal } from "./test_principal.ts";

/**
 * Create bodies by resource, in order. `$as` names a row, `{ $ref: "<as>.id" }` is a member of an earlier one, `$by` is its
 * creator, by default in the caller's organization.
 */
export type SeedRows = {
  readonly [Resource in string]: readonly ({ readonly [Column in string]: unknown })[];
};

/** Converts rows to those of a seed. With `by` null each row must name its creator. */
export function seedRowsOf(rows: SeedRows, by: SeedPrincipal | null): readonly SeedRow[] {
  return Object.entries(rows).flatMap(([resource, list]) =>
    list.map(({ $as, $by, ...values }, index): SeedRow => {
      const named = isPrincipal($by)
        ? seedPrincipalOf(principalOf({ organizationId: by?.organizationId ?? null, ...$by }))
        : by;
      if (named === null) {
        throw new Error(
          `Nobody creates row ${
            index + 1
          } of "${resource}": ask app.as({ … }).seed(…), or say $by: { userId: … }`,
        );
      }
      const as = typeof $as === "string" ? $as : null;
      return {
        resource,
        as,
        by: named,
        values: Object(parsedJson(JSON.stringify(values))),
        at: null,
      };
    })
  );
}

/** Returns the part of a caller that a row stores. */
export function seedPrincipalOf(
  { userId, organizationId, teamId, roles, userRole }: Principal,
): SeedPrincipal {
  return { userId, organizationId, teamId, roles, userRole };
}

function isPrincipal(value: unknown): value is TestPrincipal {
  return typeof value === "object" && value !== null && "userId" in value;
}
