/** Full-text search by tenant (contract 4.3): what it finds is what a plain look over the rows finds, and it reads nobody else's. */
import { assert, assertEquals } from "@std/assert";
import Libsql from "libsql";
import { openDatabase } from "../../library/platform/mod.ts";
import { planMigration } from "../../shared/compiler/migrations/plan_migration.ts";
import { sqlTables } from "../../shared/compiler/phases/5-plan/sql_tables.ts";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { organizationRowsOf } from "../../shared/runtime/data/organization_rows.ts";
import type { Database, Statement } from "../../shared/runtime/ports.ts";
import { type ApiUnderTest, type Claims, withApi, withDefinitions } from "../support/api.ts";
import { type DriverUnderTest, ofOneDatabase, withDatabase } from "../support/databases.ts";
import { schemaOf } from "../support/model_database.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { sqld, withSqld } from "../support/sqld.ts";

const test = ofOneDatabase("it writes into one database, past the API");

const member = (sub: string, orgId: string): Claims => ({ sub, orgId, roles: ["member"] });
const TENANTS = ["org_a", "org_b", "org_c"] as const;
const ALL = `{ access: { roles: ["member"] } }`;

const files = (options = "", columns = 'organizationId: q.scope("organization"),') => ({
  "quickback/quickback.config.ts": 'export default { name: "notes" };\n',
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { ${columns} title: q.text().required(), body: q.text() },
  guards: false,
  search: { mode: "fullText", fields: ["title", "body"] },
  ${options}
  read: {
    access: { roles: ["member", "PUBLIC"] },
    views: { titles: { fields: ["id", "title"], aggregations: { all: { fn: "count" } } } },
  },
  create: ${ALL}, update: ${ALL},
  delete: { access: { roles: ["member"] }, restore: { access: { roles: ["member"] } } },
});
`,
});

interface Note {
  readonly tenant: string | null;
  readonly title: string;
  readonly body: string | null;
  readonly isDeleted: boolean;
}

/** Letters with forms of their own, with accents of both kinds, and what parts words. */
const PARTS = [
  "inter",
  "nation",
  "al",
  "é",
  "E\u0301",
  "Ä",
  "ß",
  "ς",
  "Σ",
  "İ",
  "ﬁ",
  "ж",
  "漢字",
  "a",
  "b",
];

const BETWEEN = [" ", " ", "-", "@", ", ", " 😀 ", "\n", "_", "\\u0002"];

/** Many are alike in their first eight letters. */
const STEMS = ["", "", "internation", "INTERNATIÓ", "inte\u0301rnati"];

function randomWord(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.pick(PARTS));
  return random.pick(STEMS) + parts.join("");
}

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => randomWord(random))
    .reduce((text, word) => text + random.pick(BETWEEN) + word);
}

/** Words by a look at each letter; U+0307 and the like stand alone in no word. */
function wordsOf(text: string): readonly string[] {
  const folded = text.replaceAll("ς", "σ").toLowerCase().normalize("NFD").replaceAll("ς", "σ")
    .replace(/\p{M}/gu, "");
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** Every term stands in one of the texts, word by word, the last of which begins one. */
function holds(texts: readonly (string | null)[], search: string): boolean {
  const terms = search.split(/\s+/u).map(wordsOf).filter((words) => words.length > 0);
  return terms.length > 0 && terms.every((term) =>
    texts.some((text) => {
      const words = wordsOf(text ?? "");
      return words.some((_, at) =>
        term.every((word, place) => {
          const found = words[at + place];
          return place === term.length - 1 ? found?.startsWith(word) : found === word;
        })
      );
    })
  );
}

async function idsFound(api: ApiUnderTest, path: string, as: Claims): Promise<readonly string[]> {
  const { status, body, text } = await api.ask(path, { as });
  assertEquals(status, 200, text);
  const { data } = body;
  assert(Array.isArray(data));
  return data.map(({ id }) => String(id)).toSorted();
}

/** Writes at random, through the API and past it. */
async function changeWorld(
  api: ApiUnderTest,
  world: Map<string, Note>,
  random: Random,
): Promise<void> {
  const [id, note] = random.pick([...world, ["", null] as const]);
  const as = member("ann", note?.tenant ?? random.pick(TENANTS));
  const texts = { title: randomText(random), body: random.chance(80) ? randomText(random) : null };
  const past = (sql: string, ...args: string[]) =>
    api.database.write((transaction) => transaction.run({ sql, args }));
  const die = random.below(100);
  const isSeen = note !== null && note.tenant !== null && !note.isDeleted;
  if (note === null || die < 30) {
    const made = await api.ask("notes", { as, body: texts });
    assertEquals(made.status, 201, made.text);
    world.set(String(made.body["id"]), { tenant: as.orgId ?? null, ...texts, isDeleted: false });
  } else if (isSeen && die < 55) {
    assertEquals((await api.ask(`notes/${id}`, { as, method: "PATCH", body: texts })).status, 200);
    world.set(id, { ...note, ...texts });
  } else if (isSeen && die < 70) {
    await api.ask(`notes/${id}`, { as, method: "DELETE" });
    world.set(id, { ...note, isDeleted: true });
  } else if (note.isDeleted && note.tenant !== null && die < 70) {
    await api.ask(`notes/${id}/restore`, { as, method: "POST" });
    world.set(id, { ...note, isDeleted: false });
  } else if (die < 80) {
    await past("DELETE FROM notes WHERE id = ?", id);
    world.delete(id);
  } else {
    const tenant = random.pick(TENANTS);
    await past(
      "UPDATE notes SET organization_id = ?, title = ? WHERE id = ?",
      tenant,
      texts.title,
      id,
    );
    world.set(id, { ...note, tenant, title: texts.title });
  }
}

/** Beginnings of words that there are, in one or several words. */
function randomSearch(world: ReadonlyMap<string, Note>, random: Random): string {
  const beginning = () => {
    const { title, body } = random.pick([...world.values()]);
    const text = random.pick([title, body ?? title]);
    const words = random.chance(70) ? text.split(/[\s@,_-]+/u) : text.split(/\s+/u);
    const word = [...random.pick(words)].slice(0, 1 + random.below(14)).join("");
    return random.pick([word, word.toUpperCase(), word.normalize("NFD")]);
  };
  return random.chance(75) ? beginning() : `${beginning()} ${beginning()}`;
}

for (const seed of [1, 2]) {
  test(`searches of several tenants find what a plain look finds (world ${seed})`, () =>
    withDefinitions(files(), async (api) => {
      const random = seededRandom(seed);
      const world = new Map<string, Note>();
      for (let step = 0; step < 120; step++) await changeWorld(api, world, random);
      let hits = 0;
      for (let step = 0; step < 200; step++) {
        if (step % 5 === 0) await changeWorld(api, world, random);
        if (world.size === 0) continue;
        const search = randomSearch(world, random);
        const tenant = random.pick(TENANTS);
        const query = `search=${encodeURIComponent(search)}&limit=100`;
        const expected = (of: (note: Note) => readonly (string | null)[]) =>
          [...world].filter(([, note]) =>
            note.tenant === tenant && !note.isDeleted && holds(of(note), search)
          ).map(([id]) => id).toSorted();
        const as = member("ann", tenant);
        const found = await idsFound(api, `notes?${query}`, as);
        assertEquals(found, expected(({ title, body }) => [title, body]), JSON.stringify(search));
        hits += found.length > 0 ? 1 : 0;
        assertEquals(
          await idsFound(api, `notes/views/titles?${query}`, as),
          expected(({ title }) => [title]),
          JSON.stringify(search),
        );
      }
      assert(hits > 40, `${hits} searches found something`);
    }));
}

/** Statements of a search with the index. */
async function statementsOf(api: ApiUnderTest, path: string, as: Claims): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { run, runAll } = api.database;
  Object.assign(api.database, {
    run: (statement: Statement) => {
      statements.push(statement);
      return run.call(api.database, statement);
    },
    runAll: (all: readonly Statement[]) => {
      statements.push(...all);
      return runAll.call(api.database, all);
    },
  });
  await idsFound(api, path, as);
  Object.assign(api.database, { run, runAll });
  return statements.filter(({ sql }) => sql.includes("notes_search"));
}

/** Pages of the index that a statement reads: those without which it fails. */
function pagesRead(database: Libsql.Database, { sql, args }: Statement): number {
  const ids = database.prepare("SELECT id FROM notes_search_data ORDER BY id").raw().all().flat();
  const [remove, asked] = [
    database.prepare("DELETE FROM notes_search_data WHERE id BETWEEN ? AND ?"),
    database.prepare(sql),
  ];
  const fails = (some: readonly unknown[]) => {
    database.exec("BEGIN");
    try {
      remove.run(some.at(0), some.at(-1));
      asked.all(...args);
      return false;
    } catch (error) {
      assert(/malformed/.test(String(error)), String(error));
      return true;
    } finally {
      database.exec("ROLLBACK");
    }
  };
  const readAmong = (some: readonly unknown[]): number => {
    if (!fails(some)) return 0;
    const half = some.length >> 1;
    return half === 0 ? 1 : readAmong(some.slice(0, half)) + readAmong(some.slice(half));
  };
  assert(ids.length > 200, `${ids.length} pages`);
  return readAmong(ids);
}

/** Two tenants with four thousand rows of the same words, each many times, around one with other words. */
const CROWD = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3999)
  INSERT INTO notes (id, organization_id, title, body, created_at)
  SELECT o.tenant || i, o.tenant,
    CASE o.tenant WHEN 'org_b' THEN 'own title ' || (i % 50) ELSE
      replace(hex(zeroblob(20)), '00', CASE i % 2 WHEN 0 THEN 'even ' ELSE 'odd ' END) ||
      'internationalisation' || i END,
    CASE o.tenant WHEN 'org_b' THEN 'own text' ELSE
      replace(hex(zeroblob(20)), '00', CASE i % 2 WHEN 0 THEN 'left ' ELSE 'hidden ' END) || hex(i) END,
    '2026-01-01T00:00:00.000Z'
  FROM n CROSS JOIN (SELECT 'org_a' AS tenant UNION ALL SELECT 'org_b' UNION ALL SELECT 'org_c') AS o
  WHERE o.tenant <> 'org_b' OR i < 200`;

