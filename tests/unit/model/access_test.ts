/** Rules as generated modules write them: nested calls must keep their types. */
import { assertEquals } from "@std/assert";
import {
  type Access,
  allOf,
  anyOf,
  hasRole,
  recordMatches,
  type RowPredicate,
} from "../../../shared/model/access.ts";

Deno.test("nested rules over rows and over callers type-check and keep their form", () => {
  const rows: RowPredicate = anyOf(
    { kind: "holders", roles: ["dispatcher"], exceptRoles: [] },
    allOf({ kind: "holders", roles: ["technician"], exceptRoles: [] }, {
      kind: "context",
      keys: ["userId"],
      of: {
        kind: "conditions",
        conditions: [{
          column: "assigneeId",
          operator: "equals",
          operand: { kind: "context", key: "userId" },
        }],
      },
    }),
  );
  const callers: Access = anyOf(hasRole("owner"), allOf(hasRole("member"), recordMatches()));
  const admitted: Access = allOf(hasRole("member"), { kind: "row", predicate: rows });
  assertEquals([rows.kind, callers.kind, admitted.kind], ["any", "any", "all"]);
});
