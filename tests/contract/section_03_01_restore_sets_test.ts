/** What one deletion stamped comes back together, whatever its rows refer to (contract 3.1). */
import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { SqlValue } from "../../shared/runtime/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, withApi, withDefinitions } from "../support/api.ts";
import { type Random, seededRandom } from "../support/random.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

interface Link {
  readonly column: string;
  readonly target: string;
  readonly onDelete?: "cascade" | "set null";
}

/** A project with these tables, and these foreign keys between them. */
function projectOf(tables: Readonly<Record<string, readonly Link[]>>): Record<string, string> {
  const file = ([name, links]: [string, readonly Link[]]): [string, string] => {
    const others = new Set(links.map(({ target }) => target).filter((target) => target !== name));
    const imports = [...others].map((other) => `import ${other} from "../${other}/${other}.ts";\n`);
    const columns = links.map(({ column, target, onDelete }) => {
      const rule = onDelete ? `, { onDelete: "${onDelete}" }` : "";
      return `${column}: q.text().references(() => ${target}.id${rule}),`;
    });
    return [
      `quickback/features/${name}/${name}.ts`,
      `import { feature, q } from "quickback";
${imports.join("")}
const ${name} = feature("${name}", {
  columns: { organizationId: q.scope("organization"), name: q.text(), ${columns.join(" ")} },
  guards: false,
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] }, restore: { access: { roles: ["admin"] } } },
});
export default ${name};
`,
    ];
  };
  return {
    "quickback/quickback.config.ts": 'export default { name: "sets" };\n',
    ...Object.fromEntries(Object.entries(tables).map(file)),
  };
}

async function add(api: ApiUnderTest, table: string, body: Record<string, unknown>) {
  const answer = await api.ask(table, { as: admin, body: { name: "a", ...body } });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function change(api: ApiUnderTest, path: string, body: Record<string, unknown>) {
  const answer = await api.ask(path, { as: admin, method: "PATCH", body });
  assertEquals(answer.status, 200, answer.text);
}

async function remove(api: ApiUnderTest, path: string): Promise<void> {
  assertEquals((await api.ask(path, { as: admin, method: "DELETE" })).status, 200);
}

async function restore(api: ApiUnderTest, path: string): Promise<number> {
  return (await api.ask(`${path}/restore`, { as: admin, method: "POST" })).status;
}

async function statuses(api: ApiUnderTest, ...paths: string[]): Promise<readonly number[]> {
  const answers = await Promise.all(paths.map((path) => api.ask(path, { as: admin })));
  return answers.map(({ status }) => status);
}

/** Answers to a comment are cleared, not deleted, when it alone goes; attachments stand before comments in every list. */
const DESK = projectOf({
  tickets: [],
  attachments: [{ column: "ticketId", target: "tickets" }, {
    column: "commentId",
    target: "comments",
    onDelete: "set null",
  }],
  comments: [{ column: "ticketId", target: "tickets", onDelete: "cascade" }, {
    column: "replyToId",
    target: "comments",
    onDelete: "set null",
  }],
  workers: [{ column: "chiefId", target: "workers" }, { column: "crewId", target: "crews" }],
  crews: [{ column: "leaderId", target: "workers" }],
});

Deno.test("replies, chains of them and attachments of comments come back with their ticket, and their links", async () => {
  await withDefinitions(DESK, async (api) => {
    const ticketId = await add(api, "tickets", {});
    const comments = [await add(api, "comments", { ticketId })];
    for (const _ of [1, 2, 3]) {
      comments.push(await add(api, "comments", { ticketId, replyToId: comments.at(-1) }));
    }
    const attached = await add(api, "attachments", { ticketId, commentId: comments[2] });
    const below = [...comments.map((id) => `comments/${id}`), `attachments/${attached}`];
    await remove(api, `tickets/${ticketId}`);
    assertEquals(await statuses(api, ...below), below.map(() => 403));
    assertEquals(await restore(api, `tickets/${ticketId}`), 200);
    assertEquals(await statuses(api, ...below), below.map(() => 200));
    const { body } = await api.ask(`comments/${comments[3]}`, { as: admin });
    assertEquals(body["replyToId"], comments[2]);
  });
});

Deno.test("a link that its deletion has cleared stays cleared, and a reply of another deletion stays", async () => {
  await withDefinitions(DESK, async (api) => {
    const ticketId = await add(api, "tickets", {});
    const comment = await add(api, "comments", { ticketId });
    const reply = await add(api, "comments", { ticketId, replyToId: comment });
    const last = await add(api, "comments", { ticketId, replyToId: reply });
    await remove(api, `comments/${comment}`);
    api.pass(1000);
    await remove(api, `tickets/${ticketId}`);
    assertEquals(await restore(api, `comments/${comment}`), 409);
    assertEquals(await restore(api, `tickets/${ticketId}`), 200);
    const all = [comment, reply, last].map((id) => `comments/${id}`);
    assertEquals(await statuses(api, ...all), [403, 200, 200]);
    const { body } = await api.ask(`comments/${reply}`, { as: admin });
    assertEquals(body["replyToId"], null);
  });
});

Deno.test("rows that refer to each other, and to themselves, come back by either of them", async () => {
  await withDefinitions(DESK, async (api) => {
    const crewId = await add(api, "crews", {});
    const leaderId = await add(api, "workers", { crewId });
    await change(api, `crews/${crewId}`, { leaderId });
    const chiefId = await add(api, "workers", {});
    await change(api, `workers/${chiefId}`, { chiefId });
    const pair = [`crews/${crewId}`, `workers/${leaderId}`];
    for (const [gone, back] of [[0, 0], [0, 1], [1, 0], [1, 1]] as const) {
      await remove(api, String(pair[gone]));
      assertEquals(await statuses(api, ...pair), [403, 403]);
      assertEquals(await restore(api, String(pair[back])), 200);
      assertEquals(await statuses(api, ...pair), [200, 200]);
      api.pass(1000);
    }
    await remove(api, `workers/${chiefId}`);
    assertEquals(await restore(api, `workers/${chiefId}`), 200);
  });
});

const KINDS = ["cascade", "set null", null] as const;

/** Tables with up to three foreign keys each, to any of them. */
function randomTables(random: Random): Readonly<Record<string, readonly Link[]>> {
  const names = ["ants", "bees", "cats", "dogs", "emus"].slice(0, 2 + random.below(4));
  return Object.fromEntries(names.map((name) => [
    name,
    Array.from({ length: 1 + random.below(3) }, (_, at): Link => {
      const onDelete = random.pick(KINDS);
      const target = random.pick(names);
      return { column: `link${at}`, target, ...(onDelete ? { onDelete } : {}) };
    }),
  ]));
}

interface Row {
  readonly path: string;
  readonly stamp: SqlValue;
  readonly parents: readonly string[];
}

async function rowsOf(api: ApiUnderTest, { tables }: ProjectModel): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name, sqlName, columns } of tables) {
    const links = columns.flatMap(({ sqlName, references }) =>
      references ? [{ sqlName, target: references.table }] : []
    );
    const names = ["id", "deleted_at", ...links.map(({ sqlName }) => sqlName)];
    const sql = `SELECT ${names.join(", ")} FROM ${sqlName}`;
    const answer = await api.database.run({ sql, args: [] });
    rows.push(...answer.rows.map(([id, stamp = null, ...keys]): Row => ({
      path: `${name}/${id}`,
      stamp,
      parents: links.flatMap(({ target }, at) =>
        keys[at] === null ? [] : [`${target}/${keys[at]}`]
      ),
    })));
  }
  return rows;
}

