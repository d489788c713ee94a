/** `min` and `max` of numbers, dates and instants (definitions 3): checks of writes, and values for examples and proofs. */
import type { JsonValue } from "../contract/mod.ts";
import type { ValueType } from "./column_type.ts";

/** Both bounds are inclusive. An absent one leaves that side open. */
export interface Bounds<Value> {
  readonly min?: Value;
  readonly max?: Value;
}

/** An order of values with a fixed distance between neighbours. */
export interface Scale<Value> {
  /** Compares two values. A negative result means that the first is less. */
  readonly compare: (one: Value, other: Value) => number;
  readonly moved: (value: Value, steps: number) => Value;
  /** Returns the whole steps between two values, and the remainder. */
  readonly steps: (from: Value, to: Value) => number;
  readonly zero: Value;
  /** True when JSON Schema can express the bounds. */
  readonly isNumber: boolean;
}

export const NUMBERS: Scale<number> = {
  compare: (one, other) => one - other,
  moved: (value, steps) => value + steps,
  steps: (from, to) => to - from,
  zero: 0,
  isNumber: true,
};

/** Restricts writes of a column to its bounds. Rows that are stored already may be outside. */
export function bounded<Value extends string | number>(
  values: ValueType,
  { min, max }: Bounds<Value>,
  scale: Scale<Value>,
): ValueType {
  if (min === undefined && max === undefined) return values;
  const said = [
    ...(min === undefined ? [] : [`from ${min}`]),
    ...(max === undefined ? [] : [`to ${max}`]),
  ].join(" ");
  const isWithin = (value: unknown) =>
    !(min !== undefined && scale.compare(value as Value, min) < 0) &&
    !(max !== undefined && scale.compare(value as Value, max) > 0);
  /** Returns the value this many steps inside of the lower bound, or of the upper one if there is no lower. */
  const inside = (steps: number): Value => {
    if (min === undefined) return scale.moved(max ?? scale.zero, -steps);
    const room = max === undefined ? steps : steps % (Math.floor(scale.steps(min, max)) + 1);
    return scale.moved(min, room);
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
