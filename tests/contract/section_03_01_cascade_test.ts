/** How far a delete reaches, and what is seen of it afterwards (contract 3.1, definitions 7). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const other: Claims = { sub: "user_2", orgId: "org_1", roles: ["admin"] };

const SOFT = 'delete: { access: { roles: ["admin"] } }';
const HARD = 'delete: { access: { roles: ["admin"] }, mode: "hard" }';

/** A table of a feature of its own. */
function file(name: string, columns: string, rest = SOFT): readonly [string, string] {
  const targets = new Set([...columns.matchAll(/\(\) => (\w+)\.id/g)].map(([, target]) => target));
  const foreignKeys = [...columns.matchAll(/(\w+): q\.text\(\)\.references/g)].map(([, key]) =>
    `"${key}"`
  );
  const imports = [...targets].map((target) =>
    `import ${target} from "../${target}/${target}.ts";\n`
  );
  return [
    `quickback/features/${name}/${name}.ts`,
    `import { feature, q } from "quickback";
${imports.join("")}
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false,
  read: { access: { roles: ["admin"] }, include: [${foreignKeys.join(", ")}] },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },
  ${rest},
});
`,
  ];
}

const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": 'export default { name: "cascades" };\n',
  ...Object.fromEntries([
    file("firms", "name: q.text().unique()"),
    file("crews", "name: q.text(), firmId: q.text().references(() => firms.id)"),
    file("desks", 'crewId: q.text().references(() => crews.id, { onDelete: "restrict" })'),
    file("lamps", 'deskId: q.text().references(() => desks.id, { onDelete: "no action" })'),
    file(
      "journals",
      'ownerId: q.scope("owner"), firmId: q.text().references(() => firms.id, { onDelete: "cascade" })',
    ),
    file(
      "badges",
      'firmId: q.text().references(() => firms.id, { onDelete: "set null" }), version: q.revision()',
    ),
    file("pins", "badgeId: q.text().references(() => badges.id)"),
    file("boxes", "name: q.text()", HARD),
    file("items", 'boxId: q.text().references(() => boxes.id, { onDelete: "cascade" })', HARD),
    file("parts", 'itemId: q.text().references(() => items.id, { onDelete: "cascade" })'),
    file("labels", 'boxId: q.text().references(() => boxes.id, { onDelete: "set null" })'),
  ]),
};

async function add(api: ApiUnderTest, path: string, body: unknown, as = admin): Promise<string> {
  const answer = await api.ask(path, { as, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function remove(api: ApiUnderTest, path: string): Promise<void> {
  assertEquals((await api.ask(path, { as: admin, method: "DELETE" })).status, 200);
}

/** The code that a read is refused with; undefined: it is not. */
async function codeOf(api: ApiUnderTest, path: string, as = admin): Promise<unknown> {
  return (await api.ask(path, { as })).body["code"];
}

async function listed(api: ApiUnderTest, path: string): Promise<unknown> {
  const { body } = await api.ask(`${path}?total=true`, { as: admin });
  const { pagination } = body;
  return isRecord(pagination) ? pagination["total"] : null;
}

async function firm(api: ApiUnderTest) {
  const firmId = await add(api, "firms", { name: "Acme" });
  const crewId = await add(api, "crews", { name: "Red", firmId });
  const deskId = await add(api, "desks", { crewId });
  const lampId = await add(api, "lamps", { deskId });
  const badgeId = await add(api, "badges", { firmId });
  const pinId = await add(api, "pins", { badgeId });
  return { firmId, crewId, deskId, lampId, badgeId, pinId };
}

Deno.test("a soft delete reaches every level with one stamp; restrict and no action count as undeclared", async () => {
  await withDefinitions(FILES, async (api) => {
    const { firmId, crewId, deskId, lampId } = await firm(api);
    api.pass(1000);
    await remove(api, `firms/${firmId}`);
    const below = [`crews/${crewId}`, `desks/${deskId}`, `lamps/${lampId}`];
    for (const path of below) assertEquals(await codeOf(api, path), "FIREWALL_SOFT_DELETED", path);
    for (const path of ["firms", "crews", "desks", "lamps"]) {
      assertEquals(await listed(api, path), 0, path);
      const stamps = await api.database.run({
        sql: `SELECT DISTINCT deleted_at, deleted_by, modified_at, modified_by FROM ${path}`,
        args: [],
      });
      const at = "2026-01-02T03:04:06.678Z";
      assertEquals(stamps.rows, [[at, "user_1", at, "user_1"]], path);
    }
  });
});

Deno.test("set null frees a child and ends there: it is modified, and what refers to it stays", async () => {
  await withDefinitions(FILES, async (api) => {
    const { firmId, badgeId, pinId } = await firm(api);
    await remove(api, `firms/${firmId}`);
    const { status, body } = await api.ask(`badges/${badgeId}`, { as: admin });
    assertEquals([status, body["firmId"], body["firm_label"], body["version"]], [
      200,
      null,
      null,
      2,
    ]);
    assertEquals((await api.ask(`pins/${pinId}`, { as: admin })).body["badgeId"], badgeId);
  });
});

Deno.test("a child that its own firewall keeps from the caller is not touched", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const own = await add(api, "journals", { firmId });
    const foreign = await add(api, "journals", { firmId }, other);
    await remove(api, `firms/${firmId}`);
    assertEquals(await codeOf(api, `journals/${own}`), "FIREWALL_SOFT_DELETED");
    const kept = await api.ask(`journals/${foreign}?include=firmId`, { as: other });
    // Its key stays; of the deleted parent nothing is seen.
    assertEquals(kept.status, 200);
    assertEquals([kept.body["firmId"], kept.body["firm_label"]], [firmId, null]);
    assertEquals(JSON.stringify(kept.body["included"]).includes("Acme"), false);
  });
});

