/** What waits to be published goes together, and what is lost is said once (contract 6.3). */
import { assertEquals } from "@std/assert";
import {
  createSender,
  RETRY_MS,
  type Send,
  TOGETHER_MAX,
  WAITING_MAX,
} from "../../../shared/runtime/realtime/sender.ts";
import { readMessage } from "../../../shared/runtime/realtime/message.ts";
import type { LogEntry } from "../../../shared/runtime/ports.ts";
import { manualTimer } from "../../support/realtime.ts";

const AT = "2026-01-02T00:00:00.000Z";

interface Sending {
  readonly send: Send;
  /** What the log of events was given, batch by batch: names of resources, and `lost`. */
  readonly batches: string[][];
  readonly log: readonly LogEntry[];
  /** Calls that come to an end fail while this is so. */
  break(isBroken: boolean): void;
  elapse(): Promise<void>;
}

function sending(): Sending {
  let now = Date.parse(AT);
  let isBroken = false;
  const batches: string[][] = [];
  const log: LogEntry[] = [];
  const clock = { now: () => now };
  const timer = manualTimer(clock);
  const publish = async (texts: readonly string[]) => {
    await Promise.resolve();
    if (isBroken) throw new Error("No connection");
    batches.push(texts.map((text) => nameOf(text)));
  };
  const none = () => Promise.reject(new Error("Not asked for"));
  return {
    send: createSender({
      pubSub: { publish, listen: none, position: none, after: none },
      timer,
      clock,
      logger: { log: (entry) => void log.push(entry) },
    }),
    batches,
    log,
    break: (is) => void (isBroken = is),
    async elapse() {
      now += RETRY_MS;
      timer.fire();
      await settled();
    },
  };
}

function nameOf(text: string): string {
  const message = readMessage(text);
  return message?.kind === "crowd" ? message.resource : message?.kind ?? "unknown";
}

const crowd = (resource: string) => ({ kind: "crowd", resource, at: AT }) as const;

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("messages that wait are published together, in order, so many at a time", async () => {
  const { send, batches } = sending();
  const names = Array.from({ length: TOGETHER_MAX + 2 }, (_, at) => `${at}`);
  for (const name of names) send(crowd(name));
  await settled();
  assertEquals(batches.map(({ length }) => length), [TOGETHER_MAX, 2]);
  assertEquals(batches.flat(), names);
});

Deno.test("after an outage one message says that some were lost, and each outage is one line in the log", async () => {
  const { send, batches, log, break: broken, elapse } = sending();
  for (let outage = 1; outage <= 2; outage += 1) {
    broken(true);
    for (let round = 0; round < 3; round += 1) {
      send(crowd("gone"));
      await elapse();
    }
    broken(false);
    send(crowd("kept"));
    await elapse();
    assertEquals(batches.splice(0), [["lost", "kept"]]);
    assertEquals(log.length, outage);
    send(crowd("next"));
    await settled();
    assertEquals(batches.splice(0), [["next"]]);
  }
});

Deno.test("more messages than may wait are lost, and said to be", async () => {
  const { send, batches, log } = sending();
  for (let at = 0; at <= WAITING_MAX; at += 1) send(crowd(`${at}`));
  await settled();
  assertEquals(batches, [["lost", `${WAITING_MAX}`]]);
  assertEquals(log.length, 1);
});
