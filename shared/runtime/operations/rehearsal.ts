/** A dry run: all of it in a transaction that is rolled back (definitions 5 "dry run"). */
import type { Database, Transaction } from "../ports.ts";

const PREFERENCE_APPLIED = "preference-applied";

/** Thrown to take back a rehearsal. */
class Rehearsed extends Error {
  constructor(readonly response: Response) {
    super("A rehearsal");
  }
}

/** Runs the body and rolls it back; the answer says so in `Preference-Applied` (RFC 7240, 3). */
export async function rehearse(
  database: Database,
  body: (transaction: Transaction) => Promise<Response>,
): Promise<Response> {
  try {
    return await database.write(async (transaction): Promise<Response> => {
      throw new Rehearsed(await body(transaction));
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
    error.response.headers.set(PREFERENCE_APPLIED, "dry-run");
    return error.response;
  }
}
