/** Whole numbers that no double holds are told from numbers that were written rounded. */
import { assertEquals } from "@std/assert";
import { exactJsonText, markedJson } from "../../../shared/lib/json.ts";

const TEXTS: readonly (readonly [text: string, marked: unknown])[] = [
  ["[9007199254740991,-9007199254740991,1e20,-1E+19]", undefined],
  ["[12345678901234567890]", [NaN]],
  ['{"a":-9007199254740992,"b":1}', { a: NaN, b: 1 }],
  ['"9007199254740993"', undefined],
  ["9007199254740992.5", undefined],
];

for (const [text, marked] of TEXTS) {
  Deno.test(`markedJson() ${marked === undefined ? "finds nothing in" : "marks"} ${text}`, () => {
    assertEquals(markedJson(text), marked);
  });
}

Deno.test("markedJson() takes of real columns what JavaScript writes for a double", () => {
  const names = new Set(["ratio"]);
  const reals = () => names;
  for (const double of [1e20, -1e20, 2 ** 53, 2 ** 60, 123456789012345680000]) {
    assertEquals(markedJson(JSON.stringify({ a: [{ ratio: double }] }), reals), undefined);
    assertEquals(markedJson(JSON.stringify({ ratio: [1, double], other: 1 }), reals), undefined);
    assertEquals(markedJson(JSON.stringify({ ratio: [double], other: [double] }), reals), {
      ratio: [double],
      other: [NaN],
    });
    assertEquals(markedJson(JSON.stringify({ ratio: [[double]] }), reals), { ratio: [[NaN]] });
  }
  for (const digits of ["9007199254740993", "12345678901234567890", "1" + "0".repeat(22)]) {
    assertEquals(markedJson(`{"ratio":${digits}}`, reals), { ratio: NaN });
    assertEquals(markedJson(`{"ratio":[1.5,${digits}]}`, reals), { ratio: [1.5, NaN] });
  }
});

Deno.test("exactJsonText() writes what came with an exponent with one", () => {
  const value = { a: [1e20, -(2 ** 53)], b: 9007199254740991, c: "x", d: 1.5, e: 1e21 };
  const text = exactJsonText(value);
  assertEquals(markedJson(text), undefined);
  assertEquals(JSON.parse(text), value);
});
