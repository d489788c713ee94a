/** Vectors of a world's rows, and the rows that are nearest to one: every distance worked out, none looked up. */
import type { Random } from "../../support/random.ts";
import { randomMask, type Row, type Vector, type World } from "./domain.ts";

/** None is another's multiple: equal angles are the same numbers, whatever they are rounded to. */
const PLACES: readonly (readonly number[])[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 0],
  [1, 2],
  [2, 1],
  [-1, 2],
  [3, -1],
];

/** The same world, whose notes have vectors, some of them none. */
export function withVectors(random: Random, world: World): World {
  const { notes } = world;
  const values = notes.rows.flatMap(({ id }) =>
    random.chance(85) ? [[String(id), random.pick(PLACES)] as const] : []
  );
  const vector: Vector = {
    column: "place",
    metric: random.pick(["cosine", "euclidean"]),
    dimensions: 2,
    mask: random.chance(40) ? { ...randomMask(random), owner: false } : null,
    values: new Map(values),
  };
  return { ...world, notes: { ...notes, vector } };
}

/** The text of a `near`: mostly a place, now and then what is none. */
export function nearText(random: Random): string {
  return random.chance(90)
    ? JSON.stringify(random.pick(PLACES))
    : random.pick(["[0,0]", "[1]", "[1,2,3]", "x", '["1","2"]', "[1,null]", "[1e7,1]", ""]);
}

/** Undefined: it is no place of this column. */
export function placeOf(
  text: string,
  { metric, dimensions }: Vector,
): readonly number[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== dimensions) return undefined;
  const numbers: readonly unknown[] = value;
  if (!numbers.every((one) => typeof one === "number" && Math.abs(one) <= 1e6)) return undefined;
  return metric === "cosine" && numbers.every((one) => one === 0)
    ? undefined
    : numbers as readonly number[];
}

/** Null: the row has no vector. */
export function distanceOf(row: Row, to: readonly number[], vector: Vector): number | null {
  const place = vector.values.get(String(row["id"]));
  if (place === undefined) return null;
  const length = (one: readonly number[]) => Math.hypot(...one);
  if (vector.metric === "euclidean") return length(place.map((one, at) => one - (to[at] ?? 0)));
  const product = place.reduce((sum, one, at) => sum + one * (to[at] ?? 0), 0);
  return 1 - product / (length(place) * length(to));
}
