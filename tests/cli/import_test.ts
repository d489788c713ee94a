/** Drafts of `import`: they compile, start, and are served to nobody until somebody names roles. */
import { join } from "node:path";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { compileFolder } from "../../cli/compile_folder.ts";
import { startApi } from "../../cli/dev/api_process.ts";
import { readProjectFolder } from "../../cli/project_folder.ts";
import { withDefinitions } from "../support/api.ts";
import { freePort } from "../support/free_port.ts";
import { inFolder, type Run, runCli, runHere } from "./command_line.ts";

const SQL = `CREATE TABLE orgs (id serial PRIMARY KEY, name text);
CREATE TABLE users (id serial PRIMARY KEY, email text);
CREATE TABLE org_members (org_id int REFERENCES orgs, user_id int REFERENCES users, PRIMARY KEY (org_id, user_id));
CREATE TYPE state AS ENUM ('open', 'done');
CREATE TABLE orders (id serial PRIMARY KEY, org_id int NOT NULL REFERENCES orgs, no int DEFAULT nextval('orders_no'),
  state state NOT NULL DEFAULT 'open', quantity int NOT NULL CHECK (quantity > 0), price numeric(8, 2) NOT NULL,
  amount numeric(18, 2) GENERATED ALWAYS AS (quantity * price) STORED, label text GENERATED ALWAYS AS (state || '!') STORED,
  buyer int REFERENCES users, parent_id int REFERENCES orders ON DELETE SET NULL, UNIQUE (org_id, no));
CREATE TABLE lines (id serial PRIMARY KEY, order_id int NOT NULL REFERENCES orders ON DELETE CASCADE, note varchar(20));
CREATE INDEX ON lines (note, order_id);
CREATE POLICY p ON lines FOR SELECT USING (EXISTS (SELECT 1 FROM orders o WHERE o.id = lines.order_id AND o.buyer = auth.uid()));`;

const PRISMA = `model Action {
  id String @id @default(cuid())
  name String @unique
  tags Tag[]
  notes String[]
}
model Tag {
  id Int @id @default(autoincrement())
  actions Action[]
}`;

const OPENAPI = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths: {}
components:
  schemas:
    Pet:
      type: object
      required: [petId, name]
      properties:
        petId: { type: integer }
        name: { type: string, maxLength: 40, default: Rex }
        mood: { anyOf: [{ $ref: "moods.yaml#/Mood" }, { type: "null" }] }
        friend: { $ref: "#/components/schemas/Pet" }
`;

const CALLER = { sub: "user_1", orgId: "org_1", roles: ["owner"] };

interface Sample {
  readonly kind: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file or folder that is imported. */
  readonly from: string;
  readonly segments: readonly string[];
}

const SAMPLES: readonly Sample[] = [
  { kind: "sql", files: { "schema.sql": SQL }, from: "schema.sql", segments: ["orders", "lines"] },
  {
    kind: "prisma",
    files: {
      "models/a.prisma": PRISMA,
      "models/b.prisma": "model Old {\n  id Int @id\n  @@ignore\n}\n",
    },
    from: "models",
    segments: ["action-records", "tags", "action-tags"],
  },
  {
    kind: "openapi",
    files: { "shop.yaml": OPENAPI, "moods.yaml": "Mood:\n  type: string\n  enum: [good, bad]\n" },
    from: "shop.yaml",
    segments: ["pets"],
  },
];

async function inDesk(
  files: Sample["files"],
  body: (folder: string, desk: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await succeeds(runHere(["new", "empty", "desk"], { cwd: folder }));
    await body(folder, join(folder, "desk"));
  });
}

async function succeeds(run: Promise<Run>): Promise<Run> {
  const done = await run;
  assertEquals(done.code, 0, done.out + done.err);
  return done;
}

for (const { kind, files, from, segments } of SAMPLES) {
  Deno.test(`a draft of ${kind} is served, closed, and described`, () =>
    inDesk(files, async (folder, desk) => {
      await succeeds(runHere(["import", kind, from, "desk"], { cwd: folder }));
      const { rawFiles } = await readProjectFolder(desk);
      await withDefinitions(rawFiles, async (api) => {
        for (const segment of segments) {
          assertEquals((await api.ask(segment, { as: CALLER })).status, 403, segment);
          assertEquals((await api.ask(segment)).status, 401, segment);
        }
      });
    }));
}

Deno.test("a draft compiles and starts, with its migration", () =>
  inDesk({ "schema.sql": SQL }, async (folder, desk) => {
    await succeeds(runCli(["import", "sql", "schema.sql", "desk"], { cwd: folder }));
    const out = join(folder, "api");
    const compiled = await compileFolder({ folder: desk, out, force: false, checksBundle: false });
    assertEquals(compiled.findings.errors, []);
    const port = freePort();
    const environment = {
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: "file:./data/app.db",
      AUTH_SECRET: "0123456789abcdef0123456789abcdef0123456789abcdef",
    };
    const api = await startApi({ folder: out, port, preloaded: [], environment, onLine: () => {} });
    try {
      assertEquals((await fetch(`http://localhost:${port}/health`)).status, 200);
      const list = await fetch(`http://localhost:${port}/api/v1/lines`);
      assertEquals(list.status, 401);
      await list.body?.cancel();
    } finally {
      await api.stop();
      await api.ended;
    }
  }));

const TWO = `CREATE TABLE users (id int PRIMARY KEY, email text);
CREATE TABLE shops (id int PRIMARY KEY); CREATE TABLE teams (id int PRIMARY KEY);
CREATE TABLE shop_members (shop_id int REFERENCES shops, user_id int REFERENCES users);
CREATE TABLE team_members (team_id int REFERENCES teams, user_id int REFERENCES users);
CREATE TABLE notes (id int PRIMARY KEY, shop_id int REFERENCES shops);`;

Deno.test("a tenant that nothing can guess is asked for, and a wrong one refused", () =>
  inDesk({ "schema.sql": TWO }, async (folder, desk) => {
    const command = ["import", "sql", "schema.sql", "desk"];
    const unclear = await runHere(command, { cwd: folder });
    assertEquals(unclear.code, 2);
    assertStringIncludes(unclear.err, "say --tenant <table>, one of shops, teams, none");
    const wrong = await runHere([...command, "--tenant", "shopz"], { cwd: folder });
    assertEquals(wrong.code, 2);
    assertStringIncludes(wrong.err, 'There is no table "shopz" to be the tenant');
    await succeeds(runHere([...command, "--tenant", "shop"], { cwd: folder }));
    const decisions = await Deno.readTextFile(join(desk, "DECIDE.md"));
    assertStringIncludes(decisions, 'Organizations stand for "shops": --tenant shop says so');
  }));
