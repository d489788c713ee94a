/** `shared/` runs in an edge isolate and in a browser, `proof/` on any host: no platform, no clock, no randomness, no state (invariant 1). */
import { assertEquals } from "@std/assert";
import { sourcesBelow } from "./source_tree.ts";

const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["the Deno namespace", /\bDeno\./],
  ["process", /\bprocess\./],
  ["a Node module", /from "node:/],
  ["the clock", /\bDate\.now\(|new Date\(\)|performance\.now\(/],
  ["randomness", /Math\.random\(|crypto\.getRandomValues\(|crypto\.randomUUID\(/],
  ["evaluation of code", /\beval\(|new Function\(/],
  ["a timer", /\bset(?:Timeout|Interval)\(/],
];

Deno.test("shared/ and proof/ touch no platform", () => {
  const offences = sourcesBelow("shared", "proof").flatMap((file) =>
    FORBIDDEN.filter(([, pattern]) => pattern.test(withoutComments(file.text)))
      .map(([what]) => `${file.path} uses ${what}`)
  );
  assertEquals(offences, []);
});

Deno.test("shared/ and proof/ keep no state at module level", () => {
  const offences = sourcesBelow("shared", "proof").flatMap((file) =>
    [...withoutComments(file.text).matchAll(/^(?:export )?(?:let|var)\s+(\w+)/gm)]
      .map((match) => `${file.path}: ${match[1]}`)
  );
  assertEquals(offences, []);
});

Deno.test("statuses and codes stand only in the catalogues", () => {
  const offences = sourcesBelow(
    "shared/runtime/layers",
    "shared/runtime/operations",
    "shared/runtime/request",
  )
    .filter((file) => /\bstatus:\s*[45]\d\d\b/.test(withoutComments(file.text)))
    .map((file) => file.path);
  assertEquals(offences, []);
});

Deno.test("SQL stands only in the data layer", () => {
  const statement = /["'`](?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
  const offences = sourcesBelow("shared/runtime")
    .filter((file) => !file.path.startsWith("shared/runtime/data/"))
    .filter((file) => statement.test(withoutComments(file.text)))
    .map((file) => file.path);
  assertEquals(offences, []);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
