/**
 * Times of a schedule's ticks through clock changes (definitions 6). A library reads the pattern on a clock that never changes;
 * this file decides around a change. - A pattern with `*` as its hour counts real time: an hour that occurs twice has its ticks
 * twice. - A pattern with named hours counts local times, each once. Of a local time that occurs twice the first counts. Local
 * times that the clock skips give one tick together, at the instant of the change.
 */
import { Cron } from "croner";

/** Ticks as instants in milliseconds since the epoch. */
export interface CronTicks {
  /** Returns the first tick after the instant; null: there is none. */
  next(after: number): number | null;
  /** Returns the last tick that is not after the instant; null: there was none. */
  last(upTo: number): number | null;
}

/** Largest offset of a zone from UTC, and shortest distance between two changes. */
const DAY = 24 * 60 * 60 * 1000;

/** Makes the ticks. `compile` has checked `cron` (five fields) and `timeZone` (a name that `Intl` knows). */
export function cronTicks(cron: string, timeZone: string): CronTicks {
  const pattern = new Cron(cron, { paused: true, timezone: "UTC" });
  const countsRealTime = cron.split(" ")[1] === "*";
  const clock = zoneClock(timeZone);
  const matchAfter = (local: number) => pattern.nextRun(new Date(local))?.getTime() ?? null;
  const matchBefore = (local: number) =>
    pattern.previousRuns(1, new Date(local))[0]?.getTime() ?? null;
  /** Returns true when the change at this instant skips matching local times. */
  const skipsAt = (change: number): boolean => {
    if (countsRealTime) return false;
    const match = matchAfter(change + clock.offsetAt(change - 1) - 1);
    return match !== null && match < change + clock.offsetAt(change);
  };
  /** Returns the first local time at or after this instant that has not counted yet. */
  const uncountedFrom = (instant: number): number => {
    const local = instant + clock.offsetAt(instant);
    const change = countsRealTime ? null : clock.changeWithin(instant - DAY, instant);
    return change === null ? local : Math.max(local, change + clock.offsetAt(change - 1));
  };
  return {
    next(after) {
      for (let from = after + 1;;) {
        const coming = matchAfter(from - DAY);
        if (coming === null) return null;
        from = Math.max(from, coming - 2 * DAY);
        if (clock.changeWithin(from - 1, from) === from && skipsAt(from)) return from;
        const to = clock.changeWithin(from, from + DAY) ?? from + DAY;
        const offset = clock.offsetAt(from);
        const match = matchAfter(uncountedFrom(from) - 1);
        if (match !== null && match < to + offset) return match - offset;
        from = to;
      }
    },
    last(upTo) {
      for (let to = upTo;;) {
        const past = matchBefore(to + DAY);
        if (past === null) return null;
        to = Math.min(to, past + 2 * DAY);
        const change = clock.changeWithin(to - DAY, to);
        const from = change ?? to - DAY + 1;
        const offset = clock.offsetAt(to);
        const match = matchBefore(to + offset + 1);
        if (match !== null && match >= uncountedFrom(from)) return match - offset;
        if (change !== null && skipsAt(change)) return change;
        to = from - 1;
      }
    },
  };
}

interface ZoneClock {
  /** Returns the offset of local time from UTC in milliseconds. */
  offsetAt(instant: number): number;
  /** Returns the instant after `from` and up to `to` at which the offset changes; null: it does not. */
  changeWithin(from: number, to: number): number | null;
}

function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (instant: number): number => {
    const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
    const parts = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name ?? "");
    if (parts === null) throw new Error(`The offset of "${timeZone}" cannot be read: "${name}"`);
    const [, sign, hours = 0, minutes = 0, seconds = 0] = parts;
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === "-" ? -ahead : ahead) * 1000;
  };
  return {
    offsetAt,
    changeWithin(from, to) {
      const before = offsetAt(from);
      if (offsetAt(to) === before) return null;
      let [last, first] = [from, to];
      while (first - last > 1) {
        const middle = Math.floor((last + first) / 2);
        if (offsetAt(middle) === before) last = middle;
        else first = middle;
      }
      return first;
    },
  };
}
