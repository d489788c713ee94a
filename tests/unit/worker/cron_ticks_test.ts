/** Definitions 6: when a schedule's ticks are, held against a walk through every minute of some days. */
import { assertEquals } from "@std/assert";
import { type CronTicks, cronTicks } from "../../../shared/runtime/background/cron_ticks.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function ticksBetween(ticks: CronTicks, from: string, to: string): readonly string[] {
  const found: string[] = [];
  let at = ticks.next(Date.parse(from) - 1);
  while (at !== null && at < Date.parse(to)) {
    found.push(new Date(at).toISOString().slice(0, 16));
    at = ticks.next(at);
  }
  return found;
}

Deno.test("named hours run each local time once where an hour comes twice, and once after one that is skipped", () => {
  const ticks = cronTicks("15,45 2 * * *", "Europe/Berlin");
  assertEquals(ticksBetween(ticks, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z"), [
    "2026-10-25T00:15",
    "2026-10-25T00:45",
  ]);
  assertEquals(ticksBetween(ticks, "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z"), [
    "2026-03-29T01:00",
  ]);
});

Deno.test("a whole hour of real time lies between the ticks of a pattern that names no hour", () => {
  const ticks = cronTicks("0 * * * *", "Europe/Berlin");
  assertEquals(ticksBetween(ticks, "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z"), [
    "2026-10-24T23:00",
    "2026-10-25T00:00",
    "2026-10-25T01:00",
    "2026-10-25T02:00",
  ]);
});

Deno.test("a tick that comes once in four years is found, and the one before it", () => {
  const ticks = cronTicks("0 0 29 2 *", "UTC");
  assertEquals(ticks.next(Date.parse("2024-02-29T00:00:00Z")), Date.parse("2028-02-29T00:00:00Z"));
  assertEquals(ticks.last(Date.parse("2028-02-28T23:59:00Z")), Date.parse("2024-02-29T00:00:00Z"));
});

/** Days around changes by an hour, by half an hour, by a whole day, at midnight, and without a change. */
const CHANGES: readonly (readonly [timeZone: string, day: string])[] = [
  ["Europe/Berlin", "2026-10-25"],
  ["Europe/Berlin", "2026-03-29"],
  ["America/New_York", "2026-11-01"],
  ["America/New_York", "2026-03-08"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Sao_Paulo", "2018-02-18"],
  ["Pacific/Apia", "2011-12-30"],
  ["Asia/Kathmandu", "2026-05-05"],
  ["UTC", "2026-05-05"],
];

const MINUTES = ["0", "30", "15,45", "*/20", "10-12", "5-59/25"];
const HOURS = ["*", "0", "1", "2", "1,2,3", "0-3", "*/2", "23"];

Deno.test("ticks are those of a walk through every minute, forwards and backwards", () => {
  for (const [timeZone, day] of CHANGES) {
    const [from, to] = [
      Date.parse(`${day}T00:00:00Z`) - 2 * DAY,
      Date.parse(`${day}T00:00:00Z`) + 2 * DAY,
    ];
    const locals = localMinutes(timeZone, from, to);
    for (const minute of MINUTES) {
      for (const hour of HOURS) {
        const walked = walk({ minute, hour }, locals).filter((at) => at >= from + DAY && at < to);
        const ticks = cronTicks(`${minute} ${hour} * * *`, timeZone);
        const place = `${minute} ${hour} in ${timeZone}`;
        const found: number[] = [];
        let at = ticks.next(from + DAY - 1);
        for (; at !== null && at < to; at = ticks.next(at)) found.push(at);
        assertEquals(found, walked, place);
        const back: number[] = [];
        let past = ticks.last(to - 1);
        for (; past !== null && past >= from + DAY; past = ticks.last(past - 1)) back.unshift(past);
        assertEquals(back, walked, `${place}, backwards`);
      }
    }
  }
});

/** A minute of a zone's clock, as minutes since the epoch on that clock. */
interface LocalMinute {
  readonly at: number;
  readonly local: number;
}

function localMinutes(timeZone: string, from: number, to: number): readonly LocalMinute[] {
  const format = new Intl.DateTimeFormat("sv", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return Array.from({ length: (to - from) / MINUTE }, (_, index) => {
    const at = from + index * MINUTE;
    return { at, local: Date.parse(`${format.format(at).replace(" ", "T")}Z`) / MINUTE };
  });
}

/** Naive: every minute of the clock in turn, what it skips with the minute after. */
function walk(
  { minute, hour }: { readonly minute: string; readonly hour: string },
  locals: readonly LocalMinute[],
): readonly number[] {
  const minutes = numbersIn(minute, 60);
  const hours = numbersIn(hour, 24);
  const matches = (local: number) =>
    minutes.has(local % 60) && hours.has(Math.floor(local / 60) % 24);
  let reached = (locals[0]?.local ?? 0) - 1;
  return locals.flatMap(({ at, local }) => {
    if (hour === "*") return matches(local) ? [at] : [];
    let isTick = false;
    for (; reached < local; reached += 1) isTick ||= matches(reached + 1);
    return isTick ? [at] : [];
  });
}

function numbersIn(field: string, size: number): ReadonlySet<number> {
  return new Set(
    field.split(",").flatMap((part) => {
      const [range = "", step = "1"] = part.split("/");
      const [first = 0, last = range.includes("-") || range === "*" ? size - 1 : first] =
        range === "*" ? [] : range.split("-").map(Number);
      return Array.from({ length: size }, (_, number) => number)
        .filter((number) =>
          number >= first && number <= last && (number - first) % Number(step) === 0
        );
    }),
  );
}
