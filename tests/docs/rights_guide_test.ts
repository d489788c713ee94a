/** The guide to rights through relations: its project compiles, and answers everybody what the page says. */
import { assertGuideHolds } from "../support/asked_guide.ts";

Deno.test("the project of the guide to rights answers what the guide says", () =>
  assertGuideHolds({
    page: "docs/guides/rights.md",
    callers: {
      dora: { sub: "dora", orgId: "org_a", roles: ["dispatcher"] },
      tom: { sub: "tom", orgId: "org_a", roles: ["technician"] },
      tina: { sub: "tina", orgId: "org_a", roles: ["technician"] },
    },
  }));
