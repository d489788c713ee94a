/** Verifies the history of records (definitions 4, `audit`): each chain from its first row to its last. */
import { AUDIT_CHAINS, AUDIT_CHANGES } from "../../../model/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { BrokenLink, ChainVerdict, Reader, SqlValue, Statement } from "../../ports.ts";
import { type ChangeCells, changeHash } from "./change_chain.ts";

const CHANGES = sqlIdentifier(AUDIT_CHANGES.name);
const CHAINS = sqlIdentifier(AUDIT_CHAINS.name);
const COLUMNS = AUDIT_CHANGES.columns.map(({ name }) => name);
const SELECTED = COLUMNS.map((name) => sqlIdentifier(name)).join(", ");
const ROWS_AT_ONCE = 500;

/** Verifies every chain of a database in the order of names. Rows that are written meanwhile are verified the next time. */
export async function verifyChains(reader: Reader): Promise<readonly ChainVerdict[]> {
  const { rows } = await reader.run({
    sql: `SELECT "chain" FROM ${CHAINS} UNION SELECT "chain" FROM ${CHANGES} ORDER BY "chain"`,
    args: [],
  });
  const verdicts: ChainVerdict[] = [];
  for (const [chain] of rows) verdicts.push(await verifyChain(reader, String(chain)));
  return verdicts;
}

async function verifyChain(reader: Reader, chain: string): Promise<ChainVerdict> {
  // Both are read at one moment. A commit in between would look like a broken chain.
  const [ended, page] = await reader.runAll([
    {
      sql: `SELECT "first_sequence", "first_previous_hash", "last_sequence", "last_hash"
        FROM ${CHAINS} WHERE "chain" = ?`,
      args: [chain],
    },
    pageOf(chain, -1),
  ]);
  const ends = ended?.rows[0];
  const [first, before, newest, head] = ends ?? [];
  const last = Number(newest);
  const verdict = { chain, changes: 0, erased: 0, head: String(head ?? "") };
  // The chain's end was removed while its rows exist.
  if (!ends) return { ...verdict, broken: { sequence: 0, id: null, why: ENDLESS } };
  let sequence = Number(first) - 1;
  let hash = String(before);
  let broken: BrokenLink | null = null;
  for await (const cells of changesOf(reader, chain, page?.rows ?? [])) {
    if (Number(cells["sequence"]) > last) break;
    broken = await faultOf(cells, { sequence, hash });
    if (broken !== null) break;
    sequence += 1;
    hash = String(cells["hash"]);
    verdict.changes += 1;
    if (isErased(cells)) verdict.erased += 1;
  }
  if (broken === null && sequence !== last) {
    broken = { sequence: sequence + 1, id: null, why: `The rows up to ${last} are gone` };
  }
  if (broken === null && hash !== head) {
    broken = { sequence, id: null, why: "The newest row is another one than was written last" };
  }
  return { ...verdict, broken: broken ?? await rowBehind(reader, chain) };
}

const ENDLESS = "Nothing says where the chain begins and ends";

/** Returns a row behind the end of a chain, which only a manipulation can have written. */
async function rowBehind(reader: Reader, chain: string): Promise<BrokenLink | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "sequence", "id" FROM ${CHANGES} WHERE "chain" = ? AND "sequence" >
      (SELECT "last_sequence" FROM ${CHAINS} WHERE "chain" = ?) ORDER BY "sequence" LIMIT 1`,
    args: [chain, chain],
  });
  return row
    ? { sequence: Number(row[0]), id: String(row[1]), why: "The row stands behind the end" }
    : null;
}

/** Returns the fault of a row; null: it follows the row before, and its hash is right. */
async function faultOf(
  cells: ChangeCells,
  before: { readonly sequence: number; readonly hash: string },
): Promise<BrokenLink | null> {
  const sequence = Number(cells["sequence"]);
  const expected = before.sequence + 1;
  if (sequence !== expected) {
    return sequence > expected
      ? { sequence: expected, id: null, why: "The row is gone" }
      : { sequence, id: String(cells["id"]), why: "The row stands before the beginning" };
  }
  const at = { sequence, id: String(cells["id"]) };
  if (cells["previous_hash"] !== before.hash) {
    return { ...at, why: "The row follows another one than the one before it" };
  }
  if (isErased(cells)) return null;
  return cells["hash"] === await changeHash(cells)
    ? null
    : { ...at, why: "The row is not what was written" };
}

function isErased(cells: ChangeCells): boolean {
  return cells["kind"] === null && cells["salt"] === null && cells["after"] === null &&
    cells["before"] === null;
}

function pageOf(chain: string, after: SqlValue): Statement {
  return {
    sql: `SELECT ${SELECTED} FROM ${CHANGES}
      WHERE "chain" = ? AND "sequence" > ? ORDER BY "sequence" LIMIT ${ROWS_AT_ONCE}`,
    args: [chain, after],
  };
}

/** Yields the changes of the first page and of the following ones. */
async function* changesOf(
  reader: Reader,
  chain: string,
  first: readonly (readonly SqlValue[])[],
): AsyncGenerator<ChangeCells, void, undefined> {
  for (let rows = first;;) {
    for (const row of rows) {
      yield Object.fromEntries(COLUMNS.map((name, at) => [name, row[at] ?? null]));
    }
    if (rows.length < ROWS_AT_ONCE) return;
    const after = rows.at(-1)?.[COLUMNS.indexOf("sequence")] ?? null;
    ({ rows } = await reader.run(pageOf(chain, after)));
  }
}
