/** Limits, logs and randomness of this platform. */
import { assert, assertEquals } from "@std/assert";
import {
  consoleLogger,
  memoryRateLimiter,
  systemRandomness,
} from "../../../library/platform/mod.ts";
import type { LogEntry } from "../../../shared/runtime/ports.ts";

function clockAt(start: number) {
  let now = start;
  return { now: () => now, pass: (milliseconds: number) => now += milliseconds };
}

Deno.test("memoryRateLimiter() lets a limit's hits through in each period, for every key alone", async () => {
  const clock = clockAt(1_000_000);
  const limiter = memoryRateLimiter({ clock });
  const hits = async (key: string, count: number) => {
    const taken: boolean[] = [];
    for (let hit = 0; hit < count; hit++) taken.push(await limiter.take(key, 2, 10));
    return taken;
  };
  assertEquals(await hits("a", 3), [true, true, false]);
  assertEquals(await hits("b", 1), [true]);
  clock.pass(9_999);
  assertEquals(await hits("a", 1), [false]);
  clock.pass(1);
  assertEquals(await hits("a", 3), [true, true, false]);
});

Deno.test("memoryRateLimiter() counts periods of one key apart", async () => {
  const limiter = memoryRateLimiter({ clock: clockAt(0) });
  assertEquals(await limiter.take("a", 1, 10), true);
  assertEquals(await limiter.take("a", 1, 60), true);
  assertEquals(await limiter.take("a", 1, 10), false);
});

Deno.test("memoryRateLimiter() takes a lent hit back in its own window, and refused ones count nothing", async () => {
  const clock = clockAt(1_000_000);
  const limiter = memoryRateLimiter({ clock });
  const lend = () => limiter.lend("a", 2, 10);
  const [first, second, third] = [await lend(), await lend(), await lend()];
  assertEquals([first === null, second === null, third], [false, false, null]);
  await first?.giveBack();
  assertEquals([await lend() === null, await lend()], [false, null]);
  clock.pass(10_000);
  assertEquals([await lend() === null, await lend() === null, await lend()], [false, false, null]);
  await second?.giveBack();
  assertEquals(await lend(), null);
});

Deno.test("memoryRateLimiter() ends a window within its period, though the clock goes back an hour", async () => {
  const clock = clockAt(10_000_000);
  const limiter = memoryRateLimiter({ clock });
  assertEquals(await limiter.take("a", 1, 60), true);
  clock.pass(-3_600_000);
  assertEquals(await limiter.take("a", 1, 60), false);
  clock.pass(60_000);
  assertEquals(await limiter.take("a", 1, 60), true);
});

Deno.test("memoryRateLimiter() keeps a bounded number of keys and forgets the oldest first", async () => {
  const limiter = memoryRateLimiter({ clock: clockAt(0), maxKeys: 2 });
  for (const key of ["a", "b", "c"]) assertEquals(await limiter.take(key, 1, 10), true);
  assertEquals(await limiter.take("c", 1, 10), false);
  assertEquals(await limiter.take("b", 1, 10), false);
  assertEquals(await limiter.take("a", 1, 10), true);
});

Deno.test("consoleLogger() writes one line of JSON for each entry, causes included", () => {
  const lines: string[] = [];
  const logger = consoleLogger({ clock: clockAt(0), write: (line) => lines.push(line) });
  const error = new Error("outer", { cause: new TypeError("inner\nline") });
  const entry: LogEntry = {
    level: "error",
    message: "It broke",
    requestId: "req_1",
    error,
    fields: { operation: "listTickets", level: "spoofed" },
  };
  logger.log(entry);
  const [line = ""] = lines;
  assert(!line.includes("\n"));
  const { error: logged, ...rest } = JSON.parse(line);
  assertEquals(rest, {
    time: "1970-01-01T00:00:00.000Z",
    level: "error",
    message: "It broke",
    requestId: "req_1",
    operation: "listTickets",
  });
  assertEquals(
    [logged.name, logged.message, logged.cause.name, logged.cause.message],
    ["Error", "outer", "TypeError", "inner\nline"],
  );
});

Deno.test("consoleLogger() leaves out what was bound to a query that failed, in the message, the stack and causes", () => {
  const lines: string[] = [];
  const logger = consoleLogger({ clock: clockAt(0), write: (line) => lines.push(line) });
  const failed = new Error(
    "Failed query: insert into people values (?)\nparams: SECRET\n    at $&",
  );
  const error = new Error("Cannot save", { cause: failed });
  for (const thrown of [failed, error]) {
    logger.log({ level: "error", message: "Refused", error: thrown });
  }
  assertEquals(lines.map((line) => line.includes("SECRET")), [false, false]);
  assertEquals(lines.map((line) => line.includes("insert into people")), [true, true]);
  assertEquals(lines.map((line) => line.includes("adapters_test.ts")), [true, true]);
});

Deno.test("consoleLogger() says of a thrown value only what kind it is", () => {
  const lines: string[] = [];
  const logger = consoleLogger({ clock: clockAt(0), write: (line) => lines.push(line) });
  logger.log({ level: "warn", message: "Odd", error: { token: "secret" } });
  assertEquals(JSON.parse(lines[0] ?? "").error, { value: "object" });
});

Deno.test("systemRandomness gives as many bytes as asked for, and not the same ones twice", () => {
  const one = systemRandomness.bytes(16);
  assertEquals(one.length, 16);
  assert(one.join() !== systemRandomness.bytes(16).join());
});
