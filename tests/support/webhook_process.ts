/**
 * A process that emits events and delivers them until it is killed: `webhook_process.ts <database> <receiver port> <prefix>`.
 * It prints the payload of each event whose transaction has committed.
 */
import {
  openDatabase,
  pinnedDialer,
  runWorker,
  systemClock as clock,
  systemRandomness as random,
} from "../../platform/mod.ts";
import {
  createSecretBox,
  createWebhookWorker,
  databaseQueue,
  emitEvent,
} from "../../shared/runtime/mod.ts";
import { webhooksProject } from "./webhooks.ts";

const [url = "", port = "", prefix = ""] = Deno.args;
const database = await openDatabase({ url });
const dialer = pinnedDialer();
const logger = { log: () => {} };
const webhooks = {
  queue: databaseQueue({ database, clock, random }),
  resolver: {
    resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
  },
  // The public address stands for the receiver of the test.
  dialer: {
    post: (request: Parameters<typeof dialer.post>[0]) =>
      dialer.post({
        ...request,
        url: `http://hooks.example.com:${port}/`,
        address: "127.0.0.1",
      }),
  },
  secrets: createSecretBox(
    new TextEncoder().encode("secret-of-the-killed-process-of-a-test"),
    random,
  ),
  env: {},
};
const ports = { database, clock, random, logger, webhooks };
runWorker(createWebhookWorker(webhooksProject, ports, { lease: 400 }), { logger, interval: 5 });

for (let count = 0;; count += 1) {
  const payload = `${prefix}-${count}`;
  const event = { type: "user.created", payload, organizationId: "org_a" };
  await database.write((transaction) => emitEvent(transaction, event, ports));
  Deno.stdout.writeSync(new TextEncoder().encode(`${payload}\n`));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