/** Paths that come back, by the definition: of what the deletion stamped at or below a row, all that leaves no parent deleted. */
function expectedBack(rows: readonly Row[], path: string): readonly string[] {
  const root = rows.find((row) => row.path === path);
  const stamped = rows.filter(({ stamp }) => stamp === root?.stamp);
  const below = new Set([path]);
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const row of stamped) {
      if (row.parents.some((parent) => below.has(parent))) below.add(row.path);
    }
  }
  const deleted = new Set(rows.filter(({ stamp }) => stamp !== null).map((row) => row.path));
  for (let size = -1; size !== below.size;) {
    size = below.size;
    for (const row of stamped) {
      if (row.parents.some((parent) => deleted.has(parent) && !below.has(parent))) {
        below.delete(row.path);
      }
    }
  }
  return below.has(path) ? [...below].sort() : [];
}

function isLive({ stamp }: Row): boolean {
  return stamp === null;
}

async function deletesAndRestores(api: ApiUnderTest, random: Random): Promise<number> {
  const { tables } = api.project;
  for (let at = 0; at < 14; at += 1) await add(api, random.pick(tables).name, {});
  for (const { path } of await rowsOf(api, api.project)) {
    const table = tables.find(({ name }) => path.startsWith(`${name}/`));
    for (const { name, references } of table?.columns ?? []) {
      const parents = (await rowsOf(api, api.project))
        .filter((row) => references && row.path.startsWith(`${references.table}/`));
      if (parents.length === 0 || random.chance(25)) continue;
      await change(api, path, { [name]: random.pick(parents).path.split("/")[1] });
    }
  }
  let together = 0;
  for (let round = 0; round < 24; round += 1) {
    const before = await rowsOf(api, api.project);
    const live = before.filter(isLive);
    if (live.length > 0 && (live.length === before.length || random.chance(50))) {
      // Deletions of one moment are one.
      if (random.chance(80)) api.pass(1000);
      await remove(api, random.pick(live).path);
      continue;
    }
    const { path } = random.pick(before.filter((row) => !isLive(row)));
    const expected = expectedBack(before, path);
    assertEquals(await restore(api, path), expected.length > 0 ? 200 : 409);
    const gone = new Set(before.filter((row) => !isLive(row)).map((row) => row.path));
    const back = (await rowsOf(api, api.project)).filter((row) =>
      isLive(row) && gone.has(row.path)
    );
    assertEquals(back.map((row) => row.path).sort(), expected);
    if (expected.length > 1) together += 1;
  }
  return together;
}

Deno.test("over random tables, links and deletions, what comes back is what the definition says", async () => {
  let together = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = seededRandom(seed);
    const validation = validate(projectOf(randomTables(random)));
    if (!validation.ok) throw new Error(JSON.stringify(validation.errors, null, 2));
    await withApi(validation.model, async (api) => {
      together += await deletesAndRestores(api, random);
    });
  }
  // Most restorations must be of more than one row, or this shows nothing.
  assertEquals(together > 20, true, `only ${together} restorations of several rows`);
});