test("a search reads no more of the index for words of other tenants than for words of nobody", () =>
  withDefinitions(files(), async (api) => {
    // The same rows beside the API's own, which takes no page away.
    const database = new Libsql(":memory:");
    for (const { sql } of schemaOf(api.project)) database.exec(sql);
    database.exec(`${CROWD}; INSERT INTO notes_search (notes_search) VALUES ('optimize')`);
    const read = (statement: Statement) => pagesRead(database, statement);
    const asked = async (search: string, path = "notes") => {
      const query = `${path}?search=${encodeURIComponent(search)}`;
      const [statement] = await statementsOf(api, query, member("ann", "org_b"));
      assert(statement);
      return statement;
    };
    for (
      const { other, nobody, path } of [
        { other: "e", nobody: "f" },
        { other: "ev", nobody: "fv" },
        { other: "internat", nobody: "interzzz" },
        { other: "internationalisation4", nobody: "interzzzzzzzz" },
        { other: "even odd", nobody: "fven ofd" },
        { other: "even internationalisation12", nobody: "fven interzzzzzzzz" },
        { other: "left-hidden", nobody: "leff-hiffen" },
        { other: "even-odd", nobody: "fven-ofd" },
        { other: "hidden-internationalisation", nobody: "hiffen-interzzzzzzzz" },
        { other: "hidden", nobody: "hiffen", path: "notes/views/titles" },
        { other: "even hidden", nobody: "fven hiffen", path: "notes/views/titles" },
      ]
    ) {
      const [there, absent] = [read(await asked(other, path)), read(await asked(nobody, path))];
      // Where entries begin, and where the tenant's would be: of the word, or of two words and twice the mark.
      const lookUps = /[ -]/.test(other) ? 4 : 1;
      assert(there - absent <= 2 * lookUps, `${other}: ${there}, ${nobody}: ${absent}`);
    }
    database.close();
  }));

