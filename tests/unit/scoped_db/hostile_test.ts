/** Whatever a handler writes, it reaches its caller's own rows or is refused by name (contract 4.4 rule 3). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DRIVERS } from "../../support/databases.ts";
import { fillDesk, runAction } from "./action.ts";
import { type HostileBody, RAW_READS, READS, TRICKS, WRITES } from "./hostile_bodies.ts";
import { MORE_READS, MORE_TRICKS, MORE_WRITES } from "./hostile_escapes.ts";

const BODIES: readonly HostileBody[] = [
  ...READS,
  ...RAW_READS,
  ...WRITES,
  ...TRICKS,
  ...MORE_READS,
  ...MORE_WRITES,
  ...MORE_TRICKS,
];

Deno.test("the corpus holds every name once", () => {
  const names = BODIES.map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  assert(names.length >= 180);
});

for (const driver of DRIVERS) {
  Deno.test(`hostile handlers reach nobody else's rows (${driver.name})`, async (test) => {
    await driver.with(async (database) => {
      await fillDesk(database);
      for (const { name, body, refused, options } of BODIES) {
        await test.step(name, async () => {
          const { value, error, before, after } = await runAction(database, body, options);
          assertEquals(after, before);
          assert(!told(value).includes("SECRET"), "The handler saw another's row");
          assert(!told(error).includes("SECRET"), "The refusal tells of another's row");
          if (refused === undefined) assertEquals(error, null);
          else assertMatch(messageOf(error), refused);
        });
      }
    });
  });
}

function told(value: unknown): string {
  if (value instanceof Error) return `${value.message} ${told(value.cause)}`;
  return JSON.stringify(value) ?? "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `nothing was refused (${error})`;
}
