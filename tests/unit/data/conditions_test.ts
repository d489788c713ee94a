/** One rule, two judges: SQL over a table and `rowSatisfies` over a row must agree on everything. */
import { assertEquals, assertThrows } from "@std/assert";
import { CONDITION_OPERATORS, type ConditionOperator } from "../../../shared/contract/fields.ts";
import type { ColumnModel, ColumnType, TableModel } from "../../../shared/model/table.ts";
import type { Condition, Operand, Scalar } from "../../../shared/model/access.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { column } from "../../../shared/model/table_spec.ts";
import { compareStored } from "../../../shared/runtime/data/comparisons.ts";
import { rowSatisfies, ruleSql } from "../../../shared/runtime/data/conditions.ts";
import type { StoredRow } from "../../../shared/runtime/data/types.ts";
import { firewallFor } from "../../../shared/runtime/layers/3-firewall/firewall.ts";
import type { Database, SqlValue } from "../../../shared/runtime/ports.ts";
import type { RowRule } from "../../../shared/surface/admission.ts";
import { withDatabase } from "../../support/databases.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { customers } from "../../support/sample_model.ts";

const TYPES: Readonly<Record<string, readonly [ColumnType, string]>> = {
  id: [{ kind: "id" }, "text PRIMARY KEY NOT NULL"],
  title: [{ kind: "text", maxLength: null, enum: null }, "text"],
  size: [{ kind: "int" }, "integer"],
  score: [{ kind: "real" }, "real"],
  done: [{ kind: "bool" }, "integer"],
  dueAt: [{ kind: "timestamp" }, "text"],
  meta: [{ kind: "json" }, "text"],
};

const COLUMNS: readonly ColumnModel[] = Object.entries(TYPES).map(([name, [type]]) =>
  column({ name, sqlName: name, type })
);

const TABLE: TableModel = {
  ...customers,
  name: "things",
  sqlName: "things",
  columns: COLUMNS,
  primaryKey: "id",
  firewall: [],
};

const STORED: Readonly<Record<string, readonly SqlValue[]>> = {
  title: [null, "", "a", "A", "b", "user_1", "org_1", "é", "\uffee", "😀", "1", "10", "9"],
  // SQLite keeps a text in a numeric column, such as one that was there before the column had its type.
  size: [null, 0, 1, -1, 10, 9, 2 ** 53 - 1, "a"],
  score: [null, 0, 0.1, 0.30000000000000004, -1.5, 1, 1e300],
  done: [null, 0, 1],
  dueAt: [null, "2026-01-31T00:00:00.000Z", "2026-02-01T12:30:00.000Z"],
  meta: [null, '"a"', "1", '{"a":1}'],
};

const OPERANDS: readonly Scalar[] = [
  null,
  "",
  "a",
  "b",
  "é",
  "\uffee",
  "😀",
  "user_1",
  "1",
  "10",
  0,
  1,
  -1,
  9,
  10,
  0.1,
  0.30000000000000004,
  true,
  false,
  "2026-01-31",
  "2026-02-01T13:30:00+01:00",
  "row1",
];

const CALLERS: readonly Principal[] = [
  ANONYMOUS,
  { ...ANONYMOUS, credential: "token", userId: "user_1", roles: ["a", "b"] },
  { ...ANONYMOUS, credential: "token", userId: "a", organizationId: "org_1", teamId: "b" },
];

function randomOperand(random: Random, operator: ConditionOperator): Operand {
  const isList = operator === "in" || operator === "notIn";
  if (random.chance(20)) {
    return isList
      ? { kind: "contextList", key: "roles" }
      : { kind: "context", key: random.pick(["userId", "activeOrgId", "activeTeamId"]) };
  }
  if (!isList) return { kind: "literal", value: random.pick(OPERANDS) };
  const values = Array.from({ length: random.below(4) }, () => random.pick(OPERANDS));
  return { kind: "literals", values };
}

function randomCondition(random: Random): Condition {
  const operator = random.pick(CONDITION_OPERATORS);
  return {
    column: random.pick(COLUMNS).name,
    operator,
    operand: randomOperand(random, operator),
  };
}

function randomRule(random: Random, depth = 2): RowRule {
  if (depth === 0 || random.chance(50)) {
    const conditions = Array.from({ length: random.below(3) }, () => randomCondition(random));
    return { kind: "conditions", conditions };
  }
  const of = Array.from({ length: 1 + random.below(2) }, () => randomRule(random, depth - 1));
  return { kind: random.pick(["all", "any"]), of };
}

function randomRows(random: Random, count: number): readonly StoredRow[] {
  return Array.from({ length: count }, (_, index): StoredRow =>
    new Map(COLUMNS.map(({ name }) => [
      name,
      name === "id" ? `row${index}` : random.pick(STORED[name] ?? []),
    ])));
}

async function fill(database: Database, rows: readonly StoredRow[]): Promise<void> {
  const columns = Object.entries(TYPES).map(([name, [, type]]) => `"${name}" ${type}`).join(", ");
  await database.migrate([{ sql: `CREATE TABLE things (${columns})`, args: [] }]);
  const places = COLUMNS.map(() => "?").join(", ");
  await database.write((transaction) =>
    transaction.runAll(
      rows.map((row) => ({
        sql: `INSERT INTO things VALUES (${places})`,
        args: [...row.values()],
      })),
    )
  );
}

