/** Foreign schemas become what they mean, and files that are none are refused. */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { DraftError } from "../../../cli/adopt/foreign_schema.ts";
import { readOpenApi } from "../../../cli/adopt/read_openapi.ts";
import { readPrisma } from "../../../cli/adopt/read_prisma.ts";
import { readSql } from "../../../cli/adopt/read_sql.ts";
import { columnsOf, drafted, lineOf } from "../../support/drafts.ts";

const SQL: readonly (readonly [title: string, sql: string, columns: Record<string, string>])[] = [
  [
    "PostgreSQL",
    `-- a \`backtick\` in a comment, and one in a text
     CREATE TYPE app."State" AS ENUM ('open', 'it''s done');
     CREATE TABLE people (id uuid PRIMARY KEY);
     CREATE TABLE app."Jobs" (id bigserial PRIMARY KEY, state app."State" DEFAULT 'open'::app."State" NOT NULL,
       at timestamp(3) with time zone DEFAULT now(), price numeric(10,2) CHECK (price >= 0), tags text[] DEFAULT '{}'::text[],
       ok boolean DEFAULT true, note character varying(20) DEFAULT 'a;\`b'::character varying, day date DEFAULT CURRENT_DATE,
       raw bytea, took interval, span tstzrange, no int GENERATED ALWAYS AS IDENTITY, count int NOT NULL,
       twice int GENERATED ALWAYS AS (count * 2) STORED, kind text CHECK (kind = ANY (ARRAY['a'::text, 'b'::text])),
       boss uuid REFERENCES people(id) ON DELETE SET NULL, token text DEFAULT gen_random_uuid(),
       CONSTRAINT c CHECK (char_length(note) > 2 AND count BETWEEN 1 AND 9));`,
    {
      state: `q.enum(["open", "it's done"]).required().default("open")`,
      at: "q.timestamp().defaultNow()",
      price: 'q.decimal({ precision: 10, scale: 2, min: "0.00" })',
      tags: "q.list(q.text(), { maxItems: 1000 }).default([])",
      ok: "q.bool().default(true)",
      note: 'q.text({ maxLength: 20, minLength: 3 }).default("a;`b")',
      day: 'q.date().default("now")',
      raw: "q.text()",
      took: "q.text()",
      span: "q.text()",
      no: "q.int().default({ sequence: true })",
      count: "q.int({ min: 1, max: 9 }).required()",
      twice: "q.computed(q.int(), ({ count }) => count * 2)",
      kind: 'q.enum(["a", "b"])',
      boss: 'q.text().references(() => people.id, { onDelete: "set null" })',
      token: "q.text().default({ random: 32 })",
    },
  ],
  [
    "MySQL",
    "CREATE TABLE `people` (`id` int PRIMARY KEY);\n# a comment\nCREATE TABLE `jobs` (`id` int(10) unsigned NOT NULL AUTO_INCREMENT, " +
    "`state` enum('a','it\\'s') CHARACTER SET utf8 DEFAULT 'a', `done` tinyint(1) NOT NULL DEFAULT '0', `n` smallint unsigned COMMENT 'How many', " +
    "`code` varchar(8) BINARY, `at` datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), `boss_id` int, `key` json, " +
    "PRIMARY KEY (`id`) USING BTREE, UNIQUE KEY `u` (`n`), KEY k (`state`(9)), KEY `two` (`n`,`state`) USING BTREE, FULLTEXT KEY `f` (`code`), " +
    "CONSTRAINT `c` FOREIGN KEY (`boss_id`) REFERENCES `people` (`id`) ON DELETE CASCADE ON UPDATE CASCADE) " +
    "ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC COMMENT='Jobs';",
    {
      state: `q.enum(["a", "it's"]).index().default("a")`,
      done: "q.bool().required().default(false)",
      n: 'q.int({ min: 0 }).unique().describe("How many")',
      code: "q.text({ maxLength: 8 })",
      at: "q.timestamp().defaultNow()",
      bossId: 'q.text().references(() => people.id, { onDelete: "cascade" })',
      key: "q.json()",
    },
  ],
  [
    "SQLite",
    `CREATE TABLE [jobs] (id INTEGER PRIMARY KEY AUTOINCREMENT, [full name] TEXT NOT NULL ON CONFLICT IGNORE UNIQUE DEFAULT 'x', n,
       w REAL DEFAULT -1.5, key TEXT, v LONG VARCHAR(20), at TEXT DEFAULT (datetime('now'))) STRICT;`,
    {
      fullName: 'q.text().required().unique().default("x")',
      n: "q.text()",
      w: "q.real().default(-1.5)",
      key: "q.text()",
      v: "q.text()",
      at: "q.text()",
    },
  ],
];

