/** The types of one project: a golden file, which the client's own tests are checked against. */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { projectFiles } from "../../support/sample_files.ts";

const GOLDEN = new URL("notes_api.ts", import.meta.url);
const NOTES = new URL("../../compiler/samples/notes/input/", import.meta.url);

Deno.test("clientTypes() writes the types of a project's API", async () => {
  const validation = validate(await projectFiles(NOTES));
  assert(validation.ok);
  const types = clientTypes(validation.model);
  if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(GOLDEN, types);
  assertEquals(types, await Deno.readTextFile(GOLDEN));
});
