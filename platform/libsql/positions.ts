/** Places of commits that a server's answers name, by which a copy counts its frames too. */
import type { Positions } from "../../shared/runtime/ports.ts";

/** Of Hrana's JSON. Within one of its texts the quotes would be escaped: no row looks like this. */
const INDEX = /"replication_index":"(\d+)"/g;

export interface HeardPositions extends Positions {
  /** Takes the newest place that an answer's text names. */
  hear(answer: string): void;
}

export function heardPositions(): HeardPositions {
  const listeners: (() => void)[] = [];
  let last = -1;
  return {
    hear(answer) {
      const newest = Math.max(
        last,
        ...[...answer.matchAll(INDEX)].map(([, index]) => Number(index)),
      );
      if (newest === last) return;
      last = newest;
      for (const heard of listeners) heard();
    },
    last: () => last === -1 ? null : String(last),
    listen: (heard) => void listeners.push(heard),
    restart: (place) => void (last = Number(place)),
  };
}
