/** Positions of commits in a server's answers. A copy numbers its frames by them. This also tells own commits from others'. */
import type { Positions } from "../../../shared/runtime/ports.ts";

/** Finds the position in Hrana's JSON. Inside of a text its quotes would be escaped, so no row can match. */
const INDEX = /"replication_index":"(\d+)"/g;

export interface HeardPositions extends Positions {
  /** Is called for each request. The returned function takes the answer's text; null: none came. */
  sent(mayCommit: boolean): (answer: string | null) => void;
  /** Implements `Database.watchOthers`. */
  watchOthers(seen: () => void): void;
}

export function heardPositions(): HeardPositions {
  const listeners: (() => void)[] = [];
  let last = -1;
  /** The last position since a restart began. */
  let recent = -1;
  /** Requests that may commit: in progress, and sent so far. */
  let committing = 0;
  let commits = 0;
  /** Commits that no request of this process explains, and how many of them may be requests that it gave up. */
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
