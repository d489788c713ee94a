/** Everything that a rule with relations decides, on one walk: keyed writes, transitions and their bulk, presigned uploads, frames (definitions 4.1, 4.2). */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { withRealtime } from "../support/realtime.ts";
import { SCENARIO, wrongOnWalk } from "../support/related_scenario.ts";

Deno.test("a rule with relations decides alike on every way", () =>
  withRealtime(SCENARIO, async (api) => {
    assertEquals(await wrongOnWalk(api), []);
    api.end();
  }));

Deno.test("a transition's guard that follows a relation is refused with its place", () => {
  const [path] = Object.keys(SCENARIO).filter((one) => one.endsWith("/finish.ts"));
  const text = SCENARIO[path ?? ""] ?? "";
  const guarded = text.replace('{ kind: { equals: "free" } }', '{ order: { status: "open" } }');
  const validation = validate({ ...SCENARIO, [path ?? ""]: guarded });
  assertEquals(
    validation.ok ? [] : validation.errors.map(({ code, place }) => [code, place?.file]),
    [["COLUMN_UNKNOWN", path]],
  );
});
