/** Id strategies and the shape that a client id must have (contract 4.1 rule 5, definitions 7). */

export const ID_STRATEGIES = [
  "uuid",
  "cuid",
  "nanoid",
  "prefixed",
  "short",
  "serial",
  false,
] as const;

export type IdStrategy = typeof ID_STRATEGIES[number];

/** Anchored source of the pattern of an id; `prefix` only matters for `prefixed`. Serial ids are integers. */
export function idPattern(strategy: Exclude<IdStrategy, "serial">, prefix: string): string {
  switch (strategy) {
    case "uuid":
      // In another case it would be another record.
      return "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
    case "prefixed":
      return `^${prefix}_[0-9a-f]{32}$`;
    case "cuid":
      return "^[a-z][a-z0-9]{23}$";
    case "nanoid":
      return "^[A-Za-z0-9_-]{21}$";
    case "short":
      return "^[A-Za-z0-9]{6}$";
    case false:
      // What could not stand in a path as a record's id: `/batch`, `/views`, dot segments.
      return "^(?!(?:batch|views|\\.{1,2})$)[A-Za-z0-9._~-]{1,128}$";
  }
}
