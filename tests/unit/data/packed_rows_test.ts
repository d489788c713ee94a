/** Rows packed into one by SQLite come out as a driver would have handed them over. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  nestedRows,
  nestedSelect,
  packedSelect,
  unpackedRows,
} from "../../../shared/runtime/data/packed_rows.ts";
import type { SqlValue } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";

const TEXTS: readonly SqlValue[] = [
  "",
  "a",
  'say "no"',
  "\x1e",
  "a\nb\\",
  "NULL",
  "😀",
  null,
  "1.0",
];
const NUMBERS: readonly SqlValue[] = [
  0,
  -1,
  2 ** 53 - 1,
  2n ** 53n + 1n,
  -(2n ** 63n),
  0.1,
  1 / 3,
  1e300,
  5e-324,
  -2.5,
  null,
  "kept as 'text'",
];
const CELLS = [
  { form: "object", sql: "json_object('t', t, 'at', at)" },
  { form: "text", sql: "t" },
  { form: "number", sql: "n" },
] as const;

Deno.test("packedSelect() and unpackedRows() keep every text and number exactly, in order", () =>
  withDatabase(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE r (at INTEGER, t TEXT, n)", args: [] }]);
    const rows = [
      ...TEXTS.map((text) => [text, 1] as const),
      ...NUMBERS.map((number) => ["a", number] as const),
    ];
    await database.write((transaction) =>
      transaction.runAll(rows.map(([text, number], at) => ({
        sql: "INSERT INTO r VALUES (?, ?, ?)",
        args: [at, text, number],
      })))
    );
    const from = "FROM (SELECT * FROM r ORDER BY at DESC LIMIT 100)";
    const packed = await database.run({
      sql: `SELECT ${packedSelect(CELLS)} ${from}`,
      args: [],
      isSingle: true,
    });
    const expected = rows.map((
      [text, number],
      at,
    ) => [JSON.stringify({ t: text, at }), text, number]);
    assertEquals(unpackedRows(CELLS, packed.rows[0] ?? []), expected.toReversed());
  }));

Deno.test("nestedSelect() and nestedRows() keep rows within rows exactly", () =>
  withDatabase(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE r (at INTEGER, t TEXT, n)", args: [] }]);
    const rows = [
      ...TEXTS.map((text) => [text, 1] as const),
      ...NUMBERS.map((number) => ["\x1d", number] as const),
    ];
    await database.write((transaction) =>
      transaction.runAll(rows.map(([text, number], at) => ({
        sql: "INSERT INTO r VALUES (?, ?, ?)",
        args: [at, text, number],
      })))
    );
    const [object] = CELLS;
    for (const cells of [CELLS, [object]]) {
      const nested = `coalesce((SELECT ${nestedSelect(cells)} FROM ` +
        "(SELECT * FROM r WHERE at % 3 = k ORDER BY at LIMIT 100)), '')";
      const packed = await database.run({
        sql: `SELECT ${packedSelect([{ form: "nested", sql: nested }])} FROM ` +
          "(SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)",
        args: [],
      });
      const texts = unpackedRows([{ form: "nested" }], packed.rows[0] ?? []);
      const found = texts.map(([text]) => nestedRows(cells, String(text)));
      const expected = [0, 1, 2, 3].map((k) =>
        rows.flatMap(([text, number], at) => {
          const row = [JSON.stringify({ t: text, at }), text, number];
          return at % 3 === k && k < 3 ? [row.slice(0, cells.length)] : [];
        })
      );
      assertEquals(found, expected);
    }
  }));

Deno.test("unpackedRows() reads no row from a statement that found none", () =>
  withDatabase(async (database) => {
    const { rows } = await database.run({
      sql: `SELECT ${packedSelect(CELLS)} FROM (SELECT 1 AS at, 't' AS t, 2 AS n) WHERE 0`,
      args: [],
    });
    assertEquals(unpackedRows(CELLS, rows[0] ?? []), []);
  }));

Deno.test("unpackedRows() refuses columns of different lengths, bytes, and what is no text", () => {
  const [object, text, number] = CELLS;
  assertThrows(() => unpackedRows([object, text], ["{}", '["a","b"]']), Error, "differ");
  assertThrows(() => unpackedRows([text], ["[1]"]), TypeError, "number");
  assertThrows(() => unpackedRows([number], [`["X'00'"]`]), TypeError, "bytes");
  assertThrows(() => unpackedRows([number], [1]), TypeError, "text");
});
