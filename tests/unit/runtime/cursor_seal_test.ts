import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import type { SqlValue } from "../../../shared/runtime/ports.ts";
import { createCursorSeal, type Position } from "../../../shared/runtime/request/cursor_seal.ts";

const SECRET = new TextEncoder().encode("a secret of at least thirty-two bytes");
const OTHER_SECRET = new TextEncoder().encode("another secret of thirty-two bytes ok");

const at = (index: number, ...values: readonly SqlValue[]): Position => ({
  index,
  place: { kind: "values", values },
});

const PLACES: readonly Position[] = [
  at(0),
  at(7, "text", null, 1.5, -0.1, 2 ** 53 - 1, "id"),
  at(1, 2n ** 62n, -(2n ** 62n)),
  at(2, 'quotes " and \\ and é😀', ""),
  { index: 3, place: { kind: "id", id: "record_1" } },
  { index: 4, place: { kind: "id", id: 12 } },
];

Deno.test("a place comes back as it was sealed, in another process too", async () => {
  for (const position of PLACES) {
    const text = await createCursorSeal({ authSecret: SECRET }).seal("list", position);
    assertEquals(await createCursorSeal({ authSecret: SECRET }).open("list", text), position);
  }
});

Deno.test("the same place is the same text, every other one another", async () => {
  const seal = createCursorSeal({ authSecret: SECRET });
  const texts = await Promise.all(PLACES.map((place) => seal.seal("list", place)));
  const again = await Promise.all(
    PLACES.map((place) => createCursorSeal({ authSecret: SECRET }).seal("list", place)),
  );
  assertEquals(texts, again);
  assertEquals(new Set(texts).size, texts.length);
  assertNotEquals(await seal.seal("other", at(0)), texts[0]);
});

Deno.test("a cursor opens under its own binding and secret only", async () => {
  const text = await createCursorSeal({ authSecret: SECRET }).seal("list", at(1, "a"));
  assertEquals(await createCursorSeal({ authSecret: SECRET }).open("list2", text), null);
  assertEquals(await createCursorSeal({ authSecret: OTHER_SECRET }).open("list", text), null);
});

// The letters of the second carry more bits than its bytes have.
for (const [value, spare] of [["a", 0], ["a".repeat(40), 3]] as const) {
  Deno.test(`no changed letter, no cut and no other spelling opens, ${spare} letters over`, async () => {
    const seal = createCursorSeal({ authSecret: SECRET });
    const text = await seal.seal("list", at(1, value));
    assertEquals(text.length % 4, spare);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (let index = 0; index < text.length; index++) {
      const letter = alphabet[(alphabet.indexOf(text[index] ?? "") + 1) % alphabet.length];
      const changed = text.slice(0, index) + letter + text.slice(index + 1);
      assertEquals(await seal.open("list", changed), null, changed);
      assertEquals(await seal.open("list", text.slice(0, index)), null);
    }
    for (const odd of ["", "=", `${text}=`, `${text} `, `${text}A`, ` ${text}`, "é", "a+b/"]) {
      assertEquals(await seal.open("list", odd), null, odd);
    }
  });
}

Deno.test("lengths come in steps, whatever the values are", async () => {
  const seal = createCursorSeal({ authSecret: SECRET });
  const lengths = new Set<number>();
  for (let length = 1; length <= 20; length++) {
    lengths.add((await seal.seal("list", at(0, "x".repeat(length)))).length);
  }
  assertEquals(lengths.size, 1);
  const long = await seal.seal("list", at(0, "x".repeat(100)));
  assert(!lengths.has(long.length));
});

Deno.test("a weak secret seals nothing", () => {
  assertThrows(() => createCursorSeal({ authSecret: new Uint8Array(8) }));
});
