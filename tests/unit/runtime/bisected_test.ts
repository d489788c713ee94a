/** One write for many records, of which a constraint refuses some (contract 4.1 rule 6). */
import { assertEquals, assertRejects } from "@std/assert";
import { bisected } from "../../../shared/runtime/operations/batch/items.ts";
import { ConstraintError } from "../../../shared/runtime/ports.ts";

/** Refuses an attempt with a value that is taken, or there twice. */
async function write(values: readonly number[], taken: readonly number[]) {
  const known = new Set(taken);
  const written: number[] = [];
  const refused: number[] = [];
  let attempts = 0;
  await bisected(values, {
    attempt(some) {
      attempts += 1;
      const isRefused = some.some((value) => known.has(value)) ||
        new Set(some).size < some.length;
      if (isRefused) return Promise.reject(new ConstraintError("unique", []));
      for (const value of some) known.add(value);
      written.push(...some);
      return Promise.resolve();
    },
    refused: (value) => void refused.push(value),
  });
  return { written, refused, attempts };
}

Deno.test("bisected() makes one attempt when nothing is refused, and none of nothing", async () => {
  assertEquals(await write([1, 2, 3, 4], []), { written: [1, 2, 3, 4], refused: [], attempts: 1 });
  assertEquals(await write([], []), { written: [], refused: [], attempts: 0 });
});

Deno.test("bisected() writes everything but what is refused, in order, the first of equals", async () => {
  const { written, refused } = await write([1, 2, 3, 2, 4, 5, 1], [4]);
  assertEquals([written, refused], [[1, 2, 3, 5], [2, 4, 1]]);
});

Deno.test("bisected() finds one culprit among many in few attempts", async () => {
  const values = Array.from({ length: 64 }, (_, at) => at);
  const { refused, attempts } = await write(values, [37]);
  assertEquals([refused, attempts], [[37], 13]);
});

Deno.test("bisected() passes on whatever is no refusal", async () => {
  const failure = new Error("disk");
  const run = bisected([1], {
    attempt: () => Promise.reject(failure),
    refused: () => {
      throw new Error("A failure is no refusal");
    },
  });
  await assertRejects(() => run, Error, "disk");
});
