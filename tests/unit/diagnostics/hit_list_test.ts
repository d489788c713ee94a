import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Diagnostic, hitList } from "../../../shared/compiler/diagnostics/diagnostic.ts";

function error(line: number, hint: string | null = null): Diagnostic {
  const place = { file: "quickback/quickback.config.ts", line, column: 3, length: 4 };
  return { code: "UNKNOWN_KEY", severity: "error", message: `Mistake ${line}`, place, hint };
}

Deno.test("hitList() of no errors is empty", () => assertEquals(hitList([]), ""));

Deno.test("hitList() of one error has no count line and no number", () => {
  assertEquals(hitList([error(7)]), "quickback/quickback.config.ts:7:3 Mistake 7");
});

Deno.test("hitList() of several errors counts and numbers them, hints included", () => {
  assertEquals(
    hitList([error(7), error(9, "Do this")]),
    "Found 2 independent errors\n" +
      "1. quickback/quickback.config.ts:7:3 Mistake 7\n" +
      "2. quickback/quickback.config.ts:9:3 Mistake 9 (Do this)",
  );
});

Deno.test("hitList() lists at most 100 errors and says how many are left", () => {
  const list = hitList(Array.from({ length: 103 }, (_, index) => error(index + 1)));
  assertEquals(list.split("\n").length, 102);
  assertStringIncludes(list, "Found 103 independent errors\n");
  assertStringIncludes(list, "\n100. ");
  assertEquals(list.split("\n").at(-1), "… and 3 more");
});

Deno.test("hitList() keeps every error on one line", () => {
  const list = hitList([{ ...error(1), message: "Broken\nin two" }]);
  assertEquals(list, "quickback/quickback.config.ts:1:3 Broken in two");
});