/** The range of the caller's rows, which each look-up in the index has. */
const RANGE =
  /o\.tenant = \? AND .*\.rowid BETWEEN \(o\.n << 32\) AND \(o\.n << 32\) \+ 4294967295/;

/** What a search finds, and whether each of its statements reads the rows of one tenant alone. */
async function asked(api: ApiUnderTest, path: string, as: Claims) {
  const statements = await statementsOf(api, path, as);
  assert(statements.length > 0);
  return {
    ids: await idsFound(api, path, as),
    isBound: statements.every(({ sql }) => RANGE.test(sql)),
  };
}

const SCOPES: readonly {
  readonly scope: string;
  readonly options?: string;
  readonly columns: string;
  readonly tenant: string | undefined;
  /** Caller → the titles that they find, and whether nothing else is read. */
  readonly finds: readonly (readonly [Claims, string, boolean])[];
}[] = [
  {
    scope: "an organization",
    columns: 'organizationId: q.scope("organization"),',
    tenant: "organizationId",
    finds: [[member("ann", "org_a"), "12", true], [member("bob", "org_b"), "3", true]],
  },
  {
    scope: "an organization with owners, whom some see beside their own",
    columns: 'organizationId: q.scope("organization"), ownerId: q.scope("owner"),',
    options: `firewall: [
      { field: "organizationId", equals: "ctx.activeOrgId" },
      { field: "ownerId", equals: "ctx.userId", exceptRoles: ["chief"] },
    ],`,
    tenant: "organizationId",
    finds: [
      [member("ann", "org_a"), "1", true],
      [{ ...member("eve", "org_a"), roles: ["member", "chief"] }, "12", true],
    ],
  },
  {
    scope: "an organization that some callers see past",
    columns: 'organizationId: q.scope("organization"),',
    options: `firewall: [
      { field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["chief"] },
    ],`,
    tenant: "organizationId",
    finds: [
      [member("ann", "org_a"), "12", true],
      [{ ...member("eve", "org_a"), roles: ["member", "chief"] }, "1234", false],
    ],
  },
  {
    scope: "an owner",
    columns: 'ownerId: q.scope("owner"),',
    tenant: "ownerId",
    finds: [[member("ann", "org_a"), "14", true], [member("bob", "org_b"), "23", true]],
  },
  {
    scope: "nobody",
    columns: "",
    options: "firewall: { exception: true },",
    tenant: undefined,
    finds: [[member("ann", "org_a"), "1234", false], [member("bob", "org_b"), "1234", false]],
  },
];

