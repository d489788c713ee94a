import { cataloguePage } from "../../../shared/compiler/diagnostics/catalogue_page.ts";
import { assertGolden } from "../../support/golden.ts";
import { problemsPage } from "../../support/problems_page.ts";
import { citationLinks, sectionsOfBook } from "../../support/reference.ts";

Deno.test("docs/diagnostics.md says what the catalogue of diagnostics says", async () => {
  assertGolden("docs/diagnostics.md", cataloguePage(await citationLinks()));
});

Deno.test("docs/problems.md says what the table of codes says", async () => {
  assertGolden("docs/problems.md", problemsPage(await sectionsOfBook("contract")));
});
