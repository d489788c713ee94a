import { patternFault } from "../../../shared/compiler/phases/4-analyze/actions/schema/linear_time.ts";
import { assertEquals } from "@std/assert";

const EXPONENTIAL = "matching it can take exponential time";
const POLYNOMIAL = "matching it can take polynomial time";
const UNPROVED = "it cannot be proved to match in linear time";

/** The pattern of `<input type="email">` (WHATWG HTML, 4.10.5.1.5). */
const HTML_EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";

const ROWS: readonly (readonly [source: string, flags: string, fault: string | null])[] = [
  ["^[a-z]+$", "", null],
  ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "", null],
  ["^(?:[a-z0-9]+-)*[a-z0-9]+$", "", null],
  ["^[A-Z]{2,4}-\\d{1,6}$", "", null],
  ["^\\d{4}-?\\d{2}$", "", null],
  ["^\\+?[0-9 ()-]{7,20}$", "", null],
  ["^(?:[A-Za-z0-9]{1,63}\\.){1,8}[a-z]{2,63}$", "", null],
  ["^#[0-9a-f]{6}$", "i", null],
  ["^\\p{L}+$", "u", null],
  ["^\\u{61}+$", "u", null],
  ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "", null],
  ["^(?:\\d{3} ?){1,4}$", "", null],
  ["^(?:\\d{4}[- ]?){3}\\d{4}$", "", null],
  ["^(?:[0-9a-f]{2}:?){6}$", "", null],
  ["^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "", null],
  ["^[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7} ?[A-Z0-9]{1,4}$", "", null],
  ["^(?:a{2}|a{3}){30}$", "", EXPONENTIAL],
  ["^(?:a{2}a?){30}$", "", EXPONENTIAL],
  ["^(?!admin$)[a-z]+$", "", null],
  ["^(a+)+$", "", EXPONENTIAL],
  ["(a|a)*b", "", EXPONENTIAL],
  ["^(?:x{1,30}x{0,30}){1,100}$", "", EXPONENTIAL],
  ["(a?){50}a{50}$", "", EXPONENTIAL],
  ["^((a?)b?){50}a{50}$", "", EXPONENTIAL],
  ["^(?:a{1,50}){50}", "", EXPONENTIAL],
  ["^(?:|a){50}a{50}$", "", EXPONENTIAL],
  ["^(?:\\b|a){50}a{50}$", "", EXPONENTIAL],
  ["^(?:(?:a|)|b){2,30}$", "", EXPONENTIAL],
  ["^(?:\\b\\w+\\b ){1,5}$", "", null],
  ["^(?:[a-z]+ ){1,5}[a-z]+$", "", null],
  ["^(?:a{1,30}){1,30}(?:[^a]|$)", "", EXPONENTIAL],
  ["\\s+x{1,2}$", "", POLYNOMIAL],
  ["[A-Za-z0-9_-]{1,2000}", "", null],
  ["[A-Z]{2,4}-\\d{1,6}", "", null],
  [HTML_EMAIL, "", null],
  ["^(?=(a+)+$)a", "", EXPONENTIAL],
  ["\\s+$", "", POLYNOMIAL],
  ["a*a*a*b", "", POLYNOMIAL],
  ["^(\\w+)\\1$", "", UNPROVED],
  ["^(?:(?=.*a).)*$", "", UNPROVED],
  ["(", "", "it is no valid pattern"],
  ["a".repeat(1001), "", "it is longer than 1000 characters"],
];

for (const [source, flags, fault] of ROWS) {
  Deno.test(`patternFault() of /${source.slice(0, 60)}/${flags}`, () => {
    assertEquals(patternFault(source, flags), fault);
  });
}
