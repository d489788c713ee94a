/** What a delete takes with it, from definitions to answers (contract 3.1). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const ALL = `
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },`;

const table = (name: string, columns: string, rest = "") =>
  `import { feature, q } from "quickback";
${
    [...columns.matchAll(/\(\) => (\w+)\.id/g)]
      .map(([, target]) => `import ${target} from "../${target}/${target}.ts";`)
      .join("\n")
  }

export default feature("${name}", {
  columns: { id: q.id(), organizationId: q.scope("organization"), name: q.text().required(), ${columns} },
  guards: false,${ALL}
  delete: { access: { roles: ["admin"] }${rest} },
});
`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "deletes" };\n',
  "quickback/features/houses/houses.ts": table("houses", ""),
  "quickback/features/rooms/rooms.ts": table(
    "rooms",
    'houseId: q.text().references(() => houses.id, { onDelete: "cascade" })',
  ),
  "quickback/features/chairs/chairs.ts": table(
    "chairs",
    "roomId: q.text().references(() => rooms.id)",
  ),
  "quickback/features/guests/guests.ts": table(
    "guests",
    'houseId: q.text().references(() => houses.id, { onDelete: "set null" })',
  ),
  "quickback/features/parcels/parcels.ts": table(
    "parcels",
    "",
    ', mode: "hard"',
  ),
  "quickback/features/stamps/stamps.ts": table(
    "stamps",
    'parcelId: q.text().references(() => parcels.id, { onDelete: "restrict" })',
  ),
  // Soft-deleted below what is stamped, and below what the database removes by itself.
  "quickback/features/inks/inks.ts": table("inks", "stampId: q.text().references(() => stamps.id)"),
  "quickback/features/boxes/boxes.ts": table(
    "boxes",
    'parcelId: q.text().references(() => parcels.id, { onDelete: "cascade" })',
    ', mode: "hard"',
  ),
  "quickback/features/lids/lids.ts": table("lids", "boxId: q.text().references(() => boxes.id)"),
};

async function add(api: ApiUnderTest, path: string, body: unknown): Promise<string> {
  const answer = await api.ask(path, { as: admin, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function street(api: ApiUnderTest) {
  const house = await add(api, "houses", { name: "house" });
  const other = await add(api, "houses", { name: "other" });
  const room = await add(api, "rooms", { name: "room", houseId: house });
  const chair = await add(api, "chairs", { name: "chair", roomId: room });
  const guest = await add(api, "guests", { name: "guest", houseId: house });
  const neighbour = await add(api, "rooms", { name: "room", houseId: other });
  return { house, room, chair, guest, neighbour };
}

Deno.test("a soft delete stamps children and grandchildren alike, across features", async () => {
  await withDefinitions(FILES, async (api) => {
    const { house, room, chair, neighbour } = await street(api);
    api.pass(1000);
    const { body } = await api.ask(`houses/${house}`, { as: admin, method: "DELETE" });
    assertEquals(body, { success: true });
    for (const path of [`houses/${house}`, `rooms/${room}`, `chairs/${chair}`]) {
      assertEquals(
        (await api.ask(path, { as: admin })).body["code"],
        "FIREWALL_SOFT_DELETED",
        path,
      );
    }
    assertEquals((await api.ask(`rooms/${neighbour}`, { as: admin })).status, 200);
    const { rows } = await api.database.run({
      sql: `SELECT deleted_at, deleted_by, modified_at, modified_by FROM houses WHERE id = ?1
        UNION SELECT deleted_at, deleted_by, modified_at, modified_by FROM chairs`,
      args: [house],
    });
    const at = "2026-01-02T03:04:06.678Z";
    assertEquals(rows, [[at, "user_1", at, "user_1"]]);
  });
});

Deno.test("a child that declares set null lives on without its parent", async () => {
  await withDefinitions(FILES, async (api) => {
    const { house, guest } = await street(api);
    await api.ask(`houses/${house}`, { as: admin, method: "DELETE" });
    const { status, body } = await api.ask(`guests/${guest}`, { as: admin });
    assertEquals([status, body["houseId"], body["house_label"]], [200, null, null]);
  });
});

Deno.test("a hard delete removes the row for good", async () => {
  await withDefinitions(FILES, async (api) => {
    const parcel = await add(api, "parcels", { name: "parcel" });
    assertEquals((await api.ask(`parcels/${parcel}`, { as: admin, method: "DELETE" })).status, 200);
    const again = await api.ask(`parcels/${parcel}`, { as: admin, method: "DELETE" });
    assertEquals(again.body["code"], "FIREWALL_NOT_FOUND");
  });
});

Deno.test("a hard delete of what others must keep is a conflict, and changes nothing", async () => {
  await withDefinitions(FILES, async (api) => {
    const parcel = await add(api, "parcels", { name: "parcel" });
    await add(api, "stamps", { name: "stamp", parcelId: parcel });
    const { status, body } = await api.ask(`parcels/${parcel}`, { as: admin, method: "DELETE" });
    assertEquals([status, body["code"]], [409, "DB_REFERENCE_VIOLATION"]);
    assertEquals((await api.ask(`parcels/${parcel}`, { as: admin })).status, 200);
  });
});

Deno.test("a hard delete takes soft-deleted descendants along, and is kept by live ones alone", async () => {
  await withDefinitions(FILES, async (api) => {
    const remove = (path: string) => api.ask(path, { as: admin, method: "DELETE" });
    const parcel = await add(api, "parcels", { name: "parcel" });
    const stamp = await add(api, "stamps", { name: "stamp", parcelId: parcel });
    await add(api, "inks", { name: "ink", stampId: stamp });
    const box = await add(api, "boxes", { name: "box", parcelId: parcel });
    const lid = await add(api, "lids", { name: "lid", boxId: box });
    const other = await add(api, "parcels", { name: "other" });
    const kept = await add(api, "stamps", { name: "kept", parcelId: other });
    assertEquals((await remove(`stamps/${kept}`)).status, 200);
    assertEquals((await remove(`parcels/${parcel}`)).body["code"], "DB_REFERENCE_VIOLATION");
    assertEquals((await remove(`stamps/${stamp}`)).status, 200);
    assertEquals((await remove(`parcels/${parcel}`)).body["code"], "DB_REFERENCE_VIOLATION");
    assertEquals((await remove(`lids/${lid}`)).status, 200);
    const batch = { as: admin, method: "DELETE", body: { ids: [parcel] } };
    assertEquals((await api.ask("parcels/batch", batch)).status, 200);
    const left = [];
    for (const name of ["parcels", "stamps", "inks", "boxes", "lids"]) {
      const { rows } = await api.database.run({ sql: `SELECT id FROM ${name}`, args: [] });
      left.push(rows.length);
    }
    // Of the other parcel, which nobody has deleted.
    assertEquals(left, [1, 1, 0, 0, 0]);
  });
});

Deno.test("a handler's removal takes soft-deleted descendants along too, or nothing", async () => {
  const purge = `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { parcels } from "../schema";
export default defineAction({
  description: "Remove it", input: z.object({ isCaught: z.boolean().optional() }), access: { roles: ["admin"] },
  execute: async ({ db, record, input }) => {
    const removing = db.delete(parcels).where(eq(parcels.id, record.id));
    if (!input.isCaught) return void await removing;
    await removing.catch(() => {});
  },
});
`;
  const files = { ...FILES, "quickback/features/parcels/actions/purge.ts": purge };
  await withCompiledActions(files, async (api) => {
    const remove = (path: string) => api.ask(path, { as: admin, method: "DELETE" });
    const count = async (table: string) => {
      const { rows } = await api.database.run({ sql: `SELECT id FROM ${table}`, args: [] });
      return rows.length;
    };
    const parcel = await add(api, "parcels", { name: "parcel" });
    const gone = await add(api, "stamps", { name: "gone", parcelId: parcel });
    const live = await add(api, "stamps", { name: "live", parcelId: parcel });
    await remove(`stamps/${gone}`);
    const run = (body: object) => api.ask(`parcels/${parcel}/purge`, { as: admin, body });
    assertEquals((await run({})).body["code"], "DB_REFERENCE_VIOLATION");
    assertEquals((await run({ isCaught: true })).status, 200);
    assertEquals([await count("parcels"), await count("stamps")], [1, 2]);
    await remove(`stamps/${live}`);
    assertEquals((await run({})).status, 200);
    assertEquals([await count("parcels"), await count("stamps")], [0, 0]);
  });
});
