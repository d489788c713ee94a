/** What the last phase says of a bundle that somebody else made (contract 4.8). */
import { assertEquals } from "@std/assert";
import { type BundledOutput, check, type GeneratedFile } from "../../../shared/compiler/mod.ts";

const TEXT = 'import "addon";\n';
const FILE: GeneratedFile = {
  path: "src/authored/lib/one.ts",
  content: TEXT,
  origin: {
    file: "quickback/lib/one.ts",
    text: TEXT,
    pieces: [{ output: 0, source: 0, length: TEXT.length }],
  },
};

const MEBIBYTE = 1024 * 1024;

/** Errors, then warnings, with their places. */
function told(output: Partial<BundledOutput>): readonly string[] {
  const { errors, warnings } = check({
    model: { runtime: "cloudflare" },
    files: [FILE],
    problems: [],
    bytes: 0,
    ...output,
  });
  return [...errors, ...warnings].map(({ code, message, place: { file, line } }) =>
    `${code} ${file}:${line} ${message}`
  );
}

Deno.test("a bundle is held to what its platform takes, beside what every bundle has", () => {
  const config = "quickback/quickback.config.ts:1";
  assertEquals(told({ bytes: MEBIBYTE }), []);
  assertEquals(told({ bytes: 1.75 * MEBIBYTE }), []);
  assertEquals(told({ bytes: 1.75 * MEBIBYTE + 1 }), [
    `BUNDLE_NEEDS_LARGER_PLAN ${config} The bundle has 3.1 MiB compressed, the free plan of Cloudflare Workers takes at most 3.0 MiB`,
  ]);
  assertEquals(told({ bytes: 8.75 * MEBIBYTE + 1 }), [
    `BUNDLE_TOO_LARGE ${config} The bundle has 10.1 MiB compressed, Cloudflare Workers takes at most 10.0 MiB`,
  ]);
  assertEquals(told({ bytes: null }), []);
  assertEquals(told({ bytes: 99 * MEBIBYTE, model: { runtime: "deno" } }), []);
});

Deno.test("a native addon is told where its author imports it", () => {
  const place = { file: FILE.path, line: 1, column: 7, length: 7 };
  const problem = { kind: "nativeAddon", specifier: "addon", place } as const;
  const says =
    'BUNDLE_NATIVE_ADDON quickback/lib/one.ts:1 Native addon "addon" does not run on Cloudflare Workers';
  assertEquals(told({ problems: [{ ...problem, chain: [FILE.path] }] }), [says]);
  const chain = [FILE.path, "addon", "x.node"];
  assertEquals(told({ problems: [{ ...problem, chain }] }), [
    `${says} (quickback/lib/one.ts → addon → x.node)`,
  ]);
});
