/** A guards mistake is told where it stands (definitions 4.3). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown column", 'guards: { createable: ["titel"] },', [
    'COLUMN_UNKNOWN 4:24 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["an unknown list", 'guards: { creatable: ["title"] },', [
    'UNKNOWN_KEY 4:11 Unknown key "creatable" in jobs.guards | Did you mean "createable"?',
  ]],
  ["createable and protected", 'guards: { createable: ["title"], protected: { title: [] } },', [
    'GUARD_CONFLICT 4:24 Field "title" is createable and protected at once | Keep it in one of the two',
  ]],
  ["updatable and protected", 'guards: { updatable: ["title"], protected: { title: [] } },', [
    'GUARD_CONFLICT 4:23 Field "title" is updatable and protected at once | Keep it in one of the two',
  ]],
  ["updatable and immutable", 'guards: { updatable: ["title"], immutable: ["title"] },', [
    'GUARD_CONFLICT 4:23 Field "title" is updatable and immutable at once | Keep it in one of the two',
  ]],
  ["a system column", 'guards: { createable: ["createdAt"] },', [
    'GUARD_MANAGED 4:24 Column "createdAt" is written by the service (system) and cannot be guarded | Remove it from the list',
  ]],
  ["a scope column", 'guards: { updatable: ["organizationId"] },', [
    'GUARD_MANAGED 4:23 Column "organizationId" is written by the service (scope) and cannot be guarded | Remove it from the list',
  ]],
  ["the id", 'guards: { immutable: ["id"] },', [
    'GUARD_MANAGED 4:23 Column "id" is written by the service (id) and cannot be guarded | Remove it from the list',
  ]],
  ["a protected scope column", "guards: { protected: { organizationId: [] } },", [
    'GUARD_MANAGED 4:24 Column "organizationId" is written by the service (scope) and cannot be guarded | Remove it from the list',
  ]],
  ["an unknown action", 'guards: { protected: { status: ["close"] } },', [
    'ACTION_UNKNOWN 4:33 Unknown action "close" of table "jobs"',
  ]],
  ["a field twice", 'guards: { createable: ["title", "title"] },', [
    'LISTED_TWICE 4:33 "title" stands twice in "jobs.guards.createable" | Remove one of the two',
  ]],
  ["guards true says nothing", "guards: true,", [
    'VALUE_TYPE 4:9 "jobs.guards" is true, expected an object',
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Guards: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}
