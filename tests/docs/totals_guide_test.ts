/** The guide to totals and numbers: its project compiles, and answers what the page says. */
import { assertGuideHolds } from "../support/asked_guide.ts";

Deno.test("the project of the guide to totals answers what the guide says", () =>
  assertGuideHolds({
    page: "docs/guides/totals.md",
    callers: { ann: { sub: "ann", orgId: "org_a", roles: ["member"] } },
    files: { "quickback/quickback.config.ts": 'export default { name: "orders" };\n' },
  }));
