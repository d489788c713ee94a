/** The types of some projects: golden files, which the client's own tests are checked against. */
import { assert, assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { board } from "../../support/board_project.ts";
import { MAPPED } from "../../support/mapped_project.ts";
import { PAPERS } from "../../support/papers_project.ts";
import { projectFiles } from "../../support/sample_files.ts";

const NOTES = new URL("../../compiler/samples/notes/input/", import.meta.url);

const PROJECTS: readonly (readonly [golden: string, files: () => RawFiles | Promise<RawFiles>])[] =
  [
    ["notes_api.ts", () => projectFiles(NOTES)],
    ["board_api.ts", board],
    ["papers_api.ts", () => PAPERS],
    ["mapped_api.ts", () => MAPPED],
  ];

for (const [name, files] of PROJECTS) {
  Deno.test(`clientTypes() writes the types of a project's API: ${name}`, async () => {
    const golden = new URL(name, import.meta.url);
    const validation = validate(await files());
    assert(validation.ok);
    const types = clientTypes(validation.model);
    if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(golden, types);
    assertEquals(types, await Deno.readTextFile(golden));
  });
}