for (const [title, sql, columns] of SQL) {
  Deno.test(`readSql() reads tables of ${title}`, () => {
    assertEquals(columnsOf(drafted(readSql(sql)), "jobs"), columns);
  });
}

Deno.test("readSql() drafts a folder of migrations as of its last day", () => {
  const draft = drafted(readSql([
    {
      path: "1.sql",
      text: `CREATE TYPE mood AS ENUM ('sad');
        CREATE TABLE notes (id serial PRIMARY KEY, body text, old int, "when" date, note varchar(9));
        CREATE TABLE gone (id int); CREATE INDEX by_day ON notes ("when");`,
    },
    {
      path: "2.sql",
      text: `-- +goose Up
        ALTER TABLE ONLY notes DROP COLUMN old, ADD COLUMN mood mood DEFAULT 'sad', ADD n int;
        ALTER TABLE notes RENAME COLUMN "when" TO day; ALTER TABLE notes ALTER body SET NOT NULL;
        ALTER TABLE notes ALTER COLUMN body SET DEFAULT 'x'; ALTER TABLE notes ALTER note TYPE varchar(20);
        ALTER TYPE mood ADD VALUE 'happy'; DROP TABLE gone; ALTER TABLE notes ADD CONSTRAINT u UNIQUE (n, day);
-- +goose Down
DROP TABLE notes;`,
    },
  ]));
  assertEquals(Object.keys(draft.files), ["quickback/features/notes/notes.ts"]);
  assertEquals(columnsOf(draft, "notes"), {
    body: 'q.text().required().default("x")',
    day: "q.date().index()",
    note: "q.text({ maxLength: 20 })",
    mood: 'q.enum(["sad", "happy"]).default("sad")',
    n: "q.int()",
  });
  assertEquals(lineOf(draft, "notes", "unique"), 'unique: [{ columns: ["n", "day"] }],');
});

Deno.test("readSql() leaves out what it cannot read, and goes on", () => {
  const draft = drafted(readSql(`CREATE TABLE a (id int PRIMARY KEY, x int, ??? !!, y text);
    THIS IS no statement; CREATE TABLE part PARTITION OF a FOR VALUES IN (1);
    CREATE FUNCTION f() RETURNS trigger AS $$ begin; CREATE TABLE no (id int); end $$;
    CREATE TABLE kid (z int) INHERITS (a); CREATE SCHEMA s CREATE TABLE t (id int);
    CREATE TABLE twin (LIKE a INCLUDING ALL);
COPY a (x) FROM stdin;
it's; CREATE TABLE no (id int);
\\.
    CREATE TRIGGER g AFTER INSERT ON a BEGIN UPDATE a SET x = 1; CREATE TABLE no (id int); END;
    CREATE TABLE last (id int);`));
  assertEquals(
    Object.keys(draft.files).map((path) => path.split("/").at(-1)),
    ["as.ts", "kids.ts", "ts.ts", "twins.ts", "lasts.ts"],
  );
  assertEquals(Object.keys(columnsOf(draft, "as")), ["x", "y"]);
  assertEquals(Object.keys(columnsOf(draft, "kids")), ["idValue", "x", "y", "z"]);
  assertStringIncludes(draft.decisions, "2 left out: no dialect reads it: `a part of a`, `line 2`");
});

Deno.test("readSql() reads what stands in a block that may run twice", () => {
  const draft = drafted(readSql(`DO $$ BEGIN
 CREATE TYPE "public"."mood" AS ENUM('sad', 'glad');
EXCEPTION
 WHEN duplicate_object THEN null;
END $$;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "a" ("id" text PRIMARY KEY, "mood" "mood" DEFAULT 'sad', "b_id" text);
CREATE TABLE "b" ("id" text PRIMARY KEY);
DO $$ BEGIN
 ALTER TABLE "a" ADD CONSTRAINT "a_b_fk" FOREIGN KEY ("b_id") REFERENCES "public"."b"("id") ON DELETE cascade;
EXCEPTION WHEN duplicate_object THEN null; END $$;
DO $$ BEGIN PERFORM 1; END $$;`));
  assertEquals(columnsOf(draft, "as"), {
    mood: 'q.enum(["sad", "glad"]).default("sad")',
    bId: 'q.text().references(() => bs.id, { onDelete: "cascade" })',
  });
});

