/** `min` and `max` of numbers and days (definitions 3): what a write may say, and what examples and proofs make. */
import type { JsonValue } from "../contract/fields.ts";
import type { ValueType } from "./column_type.ts";

/** Both belong to the values; absent: that side is open. */
export interface Bounds<Value> {
  readonly min?: Value;
  readonly max?: Value;
}

/** Values as numbers one step apart, and back. */
interface Scale<Value> {
  readonly rank: (value: Value) => number;
  readonly valueAt: (rank: number) => Value;
  /** Says the bounds in JSON Schema. */
  readonly isNumber: boolean;
}

export const NUMBERS: Scale<number> = {
  rank: (value) => value,
  valueAt: (rank) => rank,
  isNumber: true,
};

/** Rows that are stored already may be outside: bounds are judged on writes of their column. */
export function bounded<Value extends string | number>(
  values: ValueType,
  { min, max }: Bounds<Value>,
  scale: Scale<Value>,
): ValueType {
  if (min === undefined && max === undefined) return values;
  const least = min === undefined ? null : scale.rank(min);
  const most = max === undefined ? null : scale.rank(max);
  const said = [
    ...(min === undefined ? [] : [`from ${min}`]),
    ...(max === undefined ? [] : [`to ${max}`]),
  ].join(" ");
  const isWithin = (value: unknown) => {
    const rank = scale.rank(value as Value);
    return !(least !== null && rank < least) && !(most !== null && rank > most);
  };
  /** The value so many steps inside, counted from the open or the lower side. */
  const inside = (steps: number): Value => {
    if (least === null) return scale.valueAt((most ?? 0) - steps);
    const room = most === null ? steps : steps % (Math.floor(most - least) + 1);
    return scale.valueAt(least + room);
  };
  return {
    ...values,
    words: `${values.words} ${said}`,
    body: () =>
      values.body().refine(isWithin, { error: `Must be ${values.words} ${said}`, abort: true })
        .meta({
          ...values.body().meta(),
          ...(scale.isNumber && min !== undefined ? { minimum: min } : {}),
          ...(scale.isNumber && max !== undefined ? { maximum: max } : {}),
        }),
    mismatch: (value) =>
      values.mismatch(value) ?? (isWithin(value) ? null : `${values.words} ${said}`),
    example: (text) => {
      const value = values.example(text);
      return isWithin(value) ? value : inside(0);
    },
    sample: (of) => inside(of.number),
    neighbours: (value: JsonValue) => values.neighbours(value).filter(isWithin),
    twins: (at) => {
      const [one, other] = [inside(at), inside(90_090 - at)];
      return one === other ? null : [one, other];
    },
  };
}
