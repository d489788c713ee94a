/** Every clause of a source is carried, changed or left out, and `DECIDE.md` counts them. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readOpenApi } from "../../../cli/adopt/read_openapi.ts";
import { readPrisma } from "../../../cli/adopt/read_prisma.ts";
import { readSql } from "../../../cli/adopt/read_sql.ts";
import { UNSETTLED } from "../../../cli/adopt/ledger.ts";
import { countsOf, type Drafted, drafted } from "../../support/drafts.ts";

/** The classes add up to all clauses, and each class to its outcomes and to the places below it. */
function requireSums(draft: Drafted): void {
  const counts = countsOf(draft);
  const classes = Object.entries(counts).filter(([name]) => name !== "all clauses");
  const sums = [0, 1, 2, 3].map((at) =>
    classes.reduce((sum, [, numbers]) => sum + (numbers[at] ?? 0), 0)
  );
  assertEquals(sums, counts["all clauses"]);
  for (const [name, [read = 0, carried = 0, changed = 0, left = 0]] of classes) {
    assertEquals(read, carried + changed + left, name);
  }
  const told = [...draft.decisions.matchAll(/^ {2}- (\d+) (?:changed|left out): .+: `.+`$/gm)];
  const [, , changed = 0, left = 0] = sums;
  assertEquals(told.reduce((sum, [, number]) => sum + Number(number), 0), changed + left);
  assertEquals(draft.decisions.includes(UNSETTLED), false);
}

Deno.test("the ledger of an SQL file adds up to its clauses", () => {
  const draft = drafted(readSql(`
    CREATE TYPE state AS ENUM ('open', 'done');
    CREATE TABLE a (id int PRIMARY KEY, name varchar(20) NOT NULL DEFAULT 'x', state state, took interval,
      CHECK (name <> ''), CHECK (name ~ '^x'), UNIQUE (name, state));
    CREATE TABLE b (a_id int REFERENCES a, n int, m int, PRIMARY KEY (a_id, n), FOREIGN KEY (n, m) REFERENCES c (x, y));
    CREATE INDEX ON b (n); CREATE INDEX ON b (lower(n)); CREATE UNIQUE INDEX ON b (m) WHERE n > 1;
    ALTER TABLE b ADD COLUMN k int DEFAULT random(); ALTER TABLE b OWNER TO x; ALTER TABLE nowhere ADD z int;
    CREATE VIEW v AS SELECT 1; COMMENT ON TABLE a IS 'A'; CREATE SEQUENCE s; GRANT ALL ON a TO x;
    CREATE POLICY p ON a USING (f(name)); INSERT INTO a VALUES (1);`));
  requireSums(draft);
  assertEquals(countsOf(draft), {
    "all clauses": [34, 20, 2, 12],
    tables: [2, 2, 0, 0],
    columns: [8, 7, 1, 0],
    "primary keys": [2, 1, 1, 0],
    relations: [2, 1, 0, 1],
    "unique sets": [2, 1, 0, 1],
    indexes: [2, 1, 0, 1],
    checks: [2, 1, 0, 1],
    lengths: [1, 1, 0, 0],
    defaults: [2, 1, 0, 1],
    "enum values": [2, 2, 0, 0],
    sequences: [1, 0, 0, 1],
    comments: [1, 1, 0, 0],
    views: [1, 0, 0, 1],
    policies: [1, 0, 0, 1],
    alterations: [3, 1, 0, 2],
    "other statements": [2, 0, 0, 2],
  });
  assertStringIncludes(draft.decisions, "1 changed: interval became text: `a.took`");
});

Deno.test("the ledger of a Prisma schema adds up to its clauses", () => {
  const draft = drafted(readPrisma(`enum Kind {
  A @map("a")
}
model Post {
  id Int @id @default(autoincrement())
  kind Kind @default(A)
  big BigInt @unique
  name String @db.VarChar(5)
  labels Label[]
  @@index([kind, name])
  @@fulltext([name])
}
model Label {
  id Int @id
  posts Post[]
}
view Seen {
  id Int
}`));
  requireSums(draft);
  assertEquals(countsOf(draft)["all clauses"], [24, 19, 3, 2]);
});

Deno.test("the ledger of a description adds up to its clauses", () => {
  const draft = drafted(readOpenApi(JSON.stringify({
    openapi: "3.1.0",
    components: {
      schemas: {
        Pet: {
          description: "A pet",
          properties: {
            id: { type: "string" },
            name: { type: "string", maxLength: 9, minLength: 2, pattern: "^x", default: "xy" },
            kind: { enum: ["cat", "dog"] },
            owner: { $ref: "#/components/schemas/Pet" },
            facts: { type: "object" },
          },
        },
        Error: { properties: { code: { type: "string" } } },
      },
    },
  })));
  requireSums(draft);
  assertEquals(countsOf(draft)["all clauses"], [16, 13, 2, 1]);
});
