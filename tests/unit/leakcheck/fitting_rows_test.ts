/** Both proofs put in as many rows as unique columns of few values have room for (definitions 3, `.unique()`). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { planTwins, soloFor } from "../../../proof/leakcheck/leakcheck.ts";
import { twinWorldsOf } from "../../../proof/rows/world.ts";

const table = (name: string, columns: string, imports = "") =>
  `import { feature, q } from "quickback";
${imports}
export default feature("${name}", {
  columns: { id: q.id(), organizationId: q.scope("organization"), ownerId: q.scope("owner"), ${columns} },
  guards: { createable: ["note"] },
  read: { access: { roles: ["member"] } },
});
`;

const validation = validate({
  "quickback/quickback.config.ts": `export default { name: "seals" };\n`,
  "quickback/features/seals/seals.ts": table(
    "seals",
    `note: q.text(), kind: q.enum(["wax", "lead"]).required().unique()`,
  ),
  "quickback/features/seals/prints.ts": table(
    "prints",
    `note: q.text(), sealId: q.text().references(() => seals.id).required()`,
    `import seals from "./seals.ts";`,
  ),
});
assert(validation.ok, JSON.stringify(validation));
const { model } = validation;

const [world] = twinWorldsOf(model);
assert(world, "There is nobody to ask");
const plan = planTwins(model, world, []);

const DATABASES = [
  ["one of two databases", plan.rows],
  ["the other one", plan.exploring?.twins ?? []],
  ["the database whose statements are read", soloFor(model, world).rows],
] as const;

for (const [what, rows] of DATABASES) {
  Deno.test(`${what} gets no row that a unique column keeps out, and none that refers to one`, () => {
    const rowsOf = (name: string) =>
      rows.filter(({ table }) => table.name === name).map(({ values }) => values);
    const seals = rowsOf("seals");
    const live = seals.filter(({ deletedAt }) => deletedAt === null);
    const kinds = live.map(({ organizationId, kind }) => `${organizationId} ${kind}`);
    assertEquals(kinds, [...new Set(kinds)]);
    assertEquals(new Set(live.map(({ kind }) => kind)), new Set(["wax", "lead"]));
    const ids = new Set(seals.map(({ id }) => id));
    const prints = rowsOf("prints");
    assert(prints.length > 1, "Hardly any row is left");
    assertEquals(prints.filter(({ sealId }) => !ids.has(sealId ?? "")), []);
  });
}
