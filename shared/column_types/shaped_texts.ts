/**
 * Texts with a least length or a pattern (definitions 3). Only writes of the column are checked, so stored texts may differ.
 */
import { isAtMostCodePoints } from "../lib/texts.ts";
import type { ValueType } from "./column_type.ts";
import { textValues } from "./texts.ts";

export function shapedValues(
  { maxLength, minLength = 0, pattern, examples = [] }: {
    readonly maxLength: number | null;
    readonly minLength?: number;
    readonly pattern?: string;
    readonly examples?: readonly string[];
  },
): ValueType {
  const values = textValues(maxLength);
  if (minLength === 0 && pattern === undefined) return values;
  // The pattern is compiled on first use, after a compile has proved it safe.
  let compiled: RegExp | null = null;
  const matches = (text: string) =>
    pattern === undefined || (compiled ??= new RegExp(pattern, "u")).test(text);
  const fits = (text: unknown) =>
    typeof text === "string" && (minLength === 0 || !isAtMostCodePoints(text, minLength - 1)) &&
    matches(text);
  const shaped = (text: string, number: number) => {
    const long = minLength === 0 ? text : text.padEnd(minLength, "x");
    if (fits(long)) return long;
    return varied(examples[number % examples.length] ?? long, number, fits);
  };
  const twins = (at: number) => {
    const [one = "", other = ""] = (values.twins(at) ?? [])
      .map((text, side) => shaped(String(text), side === 0 ? at : 90 - at));
    return one === other ? null : [one, other] as const;
  };
  const said = [
    ...(minLength === 0 ? [] : [`of at least ${minLength} characters`]),
    ...(pattern === undefined ? [] : [`that matches \`${pattern}\``]),
  ].join(" ");
  return {
    ...values,
    words: `${values.words} ${said}`,
    pattern: pattern === undefined ? null : { source: pattern, examples },
    body: () =>
      values.body().refine(fits, { error: `Must be text ${said}`, abort: true }).meta({
        ...values.body().meta(),
        ...(minLength === 0 ? {} : { minLength }),
        ...(pattern === undefined ? {} : { pattern }),
      }),
    example: (text) => shaped(String(values.example(text)), 0),
    sample: (of) => shaped(String(values.sample(of)), of.number),
    twins,
  };
}

/** Returns the example with its last digits, or letters, replaced by the number, if the result is valid. */
function varied(example: string, number: number, fits: (text: string) => boolean): string {
  const counted = replaced(example, /[0-9]/, String(number));
  if (fits(counted)) return counted;
  const lettered = replaced(example, /[a-z]/, letters(number, "a"));
  if (fits(lettered)) return lettered;
  const capital = replaced(example, /[A-Z]/, letters(number, "A"));
  return fits(capital) ? capital : example;
}

/** Replaces matching characters from the right by those of `by`. */
function replaced(text: string, place: RegExp, by: string): string {
  const rest = [...by];
  return [...text].reverse().map((one) => place.test(one) ? rest.pop() ?? one : one).reverse()
    .join("");
}

function letters(number: number, first: string): string {
  const from = first.charCodeAt(0);
  return [...number.toString(26)]
    .map((digit) => String.fromCharCode(from + Number.parseInt(digit, 26))).join("");
}
