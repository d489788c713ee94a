/** A page far down a list: by cursor and by offset, beside the first page, over the same tables with many more tickets. */
import { assertEquals } from "@std/assert";
import type { Handler } from "./generated_api.ts";
import { type Contender, measure } from "./measure.ts";
import { BASE_URL, ORGANIZATION, type Scenario } from "./scenario.ts";

const DEPTH = 100_000;
const RUNS = 20;

export async function printDeepPages(
  scenario: Scenario,
  { generated, handWritten }: { readonly generated: Handler; readonly handWritten: Handler },
): Promise<void> {
  await addTickets(scenario);
  const list = "/api/v1/tickets?limit=20";
  const cursor = await cursorAt(generated, scenario);
  const rows: readonly (readonly [string, Handler, string])[] = [
    ["generated, first page", generated, list],
    [`generated, by cursor at ${DEPTH}`, generated, `${list}&starting_after=${cursor}`],
    [`generated, before a cursor at ${DEPTH}`, generated, `${list}&ending_before=${cursor}`],
    [`generated, by offset ${DEPTH}`, generated, `${list}&offset=${DEPTH}`],
    ["hand-written, first page", handWritten, list],
    [`hand-written, by offset ${DEPTH}`, handWritten, `${list}&offset=${DEPTH}`],
  ];
  const times = await measure(
    rows.map(([name, handler, path]): Contender => ({
      name,
      run: async () => void await (await answer(handler, path, scenario)).text(),
    })),
    RUNS,
  );
  console.log("\n| A list of 20 tickets, in process | time | ratio to our first page |");
  console.log("|---|--:|--:|");
  for (const [at, [name]] of rows.entries()) {
    const time = times[at] ?? NaN;
    console.log(`| ${name} | ${time.toFixed(0)} µs | ${(time / (times[0] ?? NaN)).toFixed(1)} × |`);
  }
}

async function answer(handler: Handler, path: string, { token }: Scenario): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, host: new URL(BASE_URL).host };
  const response = await handler(new Request(BASE_URL + path, { headers }));
  assertEquals(response.status, 200);
  return response;
}

async function cursorAt(generated: Handler, scenario: Scenario): Promise<string> {
  const path = `/api/v1/tickets?limit=1&offset=${DEPTH - 1}`;
  const body: unknown = await (await answer(generated, path, scenario)).json();
  const pagination = memberOf(body, "pagination");
  return String(memberOf(pagination, "nextCursor"));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) throw new Error(`No "${name}" in an answer`);
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Older than the others and like them, made by SQLite itself. */
async function addTickets({ database }: Scenario): Promise<void> {
  const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    INSERT INTO tickets (id, organization_id, customer_id, subject, description, channel, priority,
      status, created_at, created_by, modified_at, modified_by)
    SELECT printf('ticket_deep%028d', i), organization_id, customer_id, subject, description, channel,
      priority, status, printf('2025-%02d-%02dT%02d:00:00.%03dZ', i % 12 + 1, i % 28 + 1, i % 24, i % 1000),
      created_by, modified_at, modified_by
    FROM n, (SELECT * FROM tickets WHERE organization_id = ? LIMIT 1)`;
  await database.write((transaction) =>
    transaction.run({ sql, args: [DEPTH + 10_000, ORGANIZATION] })
  );
  await database.migrate([{ sql: "ANALYZE", args: [] }]);
}
