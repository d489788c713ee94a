/** Whatever a foreign schema is called and holds, its draft has no error. */
import { requireNoErrors } from "../../support/random_schemas.ts";

Deno.test("random foreign schemas draft to projects without an error", () => {
  requireNoErrors(150);
});