Deno.test("readSql() drops a policy of its own table alone, and makes keys of indexes", () => {
  const draft = drafted(
    readSql(`create table a ("user_id" uuid, "n" int not null); create table b ("user_id" uuid);
    CREATE UNIQUE INDEX a_pkey ON public.a USING btree (user_id, n);
    alter table "public"."a" add constraint "a_pkey" PRIMARY KEY using index "a_pkey";
    create policy "own" on a for select using (user_id = auth.uid());
    create policy "own" on b for select using (user_id = auth.uid());
    drop policy if exists "own" on "public"."b";`),
  );
  assertEquals(lineOf(draft, "as", "unique"), 'unique: [{ columns: ["userId", "n"] }],');
  assertEquals(
    lineOf(draft, "as", "read:"),
    'read: { access: { roles: [], record: { userId: { equals: "$ctx.userId" } } } },',
  );
  assertEquals(lineOf(draft, "bs", "read:"), "read: { access: { roles: [] } },");
});

Deno.test("readSql() keeps tables of two schemas apart, with the keys that lead to them", () => {
  const draft = drafted(readSql(`CREATE TABLE s1.addr (id int PRIMARY KEY, a int);
    CREATE TABLE s2.addr (id int PRIMARY KEY, b int, one int REFERENCES s1.addr, two int REFERENCES s2.addr (id));`));
  assertEquals(columnsOf(draft, "s2Addrs"), {
    b: "q.int()",
    one: "q.text().references(() => addrs.id)",
    two: "q.text().references((): ColumnReference => s2Addrs.id)",
  });
});

Deno.test("readPrisma() reads models, enums, relations, and what stands in comments", () => {
  const draft = drafted(readPrisma(`/* model No { } */
enum Kind {
  A @map("a")
  B
}
model Post {
  id String @id @default(cuid()) // the key
  /// What it is
  kind Kind @default(A)
  day DateTime? @db.Date
  tags String[] @default(["x", "y"])
  price Decimal
  fee Decimal? @default(1.50) @db.Decimal(10, 2)
  parent Post? @relation("t", fields: [parentId], references: [id], onDelete: SetNull)
  parentId String?
  children Post[] @relation("t")
  labels Label[]
  title String @unique @default("hi") @db.VarChar(20)
  token String @default(uuid())
  secret String @ignore
  n Int @default(autoincrement())
  @@unique([title, kind])
  @@index([day(sort: Desc), kind], map: "by_day")
  @@map("posts")
}
model Label {
  id Int @id
  posts Post[]
}
model Old {
  id Int @id
  @@ignore
}`));
  assertEquals(columnsOf(draft, "posts"), {
    kind: 'q.enum(["a", "B"]).required().default("a").describe("What it is")',
    day: "q.date()",
    tags: 'q.list(q.text(), { maxItems: 1000 }).required().default(["x", "y"])',
    price: "q.text().required()",
    fee: 'q.decimal({ precision: 10, scale: 2 }).default("1.50")',
    parentId: 'q.text().references((): ColumnReference => posts.id, { onDelete: "set null" })',
    title: 'q.text({ maxLength: 20 }).required().unique().default("hi")',
    token: "q.text().required().default({ random: 32 })",
    n: "q.int().required().default({ sequence: true })",
  });
  assertEquals(lineOf(draft, "posts", "indexes"), 'indexes: [{ columns: ["day", "kind"] }],');
  assertEquals(columnsOf(draft, "postLabels"), {
    postId: 'q.text().required().references(() => posts.id, { onDelete: "cascade" })',
    labelId: 'q.text().required().references(() => labels.id, { onDelete: "cascade" })',
  });
  assertEquals(Object.keys(draft.files).length, 3);
});

