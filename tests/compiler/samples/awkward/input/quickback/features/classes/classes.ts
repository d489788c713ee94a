import { type ColumnReference, defineTable, q } from "quickback";
import text from "../text/text.ts";
export const klass = q.table("class", {
  id: q.id(),
  organizationId: q.scope("organization"),
  parentId: q.int().references((): ColumnReference => klass.id, { onDelete: "set null" }),
  textId: q.int().references(() => text.id, { onDelete: "cascade" }),
  default: q.text().required().default(
    "*/ `${x}` \n--> statement-breakpoint\n'); DROP TABLE text; --",
  ),
  table: q.enum(['a"b', "it's", "back`tick", "</script>", "kind: 'x'", "\u202e"]).default("it's"),
  index: q.bool().required().default(true),
  real: q.real().default(-1.5),
  blob: q.json().default({
    kind: "text",
    maxLength: "x",
    enum: 3,
    "weird key": [1, { kind: "roles", roles: [1] }],
  }),
});
export default defineTable(klass, {
  guards: {
    createable: ["default", "table", "index", "real", "blob", "parentId", "textId"],
    updatable: ["default"],
  },
  read: { access: { roles: ["member+"] } },
  create: { access: { roles: ["admin"] } },
  inputHints: { kind: "all", of: [1, 2], text: { kind: "text", maxLength: "q", enum: null } },
});
