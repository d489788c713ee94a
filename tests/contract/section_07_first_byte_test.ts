/** Definitions 8, `ACTION_TIMEOUT_MS`: an action answers in time up to its first byte, whatever it answers with, and then takes any time. */
import { assert, assertEquals } from "@std/assert";
import { systemTimer } from "../../library/platform/mod.ts";
import { type ApiUnderTest, BASE_URL, type Claims, tokenFor } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const ROLES = `{ access: { roles: ["member"] } }`;
const LIMIT_MS = 200;

const TYPES: Readonly<Record<string, string>> = { stream: "text/event-stream", file: "text/csv" };

/** How a handler goes about its answer; each writes a note first, if it is told to. */
const action = (responseType: string, method: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";
import { notes } from "../schema";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const never = new Promise<never>(() => {});
const said: Record<string, boolean> = Reflect.get(globalThis, "firstByteSaid") ?? {};
Reflect.set(globalThis, "firstByteSaid", said);

async function* pieces(how: string) {
  if (how === "empty pieces") for (;;) { yield new Uint8Array(); await pause(20); }
  if (how === "fails before") throw new Error("No");
  if (how === "silent") await never;
  if (how === "ends at once") return;
  yield "one ";
  await pause(2 * ${LIMIT_MS});
  yield "two";
}

function streamOf(how: string): ReadableStream {
  const source = pieces(how);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) return controller.close();
      controller.enqueue(typeof value === "string" ? new TextEncoder().encode(value) : value);
    },
    cancel: () => void (said.cancelled = true),
  }, { highWaterMark: 0 });
}

export default defineAction({
  description: "Answers", path: "./${responseType}-${method.toLowerCase()}", method: "${method}",
  responseType: "${responseType}",
  input: z.object({ how: z.string(), as: z.string().default("response"), writes: z.string().default("") }),
  access: { roles: ["member"] },
  async execute({ db, signal, input: { how, as, writes } }) {
    for (const name of Object.keys(said)) delete said[name];
    signal.addEventListener("abort", () => void (said.aborted = true));
    if (writes) await db.insert(notes).values({ text: how });
    if (how === "never returns") await never;
    ${
    responseType === "json" ? "return { ok: true };" : `if (as === "stream") return streamOf(how);
    return new Response(streamOf(how), { status: 203, headers: { "content-type": "${
      TYPES[responseType]
    }" } });`
  }
  },
});
`;

const ACTIONS = ["json", "stream", "file"].flatMap((responseType) =>
  (responseType === "json" ? ["POST"] : ["GET", "POST"]).map((method) => ({ responseType, method }))
);

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text() },
  guards: { createable: ["text"] },
  read: ${ROLES}, create: ${ROLES},
});
`,
  ...Object.fromEntries(ACTIONS.map(({ responseType, method }) => [
    `quickback/features/notes/actions/${responseType}${method}.ts`,
    action(responseType, method),
  ])),
};

function ask(
  api: ApiUnderTest,
  { responseType, method }: typeof ACTIONS[number],
  input: Readonly<Record<string, string>>,
) {
  const path = `notes/${responseType}-${method.toLowerCase()}`;
  return method === "GET"
    ? api.ask(`${path}?${new URLSearchParams(input)}`, { as: ANN })
    : api.ask(path, { as: ANN, body: input });
}

async function notes(api: ApiUnderTest): Promise<unknown> {
  const { body: { data } } = await api.ask("notes", { as: ANN });
  return Array.isArray(data) ? data.map(({ text }) => text) : data;
}

const said = (name: string) => Reflect.get(Reflect.get(globalThis, "firstByteSaid") ?? {}, name);

Deno.test("where there is no limit a stream is answered before its first byte", () =>
  withCompiledActions(FILES, async (api) => {
    const headers = { host: "localhost:8000", authorization: `Bearer ${await tokenFor(ANN)}` };
    const url = `${BASE_URL}/api/v1/notes/stream-get?how=silent`;
    const { status, body } = await api.fetch(new Request(url, { headers }), { clientIp: null });
    assertEquals(status, 203);
    await body?.cancel();
  }));

/** The body with an API, and something that goes on while code waits for what never comes. */
async function withActions(
  body: (api: ApiUnderTest) => Promise<void>,
  actionTimeoutMs = LIMIT_MS,
): Promise<void> {
  const alive = setInterval(() => {}, 1000);
  try {
    await withCompiledActions(FILES, body, { timer: systemTimer, settings: { actionTimeoutMs } });
  } finally {
    clearInterval(alive);
  }
}

Deno.test("an action without a first byte in time is 503, is told, and leaves nothing", () =>
  withActions(async (api) => {
    for (const one of ACTIONS) {
      const { responseType, method } = one;
      const kinds = responseType === "stream" ? ["response", "stream"] : ["response"];
      const hows = [
        "never returns",
        ...(responseType === "json" ? [] : ["silent", "empty pieces"]),
      ];
      for (const [how, as] of hows.flatMap((how) => kinds.map((as) => [how, as] as const))) {
        for (const writes of method === "GET" ? [""] : ["", "yes"]) {
          const about = `${responseType} ${method}, ${how}, ${as}, ${writes}`;
          const since = performance.now();
          const { status, body, headers } = await ask(api, one, { how, as, writes });
          assertEquals(
            [status, body["code"], body["layer"]],
            [503, "ACTION_TIMEOUT", "action"],
            about,
          );
          assertEquals(headers.get("content-type"), "application/problem+json", about);
          assert(performance.now() - since >= LIMIT_MS - 20, about);
          assertEquals(said("aborted"), true, about);
          if (how !== "never returns") assertEquals(said("cancelled"), true, about);
        }
      }
    }
    assertEquals(await notes(api), []);
  }));

Deno.test("after its first byte an answer takes any time, and what was written is kept", () =>
  withActions(async (api) => {
    for (const one of ACTIONS.filter(({ responseType }) => responseType !== "json")) {
      const about = `${one.responseType} ${one.method}`;
      const writes = one.method === "GET" ? "" : "yes";
      const { status, text, headers } = await ask(api, one, { how: "slow", writes });
      assertEquals([status, text], [203, "one two"], about);
      assertEquals(headers.get("content-type"), TYPES[one.responseType], about);
      assertEquals(said("aborted"), undefined, about);
      const empty = await ask(api, one, { how: "ends at once" });
      assertEquals([empty.status, empty.text], [203, ""], about);
    }
    assertEquals(await notes(api), ["slow", "slow"]);
  }));

Deno.test("an answer that fails before its first byte is a failure, and nothing is kept", () =>
  withActions(async (api) => {
    for (const one of ACTIONS.filter(({ responseType }) => responseType !== "json")) {
      const writes = one.method === "GET" ? "" : "yes";
      const { status, body } = await ask(api, one, { how: "fails before", writes });
      assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"], one.responseType);
    }
    assertEquals(await notes(api), []);
  }));

Deno.test("a stream that has written nothing keeps nobody from writing while it is silent", () =>
  withActions(async (api) => {
    let isOver = false;
    const silent = ask(api, { responseType: "stream", method: "POST" }, { how: "silent" })
      .finally(() => isOver = true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const made = await api.ask("notes", { as: ANN, body: { text: "meanwhile" } });
    assertEquals([made.status, isOver], [201, false]);
    assertEquals((await silent).status, 503);
    assertEquals(await notes(api), ["meanwhile"]);
  }, 2000));
