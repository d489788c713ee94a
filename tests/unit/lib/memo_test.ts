/** What is kept is what was built, for its owner alone, and never more than the bound. */
import { assertEquals } from "@std/assert";
import { ownedMemo } from "../../../shared/lib/memo.ts";

const BOUNDS = { keysMax: 3, keyMaxLength: 4 };

Deno.test("ownedMemo() builds once for an owner and a key, and for every other owner anew", () => {
  const kept = ownedMemo<object, string>(BOUNDS);
  const [ada, bob] = [{}, {}];
  assertEquals(kept(ada, "a", () => "ada's"), "ada's");
  assertEquals(kept(ada, "a", () => "another"), "ada's");
  assertEquals(kept(bob, "a", () => "bob's"), "bob's");
});

Deno.test("ownedMemo() keeps nothing of what threw", () => {
  const kept = ownedMemo<object, string>(BOUNDS);
  const ada = {};
  let thrown = 0;
  const failing = () => {
    thrown += 1;
    throw new Error("refused");
  };
  for (let time = 0; time < 2; time += 1) {
    try {
      kept(ada, "a", failing);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== "refused") throw error;
    }
  }
  assertEquals(thrown, 2);
});

Deno.test("ownedMemo() begins anew beyond its keys, and keeps none that is too long", () => {
  const kept = ownedMemo<object, number>(BOUNDS);
  const ada = {};
  let built = 0;
  const build = () => built += 1;
  for (const key of ["a", "b", "c", "a", "d", "a"]) kept(ada, key, build);
  assertEquals(built, 5);
  for (const key of ["longer", "longer"]) kept(ada, key, build);
  assertEquals(built, 7);
});
