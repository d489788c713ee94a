/** Languages: which of those that there are a browser gets (RFC 4647, 3.4; RFC 9110, 12.5.4). */
import { assertEquals } from "@std/assert";
import { chosenLanguage, isRightToLeft, languageTag } from "../../../shared/lib/languages.ts";

const OFFERED = ["de", "fr", "pt-BR", "zh-Hant"];

const CHOSEN: readonly (readonly [header: string | null, chosen: string | null])[] = [
  [null, null],
  ["", null],
  ["de", "de"],
  ["DE-ch", "de"],
  ["de-CH, fr;q=0.9", "de"],
  ["fr;q=0.5, de;q=0.6", "de"],
  ["nl, fr;q=0.1", "fr"],
  ["pt", "pt-BR"],
  ["pt-PT", null],
  ["zh-Hant-TW", "zh-Hant"],
  ["en-US, en;q=0.9, de;q=0.8", null],
  ["de;q=0.8, en;q=0.9", null],
  ["en;q=0.1, de", "de"],
  ["*", null],
  ["nl, *;q=0.5, de;q=0.1", null],
  ["de;q=0", null],
  ["de-CH, de;q=0", null],
  ["de;q=x, fr", "fr"],
  ["d, -, ;;;, -de", null],
  ["constructor, __proto__", null],
];

for (const [header, chosen] of CHOSEN) {
  Deno.test(`Accept-Language ${JSON.stringify(header)} chooses ${chosen}`, () => {
    assertEquals(chosenLanguage(header, OFFERED), chosen);
    assertEquals(chosenLanguage(header, []), null);
  });
}

Deno.test("English of its own is chosen as any other language is", () => {
  assertEquals(chosenLanguage("en-GB, de;q=0.9", ["de", "en"]), "en");
  assertEquals(chosenLanguage("en, de;q=0.9", ["de", "en-GB"]), "en-GB");
});

Deno.test("a tag is known in all its parts and has one spelling", () => {
  const tags = ["de", "DE", "pt-br", "zh-hant", "german", "xq", "de-QX", "de_AT", "", "e", "und"];
  assertEquals(
    tags.map(languageTag),
    [
      "de",
      "de",
      "pt-BR",
      "zh-Hant",
      ...Array<null>(tags.length - 5).fill(null),
      null,
    ].slice(0, tags.length),
  );
});

Deno.test("the direction of a language is that of its usual script", () => {
  assertEquals(["ar", "he", "fa", "ur", "de", "az", "az-Arab"].map(isRightToLeft), [
    true,
    true,
    true,
    true,
    false,
    false,
    true,
  ]);
});
