/** Each fault that a mutation run can plant, on the smallest module that has room for it. */
import { assertEquals } from "@std/assert";
import { mutantsOf } from "../../mutants/mutations.ts";

const FAULTS: readonly (readonly [source: string, faults: readonly string[]])[] = [
  ["if (mine) leave();", ["if (true) leave();", "if (false) leave();", "if (mine) ;"]],
  ["const one = mine ? 1 : 2;", ["const one = true ? 1 : 2;", "const one = false ? 1 : 2;"]],
  ["const same = one === other;", ["const same = one !== other;"]],
  ["const less = one < other;", ["const less = one <= other;"]],
  ["const both = one && other;", ["const both = one || other;"]],
  ["const not = !mine;", ["const not = mine;"]],
  ["const on = true;", ["const on = false;"]],
  ["throw new Error('no');", ["{}"]],
  ["await refuse(caller);", [";"]],
  ["const all = [...mine, 1];", ["const all = [...[], 1];"]],
  ["const every = rows.every(isMine);", ["const every = rows.some(isMine);"]],
  ["const seen = rows.filter(isMine);", ["const seen = rows;"]],
  ["const plain: 'a' | 'b' = 'a';", []],
  ["import { a } from 'a';", []],
];

for (const [source, faults] of FAULTS) {
  Deno.test(`mutantsOf() plants ${faults.length} faults in ${source}`, () => {
    assertEquals(mutantsOf("m.ts", source).map((mutant) => mutant.source), faults);
  });
}

Deno.test("mutantsOf() names the line, its text and the function around it", () => {
  const [mutant] = mutantsOf("m.ts", "\nfunction allow() {\n  return !mine;\n}\n");
  assertEquals([mutant?.line, mutant?.text, mutant?.inside, mutant?.change], [
    3,
    "return !mine;",
    "allow",
    "`!` dropped",
  ]);
});

Deno.test("mutantsOf() tells the conditions of one line apart", () => {
  const changes = mutantsOf("m.ts", "const one = mine ? (his ? 1 : 2) : 3;").map(({ change }) =>
    change
  );
  assertEquals(changes, [
    "`mine` → `true`",
    "`mine` → `false`",
    "`his` → `true`",
    "`his` → `false`",
  ]);
});
