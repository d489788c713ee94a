/** Soft deletion reaches every level below a row, behind each child's own firewall (contract 3.1). */
import { assertEquals } from "@std/assert";
import type { ColumnModel, RelationModel, TableModel } from "../../../shared/model/table.ts";
import type { FirewallPredicate } from "../../../shared/model/access.ts";
import type { Principal } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { assembleProject, column } from "../../../shared/model/table_spec.ts";
import { dataLayerOf } from "../../../shared/runtime/data/data_layer.ts";
import { firewallFor } from "../../../shared/runtime/layers/3-firewall/firewall.ts";
import type { Database, SqlValue } from "../../../shared/runtime/ports.ts";
import { withModelDatabase } from "../../support/model_database.ts";
import { caller, customers } from "../../support/sample_model.ts";
import { settings } from "../../support/sample_project.ts";

const ALICE = caller("member");
const BOB: Principal = { ...ALICE, userId: "user_2" };
const STAMPS = { now: "2026-03-03T00:00:00.000Z", userId: "user_1" };

const OWNED: FirewallPredicate = {
  kind: "owner",
  column: "ownerId",
  operator: "equals",
  operand: { kind: "context", key: "userId" },
  roles: [],
  exceptRoles: [],
};

function link(
  name: string,
  table: string,
  onDelete: RelationModel["onDelete"] = null,
  key = "id",
): ColumnModel {
  return column({
    name,
    sqlName: name,
    type: { kind: "text", maxLength: null, enum: null },
    references: { table, column: key, onDelete },
  });
}

const owner = column({
  name: "ownerId",
  sqlName: "owner_id",
  type: { kind: "scope", scope: "owner" },
  nullable: false,
  manager: "scope",
});

/** The system columns and the tenant of the sample's tables, and these links. */
function table(
  name: string,
  links: readonly ColumnModel[],
  rest: Partial<TableModel> = {},
): TableModel {
  const kept = customers.columns.filter(({ manager }) => manager !== "client");
  return {
    ...customers,
    name,
    sqlName: name,
    columns: [...kept, ...links],
    indexes: [],
    displayColumn: null,
    ...rest,
  };
}

const CODE = column({
  name: "code",
  sqlName: "code",
  type: { kind: "text", maxLength: null, enum: null },
});

const project: ProjectModel = assembleProject(
  settings,
  [
    table("projects", []),
    table("boards", [link("projectId", "projects"), link("parentId", "boards")]),
    table("cards", [
      link("boardId", "boards", "restrict"),
      link("projectId", "projects", "cascade"),
    ]),
    table("tags", [link("boardId", "boards", "set null")]),
    table("notes", [link("cardId", "cards"), owner], {
      scope: { organization: "organizationId", owner: "ownerId", team: null },
      ownerColumn: "ownerId",
      firewall: [...customers.firewall, OWNED],
    }),
    table("shelves", [CODE]),
    table("books", [link("shelfCode", "shelves", null, "code"), CODE]),
    table("pages", [link("bookCode", "books", "set null", "code")]),
    table("logs", [link("boardId", "boards", "no action")], {
      softDelete: false,
      columns: [
        ...customers.columns.filter(({ manager, name }) =>
          manager !== "client" && !name.startsWith("deleted")
        ),
        link("boardId", "boards", "no action"),
      ],
      firewall: customers.firewall.filter(({ kind }) => kind !== "notDeleted"),
    }),
  ].map((one) => ({ table: one, resource: null })),
);

/** As the database knows it: SQLite takes no partial index, which is what uniqueness is here, as a foreign key's target. */
const STORED: ProjectModel = {
  ...project,
  tables: project.tables.map((one) => ({
    ...one,
    columns: one.columns.map((each) =>
      each.references?.column === "code" ? { ...each, references: null } : each
    ),
  })),
};

const data = dataLayerOf(project, {
  clock: { now: () => 0 },
  random: { bytes: (length) => new Uint8Array(length) },
});

function tableNamed(name: string): TableModel {
  const found = project.tables.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`No table ${name}`);
  return found;
}

function wall(name: string, principal: Principal) {
  const { organizationId } = principal;
  return firewallFor(tableNamed(name), { principal, organizationId });
}

type Seed = readonly [
  table: string,
  id: string,
  links: Readonly<Record<string, SqlValue>>,
  principal?: Principal,
];

async function seed(database: Database, rows: readonly Seed[]): Promise<void> {
  await database.write(async (transaction) => {
    for (const [name, id, links, principal = ALICE] of rows) {
      await data.insertRow(transaction, {
        firewall: wall(name, principal),
        id,
        values: new Map(Object.entries(links)),
        stamps: { now: "2026-01-01T00:00:00.000Z", userId: principal.userId },
      });
    }
  });
}

const remove = (database: Database, name: string, id: string) =>
  database.write((transaction) =>
    data.softDeleteRows(transaction, {
      firewall: wall(name, ALICE),
      ids: [id],
      stamps: STAMPS,
      rule: null,
    })
  );

