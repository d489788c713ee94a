/** Formats JSON as the API accepts it: a whole number from 2^53 on has an exponent, because it is rounded (contract 2.3). */

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return /[0-9]{16}/.test(text) ? JSON.stringify(value, withExponent) : text;
}

function withExponent(_name: string, member: unknown): unknown {
  const isWide = typeof member === "number" && Number.isInteger(member) &&
    !Number.isSafeInteger(member);
  // Older browsers write all digits, which the API refuses.
  const raw: unknown = isWide ? Reflect.get(JSON, "rawJSON") : undefined;
  return isWide && typeof raw === "function"
    ? Reflect.apply(raw, JSON, [member.toExponential()])
    : member;
}
