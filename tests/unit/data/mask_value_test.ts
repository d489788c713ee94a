import { assert, assertEquals } from "@std/assert";
import { MASK_TYPES, type MaskType } from "../../../shared/contract/masks.ts";
import { maskValue } from "../../../shared/runtime/layers/7-masking/mask_value.ts";
import { seededRandom } from "../../support/random.ts";

const EXAMPLES: readonly (readonly [MaskType, string, string])[] = [
  ["email", "jane.doe@example.com", "j***@e***.com"],
  ["email", "jane@mail.example.co.uk", "j***@m***.uk"],
  ["email", "Ümit@пример.com", "Ü***@п***.com"],
  ["email", "j@example.com", "***@***.***"],
  ["email", "jane@e.com", "***@***.***"],
  ["email", "no at sign", "***@***.***"],
  ["email", "a@b@example.com", "***@***.***"],
  ["email", "jane@example", "***@***.***"],
  ["email", "jane@example.any text at all", "***@***.***"],
  ["email", "jane@example.com\nsecret", "***@***.***"],
  ["email", "", "***@***.***"],
  ["phone", "+1 (555) 123-4567", "***-***-4567"],
  ["phone", "1234", "***-***-****"],
  ["phone", "no digits", "***-***-****"],
  ["phone", "", "***-***-****"],
  ["ssn", "123-45-6789", "***-**-6789"],
  ["ssn", "6789", "***-**-****"],
  ["creditCard", "4111 1111 1111 1111", "**** **** **** 1111"],
  ["creditCard", "1111", "**** **** **** ****"],
  ["name", "Jane Doe", "J*** D***"],
  ["name", "Jane Maria van Doe", "J*** D***"],
  ["name", "  Jane  ", "J***"],
  ["name", "J", "***"],
  ["name", "J Doe", "***"],
  ["name", "", "***"],
  ["redact", "anything", "[REDACTED]"],
  ["redact", "", "[REDACTED]"],
];

Deno.test("maskValue() keeps what definitions 4.4 shows, and nothing of odd input", () => {
  for (const [type, text, masked] of EXAMPLES) {
    assertEquals(maskValue(type, text), masked, `${type} of ${JSON.stringify(text)}`);
  }
});

/** What a mask may look like at all: every shape has one width, but for a top-level domain. */
const SHAPES: Readonly<Record<MaskType, RegExp>> = {
  email: /^([\p{L}\p{N}]\*{3}@[\p{L}\p{N}]\*{3}\.[A-Za-z]{2,24}|\*{3}@\*{3}\.\*{3})$/u,
  phone: /^\*{3}-\*{3}-(\d{4}|\*{4})$/,
  ssn: /^\*{3}-\*{2}-(\d{4}|\*{4})$/,
  creditCard: /^\*{4} \*{4} \*{4} (\d{4}|\*{4})$/,
  name: /^([\p{L}\p{N}]\*{3}( [\p{L}\p{N}]\*{3})?|\*{3})$/u,
  redact: /^\[REDACTED\]$/,
};

const PIECES = [
  ..."aZé0459 @.-_+()\t\n\\\"'%<>",
  "😀",
  "ß",
  "\u0301",
  "\u200d",
  "\ud83d\ude00",
  "١",
  "com",
  "@@",
  "..",
  "\u2028",
];

Deno.test("maskValue() leaves nothing of a random value but what its type shows", () => {
  const random = seededRandom(44);
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random.below(24) }, () => random.pick(PIECES)).join("");
    for (const type of MASK_TYPES) {
      const masked = maskValue(type, text);
      assert(SHAPES[type].test(masked), `${type} of ${JSON.stringify(text)} is ${masked}`);
      assertEquals(maskValue(type, text), masked);
    }
  }
});

Deno.test("maskValue() does not tell values apart that differ only in what is hidden", () => {
  const pairs: readonly (readonly [MaskType, string, string])[] = [
    ["email", "ja@ex.com", `j${"x".repeat(300)}@e${"y".repeat(200)}.com`],
    ["phone", "5554567", "+49 (0) 30 - 999 999 999 4567"],
    ["ssn", "123456789", "999-99-99-99-6789"],
    ["creditCard", "411111111111", "9".repeat(19).slice(4) + "1111"],
    ["name", "Jo Do", "Johanna Maria Elisabeth Dorothea"],
  ];
  for (const [type, one, other] of pairs) {
    assertEquals(maskValue(type, one), maskValue(type, other));
  }
});
