/**
 * Numbers of arguments that SQLite's functions take ("lang_corefunc", "lang_aggfunc", "windowfunctions", "lang_datefunc",
 * "json1").
 */

/** Functions by the least and the greatest number of arguments. A function that is not listed takes any number. */
const BY_COUNTS: Readonly<Record<string, string>> = {
  "0 0": "cume_dist dense_rank percent_rank random rank row_number",
  "0 1": "count",
  "1 1":
    "abs avg first_value hex json json_error_position json_group_array json_quote jsonb jsonb_group_array last_value length " +
    "likely lower ntile octet_length quote randomblob sign soundex sum total typeof unicode unlikely upper zeroblob",
  "1 2":
    "group_concat json_array_length json_pretty json_type json_valid ltrim round rtrim trim unhex",
  "1 3": "lag lead",
  "2 2":
    "glob ifnull instr json_group_object json_patch jsonb_group_object jsonb_patch likelihood nth_value nullif string_agg timediff",
  "2 3": "like substr substring",
  "2 127": "coalesce",
  "1 127": "max min",
  "3 3": "iif replace",
};

const COUNTS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map(
  Object.entries(BY_COUNTS).flatMap(([counts, names]) => {
    const [least = 0, most = 0] = counts.split(" ").map(Number);
    return names.split(" ").map((name) => [name, [least, most]] as const);
  }),
);

/** Returns what is wrong with the number of arguments of a function in lower case; null: it is right. */
export function argumentsRefusal(name: string, count: number): string | null {
  const [least, most] = COUNTS.get(name) ?? [0, Infinity];
  if (count >= least && count <= most) return null;
  const words = least === most
    ? `${least}`
    : most === 127
    ? `at least ${least}`
    : `${least} to ${most}`;
  return `is called with ${count} argument${count === 1 ? "" : "s"} and takes ${words}`;
}

const AGGREGATES: ReadonlySet<string> = new Set(
  "avg count group_concat json_group_array json_group_object jsonb_group_array jsonb_group_object string_agg sum total"
    .split(
      " ",
    ),
);

/** True for a call that reads several rows. `max` and `min` do so with one argument. */
export function isAggregate(name: string, count: number): boolean {
  return AGGREGATES.has(name) || (count === 1 && (name === "max" || name === "min"));
}
