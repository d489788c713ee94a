/** One kind of thing that somebody does in a walk. */
import type { Person } from "../people.ts";
import type { World } from "../world.ts";

/** Subjects of a walk: each walk has a few of them, and what every walk has. */
export const SUBJECTS = [
  "every walk",
  "programs",
  "receivers",
  "organizations",
  "roles",
  "passwords",
  "addresses",
  "second factors",
  "the operator",
  "providers",
  "any route",
] as const;

export type Subject = typeof SUBJECTS[number];

/** Choices of one step; an act takes as many as it needs, and 0 is the likeliest. */
export interface Turn {
  readonly who: Person;
  readonly first: number;
  readonly second: number;
  /** One of many things that are equally likely. */
  readonly any: number;
}

export interface Act {
  /** Walks about one of these have it. */
  readonly subjects: readonly Subject[];
  /** Who does it; absent: anybody. */
  readonly who?: readonly Person[];
  /** Does it, with what it needs first, and tells it; nothing is told where there is nothing to do. */
  run(world: World, turn: Turn): Promise<void>;
}

/** The one at this place, counted from the first and around. */
export function at<T>(list: readonly T[], place: number): T | undefined {
  return list[place % list.length];
}