Deno.test("readOpenApi() makes a table of each schema with an id, whatever that is called", () => {
  const draft = drafted(readOpenApi(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "x", version: "1" },
      components: {
        schemas: {
          Order: {
            allOf: [{ $ref: "#/components/schemas/Timed" }],
            required: ["sid", "state", "note", "stars"],
            properties: {
              sid: { type: "string" },
              state: { type: "string", enum: ["open", "paid"], default: "open" },
              note: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
              parent: { allOf: [{ $ref: "#/components/schemas/Order" }], nullable: true },
              shop: { $ref: "./shop.yaml#/Shop" },
              site: { type: ["string", "null"], format: "uri" },
              stars: { type: "integer", enum: [1, 2, 3] },
              share: { type: "number", minimum: 0, maximum: 1 },
              marks: { type: "array", items: { type: "string" } },
              lines: { type: "array", items: { type: "object" } },
              loop: { $ref: "#/components/schemas/Loop" },
              "+1": { type: "integer" },
            },
          },
          Shop: { $ref: "./shop.yaml#/Shop" },
          Timed: { properties: { at: { type: "string", format: "date-time" } } },
          Loop: { $ref: "#/components/schemas/Loop" },
        },
      },
    }),
    new Map([["shop.yaml", "Shop:\n  properties:\n    shopID: { type: integer }\n"]]),
  ));
  assertEquals(columnsOf(draft, "orders"), {
    at: "q.timestamp()",
    state: 'q.enum(["open", "paid"]).required().default("open")',
    note: "q.text({ maxLength: 9 })",
    parentId: "q.text().references((): ColumnReference => orders.id)",
    shopId: "q.text().references(() => shops.id)",
    site: "q.url()",
    stars: "q.int({ min: 1, max: 3 }).required()",
    share: "q.real({ min: 0, max: 1 })",
    marks: "q.list(q.text(), { maxItems: 1000 })",
    lines: "q.json()",
    loop: "q.json()",
    plus_1: "q.int()",
  });
});

Deno.test("a pattern is drafted with texts that meet it, and one that takes long is told", () => {
  const member = (pattern: string) => ({ type: "string", pattern, example: "aaa", maxLength: 5 });
  const draft = drafted(readOpenApi(JSON.stringify({
    openapi: "3.1.0",
    components: {
      schemas: {
        Pet: {
          properties: {
            id: { type: "string" },
            good: member("^[a-z]+$"),
            slow: member("^(a+)+$"),
            unmet: member("^b$"),
            wrong: member("("),
          },
        },
      },
    },
  })));
  assertEquals(columnsOf(draft, "pets"), {
    good: 'q.text({ maxLength: 5, pattern: "^[a-z]+$", examples: ["aaa"] })',
    slow: "q.text({ maxLength: 5 })",
    unmet: "q.text({ maxLength: 5 })",
    wrong: "q.text({ maxLength: 5 })",
  });
  assertStringIncludes(draft.decisions, "1 left out: the compiler refuses it");
});

Deno.test("readOpenApi() reads Swagger 2.0 and OpenAPI 3.0", () => {
  const pet = {
    properties: {
      id: { type: "string" },
      age: { type: "integer", minimum: 0, exclusiveMinimum: true },
    },
  };
  const info = { title: "x", version: "1" };
  for (
    const description of [
      { swagger: "2.0", info, paths: {}, definitions: { Pet: pet } },
      { openapi: "3.0.3", info, paths: {}, components: { schemas: { Pet: pet } } },
    ]
  ) {
    const draft = drafted(readOpenApi(JSON.stringify(description)));
    assertEquals(columnsOf(draft, "pets"), { age: "q.int({ min: 1 })" });
  }
});

const REFUSED: readonly (readonly [string, (text: string) => unknown, string, string])[] = [
  ["SQL without a table", readSql, "select 1;", "It has no CREATE TABLE"],
  ["no Prisma schema", readPrisma, "hello", "It has no model"],
  ["Prisma without a model", readPrisma, "enum A {\n  B\n}\n", "It has no model"],
  ["no YAML", readOpenApi, "{ a: [", "It is neither JSON nor YAML"],
  ["no description", readOpenApi, "a: 1", "It is no OpenAPI description"],
  ["no schema with an id", readOpenApi, "openapi: 3.0.0", 'It has no schema with an "id"'],
];

for (const [title, read, text, message] of REFUSED) {
  Deno.test(`a file with ${title} is refused`, () => {
    assertThrows(() => read(text), DraftError, message);
  });
}

Deno.test("a column has its own type, whatever objects have under its name", () => {
  const draft = drafted(
    readSql("CREATE TABLE t (id text PRIMARY KEY, constructor int, owner_id text)"),
  );
  assertEquals(columnsOf(draft, "ts"), {
    constructorValue: "q.int()",
    ownerId: 'q.scope("owner")',
  });
});
