/** Rows of a test as a seed has them: `{ notes: [{ $as: "first", title: "Tea" }] }`. */
import { parsedJson } from "../../shared/lib/json.ts";
import type { Principal, SeedPrincipal, SeedRow } from "../../shared/model/mod.ts";
import { principalOf, type TestPrincipal } from "./test_principal.ts";

/**
 * Bodies of creates by resource, in order. `$as` names a row, `{ $ref: "<as>.id" }` is a member of one above, `$by` is who
 * creates it, with the caller's organization unless it says another.
 */
export type SeedRows = {
  readonly [Resource in string]: readonly ({ readonly [Column in string]: unknown })[];
};

/** `by` null: each row says who creates it, or this throws. */
export function seedRowsOf(rows: SeedRows, by: SeedPrincipal | null): readonly SeedRow[] {
  return Object.entries(rows).flatMap(([resource, list]) =>
    list.map(({ $as, $by, ...values }, index): SeedRow => {
      const named = isPrincipal($by) ? withOrganization($by, by) : by;
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

/** The part of a caller that a row keeps. */
export function seedPrincipalOf(
  { userId, organizationId, teamId, roles, userRole }: Principal,
): SeedPrincipal {
  return { userId, organizationId, teamId, roles, userRole };
}

function withOrganization(by: TestPrincipal, caller: SeedPrincipal | null): SeedPrincipal {
  return seedPrincipalOf(principalOf({ organizationId: caller?.organizationId ?? null, ...by }));
}

function isPrincipal(value: unknown): value is TestPrincipal {
  return typeof value === "object" && value !== null && "userId" in value;
}
