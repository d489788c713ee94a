/** When a failed delivery is tried again, under either schedule and whatever the endpoint asks for. */
import { assertEquals } from "@std/assert";
import {
  DELIVERY_SCHEDULES,
  nextAttemptAt,
} from "../../../shared/runtime/background/retry_schedules.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const SECOND = 1000;
const HOUR = 3_600_000;

function waits(schedule: "standard" | "extended", retryAfter: string | null = null) {
  return Array.from({ length: 9 }, (_, at) => {
    const next = nextAttemptAt(DELIVERY_SCHEDULES[schedule], {
      failures: at + 1,
      retryAfter,
      now: NOW,
    });
    return next === null ? null : (next - NOW) / SECOND;
  });
}

Deno.test("the standard schedule has three attempts, whatever the endpoint asks for", () => {
  const expected = [2, 4, null, null, null, null, null, null, null];
  assertEquals(waits("standard"), expected);
  assertEquals(waits("standard", "60"), expected);
});

Deno.test("the extended schedule has eight attempts over a day and a half", () => {
  const all = waits("extended");
  assertEquals(all, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, null, null]);
  assertEquals(all.reduce((sum: number, wait) => sum + (wait ?? 0), 0) > 30 * 3600, true);
});

const RETRY_AFTER: readonly (readonly [text: string, seconds: number])[] = [
  ["60", 60],
  ["0", 5],
  ["4", 5],
  ["86400", 86_400],
  ["86401", 86_400],
  ["99999999999999999999999999999999", 86_400],
  ["9".repeat(400), 86_400],
  ["Fri, 02 Jan 2026 03:05:05 GMT", 60],
  ["Fri, 02 Jan 2026 03:04:04 GMT", 5],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 5],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400],
  ["Fri, 02 Jan 2026 03:05:05 CET", 5],
  ["Friday, 02-Jan-26 03:05:05 GMT", 5],
  ["2026-01-02T03:05:05Z", 5],
  ["-60", 5],
  ["+60", 5],
  ["6e9", 5],
  ["60.5", 5],
  ["0x3c", 5],
  ["60, 120", 5],
  ["", 5],
  [" ", 5],
  ["soon", 5],
];

for (const [text, seconds] of RETRY_AFTER) {
  Deno.test(`Retry-After '${text.slice(0, 40)}' waits ${seconds} s`, () => {
    assertEquals(waits("extended", text)[0], seconds);
  });
}

Deno.test("Retry-After lengthens a wait and never shortens it, nor adds an attempt", () => {
  assertEquals(
    nextAttemptAt(DELIVERY_SCHEDULES.extended, { failures: 5, retryAfter: "1", now: NOW }),
    NOW + 5 * HOUR,
  );
  assertEquals(
    nextAttemptAt(DELIVERY_SCHEDULES.extended, { failures: 8, retryAfter: "60", now: NOW }),
    null,
  );
});
