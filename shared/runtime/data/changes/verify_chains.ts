/** Proves that the history of records is as it was written (definitions 4, `audit`): each chain from its first row to its last. */
import { AUDIT_CHAINS, AUDIT_CHANGES } from "../../../model/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { BrokenLink, ChainVerdict, Reader, SqlValue } from "../../ports.ts";
import { type ChangeCells, changeHash } from "./change_chain.ts";

const COLUMNS = AUDIT_CHANGES.columns.map(({ name }) => name);
const SELECTED = COLUMNS.map((name) => sqlIdentifier(name)).join(", ");
const ROWS_AT_ONCE = 500;

/** Every chain of a database, in the order of their names. */
export async function verifyChains(reader: Reader): Promise<readonly ChainVerdict[]> {
  const { rows } = await reader.run({
    sql: `SELECT ${AUDIT_CHAINS.columns.map(({ name }) => sqlIdentifier(name)).join(", ")}
      FROM ${sqlIdentifier(AUDIT_CHAINS.name)} ORDER BY "chain"`,
    args: [],
  });
  const ends = new Map(rows.map((row) => {
    const [chain, first, before, last, head] = row;
    return [String(chain), {
      first: Number(first),
      before: String(before),
      last: Number(last),
      head: String(head),
    }];
  }));
  // A chain whose ends were removed with its rows in place.
  const { rows: unknown } = await reader.run({
    sql: `SELECT DISTINCT "chain" FROM ${sqlIdentifier(AUDIT_CHANGES.name)} ORDER BY "chain"`,
    args: [],
  });
  const headless = unknown.map(([chain]) => String(chain)).filter((chain) => !ends.has(chain));
  const verdicts: ChainVerdict[] = headless.map((chain) => ({
    chain,
    changes: 0,
    erased: 0,
    head: "",
    broken: { sequence: 0, id: null, why: "Nothing says where the chain begins and ends" },
  }));
  for (const [chain, chainEnds] of ends) {
    verdicts.push(await verifyChain(reader, chain, chainEnds));
  }
  return verdicts.toSorted((a, b) => a.chain < b.chain ? -1 : 1);
}

interface Ends {
  readonly first: number;
  /** Hash before the first row. */
  readonly before: string;
  readonly last: number;
  readonly head: string;
}

async function verifyChain(
  reader: Reader,
  chain: string,
  { first, before, last, head }: Ends,
): Promise<ChainVerdict> {
  let sequence = first - 1;
  let hash = before;
  let changes = 0;
  let erased = 0;
  let broken: BrokenLink | null = null;
  for await (const cells of changesOf(reader, chain)) {
    broken = await faultOf(cells, { sequence, hash });
    if (broken !== null) break;
    sequence += 1;
    hash = String(cells["hash"]);
    changes += 1;
    if (isErased(cells)) erased += 1;
  }
  if (broken === null && sequence !== last) {
    broken = { sequence: sequence + 1, id: null, why: `The rows up to ${last} are gone` };
  }
  if (broken === null && hash !== head) {
    broken = { sequence, id: null, why: "The newest row is another one than was written last" };
  }
  return { chain, changes, erased, head, broken };
}

/** Null: the row follows the one before, and is as it was written. */
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

async function* changesOf(
  reader: Reader,
  chain: string,
): AsyncGenerator<ChangeCells, void, undefined> {
  for (let after: SqlValue = -1;;) {
    const { rows } = await reader.run({
      sql: `SELECT ${SELECTED} FROM ${sqlIdentifier(AUDIT_CHANGES.name)}
        WHERE "chain" = ? AND "sequence" > ? ORDER BY "sequence" LIMIT ${ROWS_AT_ONCE}`,
      args: [chain, after],
    });
    for (const row of rows) {
      const cells = Object.fromEntries(COLUMNS.map((name, at) => [name, row[at] ?? null]));
      yield cells;
      after = cells["sequence"] ?? null;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
