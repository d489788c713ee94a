/** The address to which a problem's `type` leads (contract 2.7; RFC 9457, 3.1.1): `{problem_base}/<code-in-kebab-case>`. */
import { RUNTIME_CODES, type RuntimeCode } from "./codes.ts";

/** Below the service's own origin, where each has a page. */
export const PROBLEM_PATH = "/problems";

export function problemSlug(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}

/** Each code by the end of its address. */
export function bySlug<Code extends string>(codes: readonly Code[]): ReadonlyMap<string, Code> {
  return new Map(codes.map((code) => [problemSlug(code), code]));
}

export function problemType(code: string, baseUrl: string): string {
  return `${baseUrl}${PROBLEM_PATH}/${problemSlug(code)}`;
}

/** Codes that a problem document of any generated API may say, sorted; the flat 429 is none. */
export const PROBLEM_CODES: readonly RuntimeCode[] = Object.keys(RUNTIME_CODES)
  .filter(isProblemCode).sort();

function isProblemCode(code: string): code is RuntimeCode {
  return code !== "RATE_LIMITED";
}
