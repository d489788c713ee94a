/** The same as the short run, for so many schemas that it takes its time. */
import { requireNoErrors } from "../../support/random_schemas.ts";

Deno.test("2,000 random foreign schemas draft to projects without an error", () => {
  requireNoErrors(2000);
});