Deno.test("a deleted row can be referred to no more", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    await remove(api, `firms/${firmId}`);
    const answer = await api.ask("crews", { as: admin, body: { name: "Blue", firmId } });
    assertEquals([answer.status, answer.body["code"], answer.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/firmId",
    ]);
  });
});

Deno.test("a unique value is free again once its row is deleted, as often as one likes", async () => {
  await withDefinitions(FILES, async (api) => {
    for (let round = 0; round < 3; round += 1) {
      const firmId = await add(api, "firms", { name: "Acme" });
      const taken = await api.ask("firms", { as: admin, body: { name: "Acme" } });
      assertEquals([taken.status, taken.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
      await remove(api, `firms/${firmId}`);
    }
    await add(api, "firms", { name: "Acme" }, { ...admin, orgId: "org_2" });
  });
});

Deno.test("another tenant's children are out of reach even when they point here", async () => {
  await withDefinitions(FILES, async (api) => {
    const firmId = await add(api, "firms", { name: "Acme" });
    const crewId = await add(api, "crews", { name: "Far" }, { ...admin, orgId: "org_2" });
    await api.database.write((transaction) =>
      transaction.run({ sql: "UPDATE crews SET firm_id = ? WHERE id = ?", args: [firmId, crewId] })
    );
    await remove(api, `firms/${firmId}`);
    assertEquals(
      (await api.ask(`crews/${crewId}`, { as: { ...admin, orgId: "org_2" } })).status,
      200,
    );
  });
});

Deno.test("a hard delete leaves children to the database: cascade at every level, and set null", async () => {
  await withDefinitions(FILES, async (api) => {
    const boxId = await add(api, "boxes", { name: "Box" });
    const itemId = await add(api, "items", { boxId });
    const partId = await add(api, "parts", { itemId });
    const labelId = await add(api, "labels", { boxId });
    await remove(api, `boxes/${boxId}`);
    for (const path of [`boxes/${boxId}`, `items/${itemId}`, `parts/${partId}`]) {
      assertEquals(await codeOf(api, path), "FIREWALL_NOT_FOUND", path);
    }
    const label = await api.ask(`labels/${labelId}`, { as: admin });
    assertEquals([label.status, label.body["boxId"]], [200, null]);
  });
});

Deno.test("children of records that are deleted together are stamped once", async () => {
  await withDefinitions(FILES, async (api) => {
    const one = await firm(api);
    const two = await add(api, "firms", { name: "Bolt" });
    const crewId = await add(api, "crews", { name: "Blue", firmId: two });
    const answer = await api.ask("firms/batch", {
      as: admin,
      method: "DELETE",
      body: { ids: [one.firmId, two] },
    });
    assertEquals(answer.status, 200);
    for (const path of [`crews/${crewId}`, `crews/${one.crewId}`, `lamps/${one.lampId}`]) {
      assertEquals(await codeOf(api, path), "FIREWALL_SOFT_DELETED", path);
    }
  });
});
