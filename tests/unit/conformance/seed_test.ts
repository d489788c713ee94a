/** Seeds have a row on each side of whatever decides about a row, and leave nothing behind (definitions 4.1, 4.2). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { admits, conditionsIn, hidingPredicates } from "../../../shared/oracle/judge.ts";
import { ruledRoutesOf } from "../../../shared/oracle/routes.ts";
import { rowIds } from "../../../proof/rows/row_ids.ts";
import {
  firstFreeIds,
  insertSeeds,
  removeSeeds,
  storedSeed,
} from "../../../proof/rows/seed_database.ts";
import { seedRows } from "../../../proof/rows/seed_rows.ts";
import type { SeedRow } from "../../../proof/rows/seed_row.ts";
import { type World, worldsOf } from "../../../proof/rows/world.ts";
import { columnPredicates } from "../../../shared/model/access.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { CLINIC } from "../../support/clinic.ts";
import { withModelDatabase } from "../../support/model_database.ts";
import { seededRandom } from "../../support/random.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { project as sample } from "../../support/sample_project.ts";

const RUN = "abc";
const NOW = Date.UTC(2026, 0, 2);

const PROJECTS: readonly (readonly [string, ProjectModel])[] = [
  [
    "the helpdesk",
    modelOf(await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url))),
  ],
  ["the clinic", modelOf(CLINIC)],
  ["the sample project", sample],
];

/** Whoever holds the view's own role meets the read rule by that role, whatever the row. */
const UNCONDITIONAL = ["viewTickets_Queue"];

for (const [name, model] of PROJECTS) {
  Deno.test(`seeds of ${name} go in, are found as they were planned, and leave nothing`, () =>
    withModelDatabase(model, async (database) => {
      const free = await firstFreeIds(database, model);
      const seeds = worldSeeds(model, (table) => free.get(table.name) ?? 1);
      const rows = seeds.flatMap((one) => one.rows);
      const places = { database, homes: [] };
      await insertSeeds(places, rows);
      for (const row of rows.slice(0, 50)) {
        assertEquals(
          await storedSeed(places, row),
          row.values,
          `${row.table.name} ${row.variant}`,
        );
      }
      await removeSeeds(places, model, RUN, rows.slice(0, 1));
      for (const table of model.tables) {
        const sql = `SELECT count(*) FROM \`${table.sqlName}\``;
        assertEquals((await database.run({ sql, args: [] })).rows, [[0]], table.name);
      }
    }));

  Deno.test(`seeds of ${name} have a row that only one member of a firewall hides, for each member`, () => {
    const seeds = worldSeeds(model);
    const missing = model.tables.flatMap((table) =>
      columnPredicates(table.firewall).filter((predicate) =>
        !seeds.some(({ world, rows }) =>
          rows.some((row) => {
            const hiding = hidingPredicates(table, world.caller, row.values);
            return row.table === table && hiding.length === 1 && hiding[0] === predicate;
          })
        )
      ).map(({ column }) => `${table.name}.${column}`)
    );
    assertEquals(missing, []);
  });

  Deno.test(`seeds of ${name} have rows on both sides of each rule with conditions`, () => {
    const seeds = worldSeeds(model);
    const oneSided = ruledRoutesOf(model).filter(({ access, table }) =>
      table !== null && conditionsIn(access).length > 0 &&
      !seeds.some(({ world, rows }) => {
        const sides = rows.filter((row) => row.table === table)
          .map(({ values }) => admits(access, world.caller, values));
        return sides.includes(true) && sides.includes(false);
      })
    ).map(({ operationId }) => operationId);
    assertEquals(oneSided, name === "the helpdesk" ? UNCONDITIONAL : []);
  });
}

interface Seeds {
  readonly world: World;
  readonly rows: readonly SeedRow[];
}

function worldSeeds(
  model: ProjectModel,
  serialFrom: Parameters<typeof rowIds>[1] = () => 1,
): readonly Seeds[] {
  const random = seededRandom(3);
  const bytes = (length: number) => Uint8Array.from({ length }, () => random.below(256));
  const newId = rowIds({ bytes }, serialFrom);
  let number = 0;
  const options = { newId, now: NOW, nextNumber: () => number += 1 };
  return worldsOf(model, RUN).map((world) => ({ world, rows: seedRows(model, world, options) }));
}

function modelOf(files: Parameters<typeof validate>[0]): ProjectModel {
  const validation = validate(files);
  assert(validation.ok);
  return validation.model;
}
