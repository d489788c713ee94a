/** The last use of a key: noted at most once a minute, for good keys alone, and never turned back (contract 5.1). */
import { assertEquals } from "@std/assert";
import { apiKeyJudge, type KeyUse, writeKeyUse } from "../../../shared/accounts/api_keys.ts";
import type { SqlValue } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";

interface Row {
  readonly now: string;
  readonly usedAt?: string;
  readonly isEnabled?: boolean;
  readonly isLimited?: boolean;
}

const at = (time: string) => `2026-01-01T${time}.000Z`;

/** Judges one key for each row, as the database has it then; returns the times of the notes. */
async function notesOf(rows: readonly Row[], key = "key"): Promise<readonly string[]> {
  const uses: KeyUse[] = [];
  let row = rows[0];
  const judge = apiKeyJudge({
    reader: {
      run: () => Promise.resolve({ rows: row ? [stored(row)] : [], changes: 0 }),
      runAll: () => Promise.reject(new Error("Nothing else is read")),
    },
    multiTenant: false,
    roleOf: () => null,
    claimUse: () => Promise.resolve(null),
    noteUse: (use) => void uses.push(use),
  });
  for (row of rows) await judge(key);
  return uses.map((use) => use.at);
}

function stored({ now, usedAt, isEnabled = true, isLimited = false }: Row): readonly SqlValue[] {
  const key = [isEnabled ? 1 : 0, null, isLimited ? 1 : 0, null];
  return [...key, "user_1", null, 0, null, null, null, now, "a@example.com", 1, usedAt ?? null];
}

const TABLE: readonly (readonly [title: string, rows: readonly Row[], notes: readonly string[]])[] =
  [
    ["the first use", [{ now: at("00:00:00") }], [at("00:00:00")]],
    [
      "no second one within the minute, whatever the database tells by then",
      [
        { now: at("00:00:00") },
        { now: at("00:00:01") },
        { now: at("00:00:59"), usedAt: at("00:00:00") },
      ],
      [at("00:00:00")],
    ],
    [
      "the first use after a minute",
      [{ now: at("00:00:00") }, { now: at("00:01:00"), usedAt: at("00:00:00") }],
      [at("00:00:00"), at("00:01:00")],
    ],
    ["none where another process noted one", [{ now: at("00:00:50"), usedAt: at("00:00:00") }], []],
    ["none of a key that is off", [{ now: at("00:00:00"), isEnabled: false }], []],
    ["none of a limited key, whose count tells it", [{ now: at("00:00:00"), isLimited: true }], []],
  ];

for (const [title, rows, notes] of TABLE) {
  Deno.test(`apiKeyJudge() notes ${title}`, async () => assertEquals(await notesOf(rows), notes));
}

Deno.test("writeKeyUse() writes a later use, and no earlier one", () =>
  withDatabase(async (database) => {
    await database.migrate([
      { sql: "CREATE TABLE auth_apikey (key TEXT, last_request TEXT)", args: [] },
      { sql: "INSERT INTO auth_apikey VALUES ('a', NULL), ('b', NULL)", args: [] },
    ]);
    for (const time of ["00:02:00", "00:01:00"]) {
      await writeKeyUse(database, { hash: "a", at: at(time) });
    }
    await writeKeyUse(database, { hash: "gone", at: at("00:00:00") });
    const { rows } = await database.run({ sql: "SELECT * FROM auth_apikey", args: [] });
    assertEquals(rows, [["a", at("00:02:00")], ["b", null]]);
  }));
