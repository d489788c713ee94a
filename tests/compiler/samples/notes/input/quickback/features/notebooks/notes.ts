import { feature, q } from "quickback";
import notebooks from "./notebooks.ts";

export default feature("notes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    notebookId: q.text().required().references(() => notebooks.id, { onDelete: "cascade" }),
    body: q.text().required().default('It\'s "quoted", `ticked` and */ closed'),
    mood: q.enum(["calm", "it's fine", 'so "so"']),
    rating: q.int(),
    meta: q.json(),
    writtenAt: q.timestamp().required().defaultNow(),
    revision: q.revision(),
  },
  guards: {
    createable: ["notebookId", "body", "mood", "rating", "meta"],
    updatable: ["body", "mood", "rating", "meta"],
    immutable: ["notebookId"],
  },
  read: {
    access: { roles: ["member+"] },
    include: ["notebookId"],
    views: { recent: { fields: ["id", "body", "writtenAt"], query: { sortable: ["writtenAt"] } } },
  },
  create: { access: { roles: ["member+"] } },
  update: { access: { roles: ["member"], record: { rating: { lessThan: 5 } } } },
  delete: { access: { roles: ["member+"] }, mode: "hard" },
});
