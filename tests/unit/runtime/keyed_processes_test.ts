/** Keyed writes of real processes on one database: killed at any point, or racing each other (definitions 7 "Idempotency-Key"). */
import { assert, assertEquals } from "@std/assert";
import { openDatabase } from "../../../library/platform/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { schemaOf } from "../../support/model_database.ts";
import { ORDER_FILES } from "../../support/orders_project.ts";
import { seededRandom } from "../../support/random.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

interface Writer {
  readonly process: Deno.ChildProcess;
  readonly lines: AsyncGenerator<string>;
}

function start(path: string, first: number, last: number): Writer {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "-A",
      "tests/support/keyed_writer.ts",
      path,
      String(first),
      String(last),
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { process, lines: linesOf(process) };
}

async function* linesOf(process: Deno.ChildProcess): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

async function released({ process, lines }: Writer): Promise<void> {
  assertEquals((await lines.next()).value, "ready");
  await process.stdin.close();
}

async function withOrdersFile(body: (path: string) => Promise<void>): Promise<void> {
  const validation = validate(ORDER_FILES);
  if (!validation.ok) throw new Error("The definitions do not compile");
  await withTempFolder(async (folder) => {
    const path = `${folder}/orders.db`;
    const database = await openDatabase({ url: `file:${path}` });
    await database.migrate(schemaOf(validation.model));
    await database.close();
    await body(path);
  });
}

/** Ids by number, of every row that is there. */
async function storedOrders(path: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const database = await openDatabase({ url: `file:${path}` });
  const { rows } = await database.run({ sql: "SELECT number, id FROM orders", args: [] });
  await database.close();
  const orders = new Map<number, string[]>();
  for (const [number, id] of rows) {
    orders.set(Number(number), [...orders.get(Number(number)) ?? [], String(id)]);
  }
  return orders;
}

const KILLS = 4;
const ORDERS = 400;

Deno.test("a killed process applied nothing twice and lost nothing that it had acknowledged", () =>
  withOrdersFile(async (path) => {
    const random = seededRandom(11);
    const acknowledged = new Map<number, string>();
    const note = (line: string) => {
      const [number, status, id = ""] = line.split(" ");
      assertEquals(status, "201", line);
      const known = acknowledged.get(Number(number));
      assert(known === undefined || known === id, `${line} was ${known} before`);
      acknowledged.set(Number(number), id);
    };
    // Every process begins anew, as a client does that does not know what became of its requests.
    for (let round = 1; round <= KILLS; round += 1) {
      const writer = start(path, 1, ORDERS);
      await released(writer);
      let left = 20 + round * 40 + random.below(40);
      for await (const line of writer.lines) {
        note(line);
        left -= 1;
        if (left === 0) writer.process.kill("SIGKILL");
      }
      assertEquals((await writer.process.status).signal, "SIGKILL");
    }
    const before = await storedOrders(path);
    for (const [number, id] of acknowledged) assertEquals(before.get(number), [id]);
    const last = start(path, 1, ORDERS);
    await released(last);
    for await (const line of last.lines) note(line);
    assert((await last.process.status).success);
    const after = await storedOrders(path);
    assertEquals(after.size, ORDERS);
    for (const [number, ids] of after) assertEquals(ids, [acknowledged.get(number) ?? "never"]);
  }));

Deno.test("two processes that send the same requests at once come to one effect each", () =>
  withOrdersFile(async (path) => {
    const writers = [start(path, 1, 100), start(path, 1, 100)];
    await Promise.all(writers.map(released));
    const answers = await Promise.all(writers.map(async ({ process, lines }) => {
      const own: string[] = [];
      for await (const line of lines) own.push(line);
      assert((await process.status).success);
      return own.sort();
    }));
    assertEquals(answers[0], answers[1]);
    const stored = await storedOrders(path);
    assertEquals(
      [...stored.values()].map((ids) => ids.length),
      Array.from({ length: 100 }, () => 1),
    );
  }));
