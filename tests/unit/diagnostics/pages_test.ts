import { cataloguePage } from "../../../shared/compiler/diagnostics/catalogue_page.ts";
import { assertGolden } from "../../support/golden.ts";
import { problemsPage } from "../../support/problems_page.ts";

Deno.test("docs/diagnostics.md says what the catalogue of diagnostics says", () => {
  assertGolden("docs/diagnostics.md", cataloguePage());
});

Deno.test("docs/problems.md says what the table of codes says", () => {
  assertGolden("docs/problems.md", problemsPage());
});
