/** Foreign schemas are read as they are meant, and refused with the place where they cannot be. */
import { assertEquals, assertThrows } from "@std/assert";
import { DraftError, type ForeignColumn, type ForeignSchema } from "../../../cli/adopt/draft.ts";
import { draftOf } from "../../../cli/adopt/draft_of.ts";
import { readOpenApi } from "../../../cli/adopt/read_openapi.ts";
import { readPrisma } from "../../../cli/adopt/read_prisma.ts";
import { readSql } from "../../../cli/adopt/read_sql.ts";

/** `int! unique =1 → other (cascade) ? why`. */
function told({ type, isRequired, isUnique, fallback, references, question }: ForeignColumn) {
  const kind = type.kind === "enum"
    ? `enum(${type.values.join("|")})`
    : type.kind === "decimal"
    ? `decimal(${type.precision},${type.scale})`
    : type.kind;
  const parts = [
    kind + (isRequired ? "!" : ""),
    isUnique ? "unique" : "",
    fallback === null ? "" : typeof fallback === "object" ? "=now" : `=${fallback}`,
    references ? `→ ${references.table}` : "",
    references?.onDelete ? `(${references.onDelete})` : "",
    question === null ? "" : "?",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function columnsOf({ tables: [table] }: ForeignSchema): Readonly<Record<string, string>> {
  return Object.fromEntries(table?.columns.map((column) => [column.name, told(column)]) ?? []);
}

const SQL: readonly (readonly [title: string, sql: string, columns: Record<string, string>])[] = [
  [
    "PostgreSQL",
    `CREATE TYPE app.state AS ENUM ('open', 'it''s done');
     CREATE TABLE app."Jobs" (id bigserial PRIMARY KEY, state app.state DEFAULT 'open'::app.state NOT NULL,
       at timestamp with time zone DEFAULT now(), price numeric(10,2), tags text[], ok boolean DEFAULT true,
       note character varying(20) DEFAULT 'a;b'::character varying, day date, raw bytea,
       boss uuid REFERENCES people(id) ON DELETE SET NULL,
       no int GENERATED ALWAYS AS IDENTITY, twice int GENERATED ALWAYS AS (price * 2) STORED);`,
    {
      id: "int ?",
      state: "enum(open|it's done)! =open",
      at: "timestamp =now",
      price: "decimal(10,2)",
      tags: "json",
      ok: "bool =true",
      note: "text =a;b",
      day: "date",
      raw: "text ?",
      boss: "text → people (set null)",
      no: "int",
      twice: "int ?",
    },
  ],
  [
    "MySQL",
    "CREATE TABLE `jobs` (`id` int unsigned NOT NULL AUTO_INCREMENT, `state` enum('a','b') DEFAULT 'a', " +
    "`done` tinyint(1) NOT NULL DEFAULT '0', `n` smallint, `x` double, `at` datetime DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, " +
    "`boss_id` int, PRIMARY KEY (`id`), UNIQUE KEY `u` (`n`), KEY `k` (`n`,`state`(9)), CONSTRAINT `c` FOREIGN KEY (`boss_id`) " +
    "REFERENCES `people` (`id`) ON DELETE CASCADE) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4;",
    {
      id: "int!",
      state: "enum(a|b) =a",
      done: "bool! =false",
      n: "int unique",
      x: "real",
      at: "timestamp =now",
      boss_id: "int → people (cascade)",
    },
  ],
  [
    "SQLite",
    `CREATE TABLE [jobs] (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE DEFAULT 'x', n, w REAL);`,
    { id: "int", name: "text! unique =x", n: "text ?", w: "real" },
  ],
];

for (const [title, sql, columns] of SQL) {
  Deno.test(`readSql() reads tables of ${title}`, () => {
    const schema = readSql(sql);
    assertEquals(columnsOf(schema), columns);
    assertEquals(schema.tables[0]?.primaryKey, ["id"]);
  });
}

Deno.test("readSql() takes keys and unique sets that follow, and skips rows, functions and comments", () => {
  const { tables, questions } = readSql(`-- CREATE TABLE no (id int);
    CREATE FUNCTION f() RETURNS trigger AS $$ begin; CREATE TABLE no (id int); end $$;
    CREATE TABLE a (x int, y int);
COPY a (x, y) FROM stdin;
1	it's; CREATE TABLE no (id int);
\\.
    ALTER TABLE ONLY a ADD CONSTRAINT k PRIMARY KEY (x, y);
    CREATE UNIQUE INDEX u ON a USING btree (y, x);
    CREATE UNIQUE INDEX p ON a (y) WHERE x > 1;`);
  assertEquals(tables.map(({ name, primaryKey, unique }) => ({ name, primaryKey, unique })), [
    { name: "a", primaryKey: ["x", "y"], unique: [["y", "x"]] },
  ]);
  assertEquals(questions, []);
});

Deno.test("readPrisma() reads models, enums and relations", () => {
  const schema = readPrisma(`enum Kind {
  A
  B
}
model Post {
  id String @id @default(cuid())
  kind Kind @default(B)
  at DateTime @default(now())
  day DateTime? @db.Date
  tags String[]
  price Decimal
  fee Decimal? @default(1.50) @db.Decimal(10, 2)
  parent Post? @relation("t", fields: [parentId], references: [id], onDelete: SetNull)
  parentId String?
  children Post[] @relation("t")
  title String @unique @default("hi")
  @@unique([title, kind])
  @@map("posts")
}`);
  assertEquals(columnsOf(schema), {
    id: "text!",
    kind: "enum(A|B)! =B",
    at: "timestamp! =now",
    day: "date",
    tags: "json! ?",
    price: "text! ?",
    fee: "decimal(10,2) =1.50",
    parentId: "text → posts (set null)",
    title: "text! unique =hi",
  });
  assertEquals(schema.tables.map(({ name, primaryKey, unique }) => [name, primaryKey, unique]), [
    ["posts", ["id"], [["title", "kind"]]],
  ]);
});

Deno.test("readOpenApi() makes a table of each schema with an id, through allOf and $ref", () => {
  const schema = readOpenApi(JSON.stringify({
    openapi: "3.1.0",
    components: {
      schemas: {
        Order: {
          allOf: [{ $ref: "#/components/schemas/Timed" }],
          required: ["id", "state", "note"],
          properties: {
            id: { type: "string" },
            state: { type: "string", enum: ["open", "paid"], default: "open" },
            note: { type: ["string", "null"] },
            parent: { $ref: "#/components/schemas/Order" },
            site: { type: "string", format: "uri" },
            lines: { type: "array" },
            loop: { $ref: "#/components/schemas/Loop" },
          },
        },
        Timed: { properties: { at: { type: "string", format: "date-time" } } },
        Loop: { $ref: "#/components/schemas/Loop" },
      },
    },
  }));
  assertEquals(columnsOf(schema), {
    at: "timestamp",
    id: "text!",
    state: "enum(open|paid)! =open",
    note: "text",
    parentId: "text → Order",
    site: "url",
    lines: "json ?",
    loop: "json ?",
  });
  assertEquals(schema.questions.length, 2);
});

const REFUSED: readonly (readonly [string, (text: string) => unknown, string, string])[] = [
  ["SQL without a table", readSql, "select 1;", "It has no CREATE TABLE"],
  [
    "a table that is cut off",
    readSql,
    "\n\nCREATE TABLE a (id int",
    "Line 3: this table cannot be read",
  ],
  ["no Prisma schema", readPrisma, "hello", "It cannot be read as a Prisma schema"],
  ["Prisma without a model", readPrisma, "enum A {\n  B\n}\n", "It has no model"],
  ["no YAML", readOpenApi, "{ a: [", "It is neither JSON nor YAML"],
  ["Swagger 2", readOpenApi, 'swagger: "2.0"', "It is no OpenAPI 3 description"],
  ["no schema with an id", readOpenApi, "openapi: 3.0.0", 'It has no schema with an "id"'],
];

for (const [title, read, text, message] of REFUSED) {
  Deno.test(`a file with ${title} is refused`, () => {
    assertThrows(() => read(text), DraftError, message);
  });
}

Deno.test("a column has its own type, whatever objects have under its name", () => {
  const foreign = readSql("CREATE TABLE t (id text PRIMARY KEY, constructor int, owner_id text)");
  const { tables: [table] } = draftOf(foreign, false);
  const kinds = table?.columns.map(({ name, type }) => [name, type.kind]);
  assertEquals(kinds, [["id", "id"], ["constructorValue", "int"], ["ownerId", "scope"]]);
});
