/** Ids of new rows have the form that client ids must have (contract 4.1 rule 5). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { idPattern, type IdStrategy } from "../../../shared/contract/fields.ts";
import { createNewId } from "../../../shared/runtime/data/stamps.ts";
import { customers } from "../../support/sample_model.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(3);
const bytes = (length: number) => Uint8Array.from({ length }, () => random.below(256));
const newId = createNewId({ bytes });
const tableWith = (idStrategy: IdStrategy) => ({ ...customers, idStrategy, idPrefix: "cus" });

for (const strategy of ["uuid", "prefixed", "cuid", "nanoid", "short"] as const) {
  Deno.test(`newId() draws ${strategy} ids of the right form, all different`, () => {
    const ids = Array.from({ length: 500 }, () => newId(tableWith(strategy)) ?? "");
    for (const id of ids) assertMatch(id, new RegExp(idPattern(strategy, "cus")));
    assertEquals(new Set(ids).size, ids.length);
  });
}

Deno.test("newId() marks its uuids as random ones", () => {
  const id = newId(tableWith("uuid")) ?? "";
  assertMatch(id, /^.{14}4.{4}[89ab]/);
});

Deno.test("newId() leaves numbering to the database", () => {
  assert(newId(tableWith("serial")) === null);
});
