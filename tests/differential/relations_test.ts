/** Rules that follow relations over random worlds: lists, single reads, rows in memory and the oracle agree (docs/decisions/relations.md). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { Principal, ProjectModel, RowPredicate } from "../../shared/model/mod.ts";
import { hidingPredicates, type Row, type World } from "../../shared/oracle/judge.ts";
import { admits } from "../../shared/oracle/judge.ts";
import { firewallFor } from "../../shared/runtime/layers/3-firewall/firewall.ts";
import { isBehindColumns, relatedSatisfies } from "../../shared/runtime/data/conditions.ts";
import { dataLayerOf } from "../../shared/runtime/data/data_layer.ts";
import { relationRule } from "../../shared/runtime/data/judged_rows.ts";
import type { RelatedRow, StoredRow } from "../../shared/runtime/data/types.ts";
import { followsRelations, relationsAt } from "../../shared/surface/mod.ts";
import { ANONYMOUS } from "../../shared/model/principal.ts";
import { schemaOf } from "../support/model_database.ts";
import { DEFAULT_DRIVER } from "../support/databases.ts";
import { type Random, seededRandom } from "../support/random.ts";

const TABLES = ["alpha", "beta", "gamma"] as const;
const NEXT = { alpha: "beta", beta: "gamma", gamma: "alpha" } as const;
type Name = typeof TABLES[number];

/** Conditions on a row of the table, over at most so many further keys. */
function conditions(random: Random, table: Name, depth: number): string {
  const pick = random.below(depth > 0 ? 9 : 4);
  const inner = (other: Name) => conditions(random, other, depth - 1);
  switch (pick) {
    case 0:
      return `{ who: "$ctx.userId" }`;
    case 1:
      return `{ size: { ${["lessThan", "greaterThanOrEqual", "notEquals"][random.below(3)]}: ${
        random.below(3)
      } } }`;
    case 2:
      return `{ who: { notIn: ["ann", null] } }`;
    case 3:
      return `{ size: null }`;
    case 4:
      return `{ not: ${conditions(random, table, depth - 1)} }`;
    case 5:
      return `{ ${random.below(2) === 0 ? "or" : "and"}: [${
        conditions(random, table, depth - 1)
      }, ${conditions(random, table, depth - 1)}] }`;
    case 6:
      return `{ ${NEXT[table]}: ${inner(NEXT[table])} }`;
    default: {
      const child = TABLES.find((one) => NEXT[one] === table) ?? table;
      return `{ ${child}: { ${random.below(2) === 0 ? "some" : "none"}: ${inner(child)} } }`;
    }
  }
}

function files(random: Random) {
  const scope = '{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["root"] }';
  const through = random.below(3);
  const rule = conditions(random, "beta", 2);
  const items = [
    `{ through: "beta", where: ${rule} }`,
    `{ anyOf: [{ roles: ["boss"] }, { through: "beta", where: ${rule}, roles: ["worker"] }, { field: "who", equals: "ctx.userId" }] }`,
    `{ through: "gamma.alphaId", ${random.below(2) === 0 ? "some" : "none"}: ${
      conditions(random, "gamma", 2)
    } }`,
  ];
  const file = (name: Name, rest: string) =>
    `import { feature, q } from "quickback";
import ${NEXT[name]} from "./${NEXT[name]}.ts";
export default feature("${name}", {
  columns: {
    organizationId: q.scope("organization"), who: q.text(), size: q.int(),
    ${NEXT[name]}Id: q.text().references(() => ${NEXT[name]}.id),
  },
  ${rest}
});
`;
  return {
    "quickback/quickback.config.ts":
      'import { defineConfig, defineDatabase } from "quickback";\nexport default defineConfig({ name: "w", providers: { database: defineDatabase("libsql", { generateId: false }) } });\n',
    "quickback/features/w/alpha.ts": file(
      "alpha",
      `firewall: [${scope}, ${items[through]}],
  read: { access: { record: ${conditions(random, "alpha", 2)} } },`,
    ),
    "quickback/features/w/beta.ts": file("beta", ""),
    "quickback/features/w/gamma.ts": file("gamma", ""),
  };
}

function rowsOf(random: Random): Map<string, Row[]> {
  const cell = (values: readonly (string | number | null)[]) =>
    values[random.below(values.length)] ?? null;
  return new Map(TABLES.map((table) => [
    table,
    Array.from({ length: 8 }, (_, at): Row => ({
      id: `${table}_${at}`,
      organizationId: cell(["org_a", "org_a", "org_b"]),
      who: cell(["ann", "ben", null]),
      size: cell([0, 1, 2, null]),
      createdAt: "2026-01-01T00:00:00.000Z",
      modifiedAt: "2026-01-01T00:00:00.000Z",
      deletedAt: cell([null, null, null, "2026-01-01T00:00:00.000Z"]),
      [`${NEXT[table]}Id`]: cell([
        null,
        ...Array.from({ length: 8 }, (_, other) => `${NEXT[table]}_${other}`),
      ]),
    })),
  ]));
}

const PORTS = {
  clock: { now: () => 0 },
  random: { bytes: (length: number) => new Uint8Array(length) },
};

