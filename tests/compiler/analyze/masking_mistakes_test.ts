/** A masking mistake is told where it stands (definitions 4.4). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown column", 'masking: { titel: { type: "redact" } },', [
    'COLUMN_UNKNOWN 4:12 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["an unknown mask", 'masking: { title: { type: "redcat" } },', [
    'VALUE_UNKNOWN 4:27 "jobs.masking.title.type" is "redcat", expected one of "email", "phone", "ssn", "creditCard", "name", "redact" | Did you mean "redact"?',
  ]],
  ["a mask without type", 'masking: { title: { show: { roles: ["admin"] } } },', [
    'KEY_MISSING 4:19 Key "type" is missing in jobs.masking.title',
  ]],
  ["an unknown key", 'masking: { title: { type: "redact", shown: {} } },', [
    'UNKNOWN_KEY 4:37 Unknown key "shown" in jobs.masking.title | Did you mean "show"?',
  ]],
  ["a mask of text on a number", 'masking: { amount: { type: "email" } },', [
    'MASK_MISPLACED 4:12 Column "amount" of type int cannot be masked as "email" | "email" applies to text, url and enum columns; other columns take "redact"',
  ]],
  ["a mask on a scope", 'masking: { organizationId: { type: "redact" } },', [
    'MASK_MISPLACED 4:12 Column "organizationId" of type scope cannot be masked as "redact" | Masks apply to what a client may write, not to ids, scopes and revisions',
  ]],
  ["nothing wrong with hiding a number whole", 'masking: { amount: { type: "redact" } },', []],
  ["an unknown owner rule", 'masking: { title: { type: "redact", show: { or: "creator" } } },', [
    'VALUE_UNKNOWN 4:49 "jobs.masking.title.show.or" is "creator", expected "owner"',
  ]],
  ["a role of show", 'masking: { title: { type: "redact", show: { roles: ["*"] } } },', [
    'ROLE_WILDCARD 4:53 Role "*" in "jobs.masking.title.show.roles" does not exist | Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in',
  ]],
  ["a role of query", 'masking: { title: { type: "redact", query: { roles: ["admn"] } } },', [
    'ROLE_UNKNOWN 4:54 Unknown role "admn", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "admin"?',
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Masking: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}
