import { assertEquals } from "@std/assert";
import { nearest } from "../../../shared/lib/nearest.ts";

const KNOWN = ["createdAt", "status", "subject", "limit"];

Deno.test("nearest() finds the known name at a small edit distance", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ["createdat", "createdAt"],
    ["cretaedAt", "createdAt"],
    ["stauts", "status"],
    ["statu", "status"],
    ["limits", "limit"],
    ["subjekt", "subject"],
    ["banana", null],
    ["", null],
    ["x", null],
    ["created_at", "createdAt"],
  ];
  for (const [word, expected] of rows) assertEquals(nearest(word, KNOWN), expected, word);
});

Deno.test("nearest() does not compare words of unbounded length", () => {
  assertEquals(nearest("status".repeat(100_000), KNOWN), null);
});