Deno.test("a row rule judges a row in memory as it does in a query", () =>
  withDatabase(async (database) => {
    const random = seededRandom(7);
    const rows = randomRows(random, 60);
    await fill(database, rows);
    let met = 0;
    for (let round = 0; round < 1500; round++) {
      const rule = randomRule(random);
      const principal = random.pick(CALLERS);
      const firewall = firewallFor(TABLE, {
        principal,
        organizationId: principal.organizationId,
      });
      const where = ruleSql(rule, { firewall, alias: "t" });
      const found = await database.run({
        sql: `SELECT id FROM things AS t WHERE ${where.sql} ORDER BY rowid`,
        args: where.args,
      });
      const expected = rows.filter((row) => rowSatisfies(rule, row, firewall))
        .map((row) => [row.get("id")]);
      assertEquals<unknown>(found.rows, expected, JSON.stringify(rule));
      met += expected.length;
    }
    assertEquals(met > 1500, true, "The rules hardly ever hold");
  }));

const NULLS: readonly (readonly [ConditionOperator, Scalar, boolean])[] = [
  ["equals", null, true],
  ["equals", "a", false],
  ["notEquals", null, false],
  ["notEquals", "a", true],
  ["in", "a", false],
  ["notIn", "a", true],
  ["lessThan", "a", false],
  ["greaterThanOrEqual", "a", false],
];

Deno.test("a condition on a column without a value: NULL equals itself only and has no order", () => {
  const row: StoredRow = new Map(COLUMNS.map(({ name }) => [name, null]));
  const firewall = firewallFor(TABLE, { principal: ANONYMOUS, organizationId: null });
  for (const [operator, value, expected] of NULLS) {
    const condition: Condition = { column: "title", operator, operand: { kind: "literal", value } };
    const rule: RowRule = { kind: "conditions", conditions: [condition] };
    assertEquals(rowSatisfies(rule, row, firewall), expected, `${operator} ${value}`);
  }
});

Deno.test("a condition on a context value that is absent holds on no row, whatever its operator", () => {
  const row: StoredRow = new Map(COLUMNS.map(({ name }) => [name, "a"]));
  const firewall = firewallFor(TABLE, { principal: ANONYMOUS, organizationId: null });
  for (const operator of CONDITION_OPERATORS) {
    const operand: Operand = { kind: "context", key: "userId" };
    const rule: RowRule = {
      kind: "conditions",
      conditions: [{ column: "title", operator, operand }],
    };
    assertEquals(rowSatisfies(rule, row, firewall), false, operator);
  }
});

const UNJUDGED: readonly (readonly [what: string, row: StoredRow, refusal: string])[] = [
  ["on a stored BLOB", new Map([["title", new Uint8Array([97])]]), "Only numbers and texts"],
  ["on a column that was not read", new Map(), "has no column 'title'"],
];

for (const [what, row, refusal] of UNJUDGED) {
  Deno.test(`a condition ${what} is judged neither way`, () => {
    const firewall = firewallFor(TABLE, { principal: ANONYMOUS, organizationId: null });
    const operand: Operand = { kind: "literal", value: "a" };
    const conditions: Condition[] = [{ column: "title", operator: "equals", operand }];
    const judge = () => rowSatisfies({ kind: "conditions", conditions }, row, firewall);
    assertThrows(judge, Error, refusal);
  });
}

Deno.test("a value that the caller lacks makes a whole predicate false, under not too", () => {
  const row: StoredRow = new Map(COLUMNS.map(({ name }) => [name, null]));
  const never: RowRule = {
    kind: "not",
    of: {
      kind: "conditions",
      conditions: [{
        column: "title",
        operator: "equals",
        operand: { kind: "literal", value: "b" },
      }],
    },
  };
  const holds = (keys: Extract<RowRule, { kind: "context" }>["keys"], principal: Principal) => {
    const firewall = firewallFor(TABLE, { principal, organizationId: null });
    return rowSatisfies({ kind: "context", keys, of: never }, row, firewall);
  };
  const member: Principal = { ...ANONYMOUS, credential: "token", userId: "ann", roles: ["member"] };
  assertEquals(holds(["userId", "roles"], member), true);
  assertEquals(holds(["userId"], ANONYMOUS), false);
  assertEquals(holds(["userId", "activeTeamId"], member), false);
  assertEquals(holds(["activeTeamId", "userId"], member), false);
  assertEquals(holds(["roles"], { ...member, roles: [] }), false);
  assertEquals(holds(["userId", "roles"], { ...member, roles: [] }), false);
});

Deno.test("texts are compared by their code points, at every border of surrogates", () => {
  const ascending = ["a", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
  for (const [at, one] of ascending.entries()) {
    for (const [index, other] of ascending.entries()) {
      assertEquals(Math.sign(compareStored(one, other)), Math.sign(at - index), `${at} ${index}`);
    }
  }
});