for (const { scope, columns, options = "", tenant, finds } of SCOPES) {
  test(`a search by rows of ${scope} reads what its caller may see`, () =>
    withDefinitions(files(options, columns), async (api) => {
      assertEquals(api.project.resources[0]?.search?.tenant, tenant);
      const makers = [["ann", "org_a"], ["bob", "org_a"], ["bob", "org_b"], [
        "ann",
        "org_z",
      ]] as const;
      for (const [at, [user, organization]] of makers.entries()) {
        const names = ["organization_id", "owner_id"].filter((name) =>
          columns.includes(name === "owner_id" ? "ownerId" : "organizationId")
        );
        const values = names.map((name) => name === "owner_id" ? user : organization);
        await api.database.write((transaction) =>
          transaction.run({
            sql: `INSERT INTO notes (${
              ["id", "title", "created_at", ...names].join(", ")
            }) VALUES (${["?", "?", "?", ...names.map(() => "?")].join(", ")})`,
            args: [
              String(at + 1),
              `internationalisation ${at}`,
              "2026-01-01T00:00:00.000Z",
              ...values,
            ],
          })
        );
      }
      for (const [as, ids, isBound] of finds) {
        for (const text of ["internat", "internationali", `"internationalisation-`, "in int"]) {
          const path = `notes?search=${encodeURIComponent(text)}`;
          assertEquals(
            await asked(api, path, as),
            { ids: [...ids], isBound },
            `${as.sub}: ${text}`,
          );
        }
      }
      // A character that marks tenants in the index finds nothing, whoever asks with it.
      for (const [as] of finds.filter(() => tenant !== undefined)) {
        for (const mark of ["\u{f0001}", "\u{f0002}", "\u{f0001} internat", "a\u{f0001}"]) {
          assertEquals(await idsFound(api, `notes?search=${encodeURIComponent(mark)}`, as), []);
        }
      }
    }));
}

test("anonymous callers read the rows of the organization that they name", () =>
  withDefinitions(files(), async (api) => {
    for (const tenant of TENANTS) {
      await api.ask("notes", { as: member("ann", tenant), body: { title: `open ${tenant}` } });
    }
    const answer = await api.ask("notes?search=open&organizationId=org_b");
    assertEquals(Object(answer.body["data"]).map(({ title }: Note) => title), ["open org_b"]);
  }));