const CALLERS: readonly Principal[] = [
  { sub: "ann", roles: ["worker"] },
  { sub: "ben", roles: ["boss", "worker"] },
  { sub: "ann", roles: ["root"] },
].map(({ sub, roles }) => ({
  ...ANONYMOUS,
  credential: "token",
  userId: sub,
  organizationId: "org_a",
  roles,
}));
const NOBODY: Principal = { ...ANONYMOUS, organizationId: "org_a" };

/** The row with the rows that its relations lead to, gathered from the world. */
function gathered(row: Row, predicates: readonly RowPredicate[], world: World): RelatedRow {
  const stored: StoredRow = new Map(
    Object.entries(row).map((
      [name, value],
    ) => [name, typeof value === "string" || typeof value === "number" ? value : null]),
  );
  return {
    row: stored,
    related: relationsAt(predicates).map((
      { relation: { table, own, related, tenant, deletedAt }, of },
    ) =>
      (world.get(table) ?? []).filter((one) =>
        row[own] !== null && one[related] === row[own] &&
        (tenant === null || one[tenant.related] === row[tenant.own]) &&
        (deletedAt === null || one[deletedAt] === null)
      ).map((one) => gathered(one, [of], world))
    ),
  };
}

async function compareWorld(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const definitions = files(random);
  const validation = validate(definitions);
  assert(validation.ok, `${seed}: ${JSON.stringify(validation)}`);
  const { model } = validation;
  const world = rowsOf(random);
  return await DEFAULT_DRIVER.with(async (database) => {
    await database.migrate(schemaOf(model));
    await fill(database, model, world);
    let visible = 0;
    for (const caller of [...CALLERS, NOBODY]) {
      visible += await compareCaller(database, model, world, caller, seed);
    }
    return visible;
  });
}

type Database = Parameters<Parameters<typeof DEFAULT_DRIVER.with>[0]>[0];

async function fill(database: Database, model: ProjectModel, world: World): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.run({ sql: "PRAGMA defer_foreign_keys = ON", args: [] });
    for (const table of model.tables) {
      const rows = world.get(table.name) ?? [];
      for (const row of rows) {
        const cells = table.columns.filter(({ name }) => Object.hasOwn(row, name));
        await transaction.run({
          sql: `INSERT INTO "${table.sqlName}" (${
            cells.map(({ sqlName }) => `"${sqlName}"`).join(", ")
          }) VALUES (${cells.map(() => "?").join(", ")})`,
          args: cells.map(({ name }) => {
            const value = row[name];
            return typeof value === "string" || typeof value === "number" ? value : null;
          }),
        });
      }
    }
  });
}

async function compareCaller(
  database: Database,
  model: ProjectModel,
  world: World,
  caller: Principal,
  seed: number,
): Promise<number> {
  const table = model.tables.find(({ name }) => name === "alpha");
  const resource = model.resources.find(({ name }) => name === "alpha");
  assert(table && resource?.read);
  const { access } = resource.read;
  const rule = access.kind === "row"
    ? access.predicate
    : access.kind === "record"
    ? { kind: "conditions" as const, conditions: access.conditions }
    : null;
  assert(rule);
  const rows = world.get("alpha") ?? [];
  const expected = rows.filter((row) =>
    hidingPredicates(table, caller, row, world).length === 0 && admits(access, caller, row, world)
  ).map(({ id }) => String(id));
  const firewall = firewallFor(table, { principal: caller, organizationId: caller.organizationId });
  const data = dataLayerOf(model, PORTS);
  const page = await data.preparePage({
    firewall,
    rule,
    projection: { resource, columns: ["id"] },
    filters: [],
    where: null,
    search: null,
    byRank: false,
    near: null,
    sort: [],
    limit: 100,
    offset: 0,
    from: null,
    withTotal: true,
    aggregations: [],
    embeddings: [],
  })(database);
  const what = `seed ${seed}, ${caller.userId} ${caller.roles}`;
  const listed = page.records.map((text) => String(JSON.parse(text)["id"]));
  assertEquals(listed.toSorted(), expected.toSorted(), `a list: ${what}`);
  assertEquals(page.total, expected.length, `a total: ${what}`);
  const predicates = [
    ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
    rule,
  ].filter(followsRelations);
  for (const row of rows) {
    const isThere = expected.includes(String(row["id"]));
    const stored = await data.selectStored(database, { firewall, id: String(row["id"]) });
    const single = stored !== null &&
      (await data.judgeRows(database, { rule, rows: [stored], firewall }))[0] === true;
    assertEquals(single, isThere, `one row: ${what}`);
    const known = gathered(row, predicates, world);
    const rules = [relationRule(firewall), rule].filter((one) => one !== null);
    const inMemory = isBehindColumns(known.row, firewall) &&
      rules.every((one) => relatedSatisfies(one, known, { firewall, predicates }));
    assertEquals(inMemory, isThere, `a frame: ${what}`);
  }
  return expected.length;
}

Deno.test("lists, single reads, frames and the oracle agree on 60 random worlds", async () => {
  let visible = 0;
  for (let seed = 1; seed <= 60; seed += 1) visible += await compareWorld(seed);
  // Rows on both sides of the rules.
  const rows = 60 * 4 * 8;
  assert(visible > rows / 20 && visible < rows / 2, `${visible} of ${rows} rows are visible`);
});
