/** Places of commits that a server's answers name, by which a copy counts its frames too, and whose commits they are. */
import type { Positions } from "../../../shared/runtime/ports.ts";

/** Of Hrana's JSON. Within one of its texts the quotes would be escaped: no row looks like this. */
const INDEX = /"replication_index":"(\d+)"/g;

export interface HeardPositions extends Positions {
  /** To be called when a request is sent; what it returns takes the answer's text, or null where none came. */
  sent(mayCommit: boolean): (answer: string | null) => void;
  /** As `Database.watchOthers`. */
  watchOthers(seen: () => void): void;
}

export function heardPositions(): HeardPositions {
  const listeners: (() => void)[] = [];
  let last = -1;
  /** As `last`, since a restart began. */
  let recent = -1;
  /** Requests that may commit: under way, and sent so far. */
  let committing = 0;
  let commits = 0;
  /** Commits that nobody here has asked for, and those of them that may be ours, given up and done later. */
  let unexplained = 0;
  let expected = 0;
  let onOthers: (() => void) | null = null;
  const explain = () => {
    unexplained += 1;
    if (unexplained <= expected) return;
    onOthers?.();
    onOthers = null;
  };
  return {
    sent(mayCommit) {
      if (mayCommit) {
        committing += 1;
        commits += 1;
      }
      const mayBeOurs = committing > 0;
      const before = commits;
      return (answer) => {
        if (mayCommit) committing -= 1;
        if (answer === null) expected += mayCommit ? 1 : 0;
        const places = [...(answer ?? "").matchAll(INDEX)].map(([, index]) => Number(index));
        recent = Math.max(recent, ...places);
        const newest = Math.max(last, recent);
        if (newest === last) return;
        if (last !== -1 && !mayBeOurs && commits === before) explain();
        last = newest;
        for (const heard of listeners) heard();
      };
    },
    watchOthers: (seen) => void (onOthers = seen),
    last: () => last === -1 ? null : String(last),
    listen: (heard) => void listeners.push(heard),
    restart() {
      recent = -1;
      return (place) => {
        last = Math.max(Number(place), recent);
        expected += 1;
      };
    },
  };
}
