import { assertEquals } from "@std/assert";
import { normalizedDate, normalizedDateTime } from "../../../shared/lib/times.ts";

const DATE_TIMES: readonly (readonly [string, string | null])[] = [
  ["2026-01-31T10:20:30Z", "2026-01-31T10:20:30.000Z"],
  ["2026-01-31T10:20Z", "2026-01-31T10:20:00.000Z"],
  ["2026-01-31T10:20:30.5Z", "2026-01-31T10:20:30.500Z"],
  ["2026-01-31T10:20:30.123456789Z", "2026-01-31T10:20:30.123Z"],
  ["2026-01-31T23:30:00-02:00", "2026-02-01T01:30:00.000Z"],
  ["2024-02-29T00:00:00+01:00", "2024-02-28T23:00:00.000Z"],
  ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
  ["2026-02-29T00:00:00Z", null],
  ["1900-02-29T00:00:00Z", null],
  ["2026-04-31T00:00:00Z", null],
  ["2026-13-01T00:00:00Z", null],
  ["2026-00-10T00:00:00Z", null],
  ["2026-01-31T24:00:00Z", null],
  ["2026-01-31T10:60:00Z", null],
  ["2026-01-31T10:20:60Z", null],
  ["2026-01-31T10:20:30+24:00", null],
  ["2026-01-31T10:20:30+02:60", null],
  ["2026-01-31T10:20:30", null],
  ["2026-01-31 10:20:30Z", null],
  ["2026-01-31", null],
  ["0000-01-01T00:00:00+01:00", null],
  ["9999-12-31T23:59:59-01:00", null],
  ["+02026-01-31T10:20:30Z", null],
  [" 2026-01-31T10:20:30Z", null],
  ["2026-01-31T10:20:30Z\n", null],
  ["1769854830000", null],
  ["", null],
];

Deno.test("normalizedDateTime() reads date-times with a zone and nothing else", () => {
  for (const [text, expected] of DATE_TIMES) {
    assertEquals(normalizedDateTime(text), expected, text);
  }
});

Deno.test("normalizedDate() is the midnight in UTC that begins the day", () => {
  assertEquals(normalizedDate("2026-01-31"), "2026-01-31T00:00:00.000Z");
  for (const text of ["2026-02-30", "2026-1-31", "2026", "31.01.2026", "2026-01-31T00:00:00Z"]) {
    assertEquals(normalizedDate(text), null, text);
  }
});