async function deletedIn(database: Database, name: string): Promise<unknown> {
  const { rows } = await database.run({
    sql: `SELECT id FROM ${name} WHERE deleted_at = ? AND deleted_by = ? AND modified_at = ?
      AND modified_by = ? ORDER BY id`,
    args: [STAMPS.now, STAMPS.userId, STAMPS.now, STAMPS.userId],
  });
  return rows.map(([id]) => id);
}

Deno.test("soft deletion stamps every level below a row alike, and nothing beside it", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [
      ["projects", "p1", {}],
      ["projects", "p2", {}],
      ["boards", "b1", { projectId: "p1" }],
      ["boards", "b2", { projectId: "p2" }],
      ["cards", "c1", { boardId: "b1" }],
      ["cards", "c2", { boardId: "b2" }],
      ["cards", "c3", { projectId: "p1" }],
      ["notes", "n1", { cardId: "c1" }],
      ["notes", "n2", { cardId: "c2" }],
    ]);
    assertEquals(await remove(database, "projects", "p1"), new Set(["p1"]));
    assertEquals(await deletedIn(database, "projects"), ["p1"]);
    assertEquals(await deletedIn(database, "boards"), ["b1"]);
    assertEquals(await deletedIn(database, "cards"), ["c1", "c3"]);
    assertEquals(await deletedIn(database, "notes"), ["n1"]);
    assertEquals(await remove(database, "projects", "p1"), new Set());
  }));

Deno.test("soft deletion leaves children alone that their own firewall keeps from the caller", () =>
  withModelDatabase(STORED, async (database) => {
    const foreign: Principal = { ...ALICE, userId: "user_9", organizationId: "org_9" };
    await seed(database, [
      ["projects", "p1", {}],
      ["cards", "c1", { projectId: "p1" }],
      ["cards", "stray", { projectId: "p1" }, foreign],
      ["notes", "mine", { cardId: "c1" }],
      ["notes", "his", { cardId: "c1" }, BOB],
    ]);
    await remove(database, "projects", "p1");
    assertEquals(await deletedIn(database, "cards"), ["c1"]);
    assertEquals(await deletedIn(database, "notes"), ["mine"]);
  }));

Deno.test("soft deletion empties a foreign key that declares set null instead of stamping its row", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [
      ["boards", "b1", {}],
      ["tags", "t1", { boardId: "b1" }],
    ]);
    await remove(database, "boards", "b1");
    const { rows } = await database.run({
      sql: "SELECT boardId, deleted_at, modified_at FROM tags",
      args: [],
    });
    assertEquals(rows, [[null, null, STAMPS.now]]);
  }));

Deno.test("soft deletion passes over tables that do not soft-delete", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [["boards", "b1", {}], ["logs", "l1", { boardId: "b1" }]]);
    await remove(database, "boards", "b1");
    const { rows } = await database.run({ sql: "SELECT boardId, modified_by FROM logs", args: [] });
    assertEquals(rows, [["b1", null]]);
  }));

Deno.test("soft deletion follows a foreign key to another unique column by that column's values", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [
      ["shelves", "s1", { code: "red" }],
      // Its code is the other one's id.
      ["shelves", "s2", { code: "s1" }],
      ["books", "b1", { shelfCode: "red", code: "B" }],
      ["books", "b2", { shelfCode: "s1", code: "b1" }],
      ["pages", "g1", { bookCode: "B" }],
      ["pages", "g2", { bookCode: "b1" }],
    ]);
    await remove(database, "shelves", "s1");
    assertEquals(await deletedIn(database, "shelves"), ["s1"]);
    assertEquals(await deletedIn(database, "books"), ["b1"]);
    const { rows } = await database.run({
      sql: "SELECT id, bookCode FROM pages ORDER BY id",
      args: [],
    });
    assertEquals(rows.map((row) => [...row]), [["g1", null], ["g2", "b1"]]);
  }));

Deno.test("soft deletion ends where rows refer to each other in a circle", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [["boards", "b1", {}], ["boards", "b2", { parentId: "b1" }]]);
    await seed(database, [["boards", "b3", { parentId: "b2" }]]);
    await database.write((transaction) =>
      transaction.run({ sql: "UPDATE boards SET parentId = 'b3' WHERE id = 'b1'", args: [] })
    );
    await remove(database, "boards", "b2");
    assertEquals(await deletedIn(database, "boards"), ["b1", "b2", "b3"]);
  }));

Deno.test("hard deletion removes the row and what the schema cascades", () =>
  withModelDatabase(STORED, async (database) => {
    await seed(database, [["projects", "p1", {}], ["cards", "c1", { projectId: "p1" }]]);
    const removed = await database.write((transaction) =>
      data.hardDeleteRows(transaction, {
        firewall: wall("projects", ALICE),
        ids: ["p1"],
        rule: null,
      })
    );
    assertEquals(removed, new Set(["p1"]));
    const { rows } = await database.run({ sql: "SELECT count(*) FROM cards", args: [] });
    assertEquals(rows, [[0]]);
  }));
