/** The smallest question to a database: whether it answers (definitions 7, "GET /health"). */
import type { Reader } from "../ports.ts";

export async function ping(reader: Reader): Promise<void> {
  await reader.run({ sql: "SELECT 1", args: [] });
}
