/**
 * A process that is killed, or that races another: `keyed_writer.ts <database> <first> <last>` creates one order per number under
 * the number's own `Idempotency-Key`, three at once, and says `<number> <status> <id>` for each answer.
 */
import {
  consoleLogger,
  openDatabase,
  systemClock,
  systemRandomness,
} from "../../library/platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { createApp } from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL, tokenFor } from "./api.ts";
import { ORDER_FILES, ORDERS_CLERK } from "./orders_project.ts";

const [path = "", first = "0", last = "0"] = Deno.args;
const validation = validate(ORDER_FILES);
if (!validation.ok) throw new Error("The definitions do not compile");
const database = await openDatabase({ url: `file:${path}`, busyTimeout: 300_000 });
const app = createApp(
  validation.model,
  {
    database,
    clock: systemClock,
    random: systemRandomness,
    logger: consoleLogger({ clock: systemClock }),
    accounts: null,
    limiter: null,
  },
  {
    baseUrl: BASE_URL,
    authSecret: AUTH_SECRET,
    production: false,
    exposeErrorStack: false,
    allowedHosts: null,
  },
  { openapi: null },
);
const token = await tokenFor(ORDERS_CLERK, Date.now());
let next = Number(first);

async function order(number: number): Promise<void> {
  const request = new Request(`${BASE_URL}/api/v1/orders`, {
    method: "POST",
    headers: {
      host: new URL(BASE_URL).host,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": `order-${number}`,
    },
    body: JSON.stringify({ number }),
  });
  const response = await app.fetch(request, { clientIp: null });
  const { id } = await response.json();
  console.log(`${number} ${response.status} ${id}`);
}

async function work(): Promise<void> {
  while (next <= Number(last)) await order(next++);
}

console.log("ready");
await new Response(Deno.stdin.readable).arrayBuffer();
await Promise.all([work(), work(), work()]);
await database.close();