/** The same project as an older compile made it: its index has no tenants. */
function asOlder(project: ProjectModel): ProjectModel {
  return {
    ...project,
    resources: project.resources.map((resource) => {
      const { tenant: _, ...search } = resource.search ?? { mode: "fullText", columns: [] };
      return resource.search ? { ...resource, search } : resource;
    }),
  };
}

/** A database that has its tables. */
function migrated(database: Database): DriverUnderTest {
  const kept: Database = Object.create(database, { migrate: { value: () => Promise.resolve() } });
  return { name: "embedded", with: (body) => body(kept, null) };
}

async function keepsSearch(database: Database): Promise<void> {
  const validation = validate(files());
  assert(validation.ok);
  const now = validation.model;
  const older = asOlder(now);
  const finds = async (api: ApiUnderTest, tenant: string, text: string) => {
    const path = `notes?search=${encodeURIComponent(text)}&sort=title`;
    const answer = await api.ask(path, { as: member("ann", tenant) });
    return Object(answer.body["data"]).map(({ title }: Note) => title);
  };
  const driver: DriverUnderTest = { name: "embedded", with: (body) => body(database, null) };
  await withApi(older, async (api) => {
    for (const tenant of TENANTS) {
      for (const title of ["apple pie", "international", "foo-bar"]) {
        await api.ask("notes", {
          as: member("ann", tenant),
          body: { title: `${title} ${tenant}` },
        });
      }
    }
    // A project that was not compiled again goes on as before.
    assertEquals(await finds(api, "org_b", "pie foo"), []);
    assertEquals(await finds(api, "org_b", "internation"), ["international org_b"]);
  }, { driver });
  const hints = {
    tables: new Map(),
    columns: new Map(),
    backfills: new Map(),
    allowDestructive: false,
  };
  const first = planMigration({ tables: sqlTables(older), hints, state: new Map() });
  assert(first.kind === "planned");
  const state = new Map(first.files.map(({ path, content }) => [path, content]));
  const second = planMigration({ tables: sqlTables(now), hints, state });
  assert(second.kind === "planned" && second.tag !== null, JSON.stringify(second));
  const sql = second.files.find(({ path }) => path.endsWith(`${second.tag}.sql`))?.content ?? "";
  await database.migrate(
    sql.split("--> statement-breakpoint").map((text) => ({ sql: text.trim(), args: [] })),
  );
  await withApi(now, async (api) => {
    for (const tenant of TENANTS) {
      assertEquals(await finds(api, tenant, "pie appl"), [`apple pie ${tenant}`]);
      assertEquals(await finds(api, tenant, "internation"), [`international ${tenant}`]);
      assertEquals(await finds(api, tenant, "foo-ba"), [`foo-bar ${tenant}`]);
    }
    await api.ask("notes", { as: member("ann", "org_a"), body: { title: "pear pie" } });
    assertEquals(await finds(api, "org_a", "pie"), ["apple pie org_a", "pear pie"]);
  }, { driver: migrated(database) });
}

test("an index of an older compile serves on, and is made anew by the next migration, on a file", () =>
  withDatabase(keepsSearch));

test("the same on a server", async () => {
  const program = await sqld();
  if (program === null) return;
  await withSqld(program, async ({ url }) => {
    const database = await openDatabase({ url });
    try {
      await keepsSearch(database);
    } finally {
      await database.close();
    }
  });
});

test("a tenant that is purged leaves neither words nor its name in the index", () =>
  withDefinitions(files(), async (api) => {
    await api.ask("notes", { as: member("ann", "org_a"), body: { title: "secret plan" } });
    await api.ask("notes", { as: member("bob", "org_b"), body: { title: "other" } });
    const { removeSome } = organizationRowsOf(api.project);
    while (await api.database.write((transaction) => removeSome(transaction, "org_a")));
    const held = async (sql: string) => (await api.database.run({ sql, args: [] })).rows.flat();
    assertEquals(await held("SELECT tenant FROM notes_search_tenants"), ["org_b"]);
    assertEquals(await held("SELECT count(*) FROM notes_search"), [1]);
    assertEquals(await held("SELECT count(*) FROM notes_search_keys"), [1]);
    assertEquals((await idsFound(api, "notes?search=other", member("bob", "org_b"))).length, 1);
  }));
