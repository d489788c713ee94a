/** Who gets a turn, and who is sent away (definitions 7, `COMPILE_BUSY`). */
import { assertEquals, assertRejects } from "@std/assert";
import { CompileSlots } from "../../../shared/service/compile/compile_slots.ts";
import { ServiceRefusal } from "../../../shared/service/mod.ts";
import { ManualTimers, settle } from "../../support/build_service.ts";

const NEVER = new AbortController().signal;

function slots(limits: { readonly running: number; readonly waiting: number }) {
  const timers = new ManualTimers();
  const ending = new AbortController();
  return { timers, ending, slots: new CompileSlots(limits, { timers, ending: ending.signal }) };
}

/** What a refused turn says. */
async function refusal(turn: Promise<Disposable>) {
  const error = await assertRejects(() => turn, ServiceRefusal);
  if (!(error instanceof ServiceRefusal)) throw error;
  const { detail, headers } = error.options;
  return [error.code, detail, headers?.["retry-after"]];
}

const ENDING = [
  "COMPILE_BUSY",
  "The service is ending: compiles that have not begun are not begun",
  "5",
];

Deno.test("turns are given in the order of arrival", async () => {
  const { slots: all } = slots({ running: 1, waiting: 2 });
  const order: number[] = [];
  const first = await all.take(NEVER);
  const others = [1, 2].map(async (at) => {
    using _slot = await all.take(NEVER);
    order.push(at);
  });
  first[Symbol.dispose]();
  await Promise.all(others);
  assertEquals(order, [1, 2]);
});

Deno.test("whoever waits when the service ends is sent away, and so is who comes then", async () => {
  const { ending, slots: all } = slots({ running: 1, waiting: 8 });
  const running = await all.take(NEVER);
  const waiting = [all.take(NEVER), all.take(NEVER)].map(refusal);
  await settle();
  ending.abort();
  assertEquals(await Promise.all(waiting), [ENDING, ENDING]);
  assertEquals(await refusal(all.take(NEVER)), ENDING);
  // What runs goes on; nobody waits for its turn.
  running[Symbol.dispose]();
  (await all.take(NEVER))[Symbol.dispose]();
});

Deno.test("who leaves the queue gives up no turn of others", async () => {
  const { slots: all } = slots({ running: 1, waiting: 2 });
  const running = await all.take(NEVER);
  const client = new AbortController();
  const left = all.take(client.signal);
  const next = all.take(NEVER);
  await settle();
  client.abort(new Error("left"));
  await assertRejects(() => left, Error, "left");
  running[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  (await all.take(NEVER))[Symbol.dispose]();
});
