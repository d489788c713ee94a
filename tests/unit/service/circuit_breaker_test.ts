/** When the router spares a backend that keeps failing. */
import { assertEquals } from "@std/assert";
import { CircuitBreaker } from "../../../edge/upstream.ts";

function breakerAt() {
  const clock = { time: 0 };
  return { clock, breaker: new CircuitBreaker({ now: () => clock.time }) };
}

function fail(breaker: CircuitBreaker, times: number): void {
  for (let time = 0; time < times; time++) breaker.failed();
}

Deno.test("two failures spare nobody, three do", () => {
  const { breaker } = breakerAt();
  fail(breaker, 2);
  assertEquals(breaker.mayTry(), true);
  fail(breaker, 1);
  assertEquals(breaker.mayTry(), false);
});

Deno.test("one that is waited for in vain is spared at once", () => {
  const { breaker, clock } = breakerAt();
  breaker.timedOut();
  assertEquals(breaker.mayTry(), false);
  clock.time = 10_000;
  assertEquals(breaker.mayTry(), true);
});

Deno.test("a success between failures begins the count anew", () => {
  const { breaker } = breakerAt();
  fail(breaker, 2);
  breaker.succeeded();
  fail(breaker, 2);
  assertEquals(breaker.mayTry(), true);
});

Deno.test("after the pause one caller tries, and its success lets all in", () => {
  const { breaker, clock } = breakerAt();
  fail(breaker, 3);
  clock.time = 9_999;
  assertEquals(breaker.mayTry(), false);
  clock.time = 10_000;
  assertEquals([breaker.mayTry(), breaker.mayTry()], [true, false]);
  breaker.succeeded();
  assertEquals([breaker.mayTry(), breaker.mayTry()], [true, true]);
});
