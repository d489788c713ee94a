/** What parsed JSON must not be, and where it is so. */
import { assertEquals } from "@std/assert";
import { JSON_DEPTH_MAX, jsonFaultOf, pointerTo } from "../../../shared/lib/json.ts";

const brackets = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

const CASES: readonly (readonly [string, string, string, number?])[] = [
  ['{"a":{"__proto__":{"a":1}}}', "/a/__proto__", 'Must not have a key "__proto__"'],
  ['[{"a":{"constructor":1}}]', "/0/a/constructor", 'Must not have a key "constructor"'],
  ["1e400", "", "Must be a number within the range of a double"],
  ['{"a/b":{"c~":[-1e400]}}', "/a~1b/c~0/0", "Must be a number within the range of a double"],
  [
    brackets(JSON_DEPTH_MAX + 1),
    "/0".repeat(JSON_DEPTH_MAX),
    `Must not be nested deeper than ${JSON_DEPTH_MAX} levels`,
  ],
  [
    brackets(200_000),
    "/0".repeat(JSON_DEPTH_MAX),
    `Must not be nested deeper than ${JSON_DEPTH_MAX} levels`,
  ],
  ["[[1,2],[3]]", "/0", "Must not have more than 4 members in all", 4],
];

Deno.test("jsonFaultOf() names the place of what is unsafe, and what it is", () => {
  for (const [json, pointer, message, membersMax = 100] of CASES) {
    const fault = jsonFaultOf(JSON.parse(json), { membersMax });
    assertEquals(fault && { pointer: pointerTo(...fault.path), message: fault.message }, {
      pointer,
      message,
    }, json.slice(0, 80));
  }
});

Deno.test("jsonFaultOf() finds nothing in what is just within its bounds", () => {
  const safe = ["0", "null", '"__proto__"', '["constructor"]', '{"a":1.7e308}', "[1,2,3,4]"];
  for (const json of safe) {
    assertEquals(jsonFaultOf(JSON.parse(json), { membersMax: 4 }), null, json);
  }
  assertEquals(jsonFaultOf(JSON.parse(brackets(JSON_DEPTH_MAX))), null);
  assertEquals(jsonFaultOf(JSON.parse(brackets(9)), { depthMax: 8 }) === null, false);
});
