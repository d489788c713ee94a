/** Members are counted in a text as they are in its value. */
import { assertEquals } from "@std/assert";
import { hasMoreMembers } from "../../../shared/lib/json.ts";

const TEXTS: readonly (readonly [string, number])[] = [
  ["[1,2,3,4,5]", 5],
  ['{"a":1,"b":2,"c":3,"d":4}', 4],
  ['["a,b,c,d,e,f,g,h","i"]', 2],
  ['["\\",,,,,,","\\\\","x"]', 3],
  ['{"a,":[1,2],"b":{"c":",,,,"}}', 5],
  ["                              [1]", 1],
  [`[${"[],".repeat(9)}[]]`, 10],
];

for (const [json, members] of TEXTS) {
  Deno.test(`hasMoreMembers() refuses no text for fewer than ${members} members: ${json.trim()}`, () => {
    JSON.parse(json);
    assertEquals(hasMoreMembers(json, members), false);
  });
}

Deno.test("hasMoreMembers() finds too many, in the root and below, and in what is no JSON", () => {
  assertEquals(hasMoreMembers("[1,2,3,4,5]", 4), true);
  assertEquals(hasMoreMembers('{"a":{"b":[1,2,3,4,5,6]}}', 5), true);
  assertEquals(hasMoreMembers('[",",",",","]', 2), true);
  assertEquals(hasMoreMembers(",,,,,,,,,,", 4), true);
  assertEquals(hasMoreMembers('[",,,,,,,,,,,,', 4), false);
});
