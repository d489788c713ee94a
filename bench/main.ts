/** `deno task bench`: the generated API beside a hand-written one and beside the bare driver, as a table of ratios. */
import { assertEquals } from "@std/assert";
import { withTempFolder } from "../tests/support/temp_folder.ts";
import { bareDriver } from "./bare_driver.ts";
import { printBundleCheck } from "./bundle_check.ts";
import { printDeepPages } from "./deep_pages.ts";
import { generatedApi, type Handler } from "./generated_api.ts";
import { handWrittenApi } from "./hand_written_api.ts";
import { type Contender, measure } from "./measure.ts";
import { BASE_URL, prepareScenario, type Scenario } from "./scenario.ts";

interface Case {
  readonly name: string;
  readonly path: string;
  bare(): string;
}

/** Requests on their way at once, over HTTP. */
const CONCURRENCY = 8;

const RUNS_IN_PROCESS = 200;
const RUNS_OVER_HTTP = 40;

await withTempFolder(async (folder) => {
  const scenario = await prepareScenario(folder);
  const generated = generatedApi(scenario);
  const handWritten = await handWrittenApi(scenario);
  const driver = bareDriver(scenario);
  const cases: readonly Case[] = [
    { name: "list of 20 tickets", path: "/api/v1/tickets?limit=20", bare: driver.listTickets },
    {
      name: "list of 20 customers, masked",
      path: "/api/v1/customers?limit=20",
      bare: driver.listCustomers,
    },
    { name: "single ticket", path: `/api/v1/tickets/${scenario.ticketId}`, bare: driver.getTicket },
  ];
  for (const one of cases) await requireSameAnswer(one, scenario, generated, handWritten);

  console.log(
    "| | generated | hand-written | bare driver | hand-written / generated | generated / bare |",
  );
  console.log("|---|--:|--:|--:|--:|--:|");
  for (const one of cases) {
    const bare: Contender = { name: "bare", run: () => Promise.resolve(void one.bare()) };
    const times = await measure([
      inProcess(generated, one, scenario),
      inProcess(handWritten, one, scenario),
      bare,
    ], RUNS_IN_PROCESS);
    printRow(`${one.name}, in process`, times);
  }
  await using servers = serve([generated, handWritten]);
  for (const one of cases) {
    const times = await measure(
      servers.urls.map((url) => overHttp(url, one, scenario)),
      RUNS_OVER_HTTP,
    );
    printRow(`${one.name}, over HTTP`, times.map((time) => time / CONCURRENCY));
  }
  await printDeepPages(scenario, { generated, handWritten });
  await scenario.database.close();
});
await printBundleCheck();

/** A comparison counts only when both do the same work. */
async function requireSameAnswer(
  one: Case,
  scenario: Scenario,
  generated: Handler,
  handWritten: Handler,
) {
  const [ours, theirs] = await Promise.all(
    [generated, handWritten].map((handler) => handler(requestFor(BASE_URL, one, scenario))),
  );
  assertEquals([ours?.status, theirs?.status], [200, 200]);
  assertEquals(withoutCursors(await ours?.text()), withoutCursors(await theirs?.text()));
}

/** The hand-written API has no cursors: ours does their work on top. */
function withoutCursors(text = ""): unknown {
  const isCursor = (key: string) => key === "nextCursor" || key === "prevCursor";
  return JSON.parse(text, (key, value: unknown) => isCursor(key) ? null : value);
}

function requestFor(base: string, { path }: Case, { token }: Scenario): Request {
  const headers = { authorization: `Bearer ${token}`, host: new URL(base).host };
  return new Request(base + path, { headers });
}

function inProcess(handler: Handler, one: Case, scenario: Scenario): Contender {
  return {
    name: one.name,
    run: async () => void await (await handler(requestFor(BASE_URL, one, scenario))).text(),
  };
}

/** One run is a burst of requests that are on their way together. */
function overHttp(url: string, one: Case, scenario: Scenario): Contender {
  const ask = async () => void await (await fetch(requestFor(url, one, scenario))).text();
  return {
    name: one.name,
    run: async () => void await Promise.all(Array.from({ length: CONCURRENCY }, ask)),
  };
}

function serve(handlers: readonly Handler[]) {
  const servers = handlers.map((handler) =>
    Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler)
  );
  return {
    urls: servers.map(({ addr }) => `http://127.0.0.1:${addr.port}`),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.shutdown()));
    },
  };
}

function printRow(
  name: string,
  [generated = NaN, handWritten = NaN, bare]: readonly number[],
): void {
  const cells = [
    name,
    micros(generated),
    micros(handWritten),
    bare === undefined ? "" : micros(bare),
    ratio(handWritten / generated),
    bare === undefined ? "" : ratio(generated / bare),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function micros(value: number): string {
  return `${value.toFixed(0)} µs`;
}

function ratio(value: number): string {
  return `${value.toFixed(1)} ×`;
}
