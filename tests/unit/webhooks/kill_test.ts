/** Processes that are killed without warning lose no event and deliver none under two ids (contract 3.4, traps). */
import { assert, assertEquals } from "@std/assert";
import { openDatabase, systemRandomness } from "../../../platform/mod.ts";
import { insertEndpoint } from "../../../shared/runtime/data/webhooks/endpoints.ts";
import { newSecret } from "../../../shared/runtime/webhooks/outbound/secret.ts";
import { schemaOf } from "../../support/model_database.ts";
import { seededRandom } from "../../support/random.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { webhooksProject } from "../../support/webhooks.ts";

const ROUNDS = 6;
const PROCESS = new URL("../../support/webhook_process.ts", import.meta.url).pathname;

interface Received {
  /** By payload. */
  readonly ids: Map<string, Set<string>>;
}

Deno.test("events that were committed are delivered, whenever their process is killed", async () => {
  const received: Received = { ids: new Map() };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const id = request.headers.get("webhook-id") ?? "";
    const { data } = await request.json();
    received.ids.set(data, (received.ids.get(data) ?? new Set()).add(id));
    return new Response("ok");
  });
  try {
    await withTempFolder(async (folder) => {
      const url = `file:${folder}/app.db`;
      await prepare(url);
      const random = seededRandom(Number(Deno.env.get("SEED") ?? 1));
      const emitted: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const args = { url, port: server.addr.port, prefix: `round-${round}` };
        emitted.push(...await killedRun(args, random.below(600)));
      }
      assert(emitted.length > 0);
      const args = { url, port: server.addr.port, prefix: "last" };
      await killedRun(args, async () => {
        while (emitted.some((payload) => !received.ids.has(payload))) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
    });
    for (const [payload, ids] of received.ids) assertEquals(ids.size, 1, payload);
  } finally {
    await server.shutdown();
  }
});

interface RunArguments {
  readonly url: string;
  readonly port: number;
  readonly prefix: string;
}

/** What one process says it has committed until it is killed, so many milliseconds after its first event. */
async function killedRun(
  { url, port, prefix }: RunArguments,
  until: number | (() => Promise<void>),
): Promise<readonly string[]> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROCESS, url, String(port), prefix],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let said = "";
  const decoder = new TextDecoder();
  const began = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const chunk of process.stdout) {
      said += decoder.decode(chunk, { stream: true });
      began.resolve();
    }
    began.resolve();
  })();
  await began.promise;
  await (typeof until === "number"
    ? new Promise((resolve) => setTimeout(resolve, until))
    : until());
  process.kill("SIGKILL");
  await process.status;
  await reading;
  return said.split("\n").slice(0, -1);
}

async function prepare(url: string): Promise<void> {
  const database = await openDatabase({ url });
  await database.migrate(schemaOf(webhooksProject));
  const endpoint = {
    id: "wep_1",
    name: "Receiver",
    url: "https://hooks.example.com/",
    secret: newSecret(systemRandomness),
    previousSecret: null,
    previousSecretUntil: null,
    events: ["*"],
    enabled: true,
    createdAt: "2026-01-02T03:04:05.678Z",
  };
  const owner = { scope: { kind: "organization", id: "org_a" }, createdBy: null } as const;
  await database.write((transaction) => insertEndpoint(transaction, endpoint, owner));
  await database.close();
}
