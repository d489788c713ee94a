/** Pulls of a copy: a pull that somebody gave up is late, whatever the clock says (definitions 8). */
import { assertEquals, assertRejects } from "@std/assert";
import { createPulls } from "../../../library/platform/libsql/copy/pulls.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";

Deno.test("a pull that was given up is late by a clock that is behind the timer", async () => {
  const pull = Promise.withResolvers<void>();
  const pulls = createPulls(() => pull.promise, { pullMaxMs: 1, now: () => 0 });
  await assertRejects(() => pulls.since(0), DatabaseUnavailableError);
  assertEquals(pulls.isLate, true);
  pull.resolve();
  await pulls.whole();
});
