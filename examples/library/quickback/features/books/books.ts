import { feature, q } from "quickback";
import subjects from "../subjects/subjects.ts";

/** A book of the library, which readers look for by the words that they remember. */
export default feature("books", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 300 }).required(),
    author: q.text({ maxLength: 200 }).required(),
    summary: q.text({ maxLength: 5000 }),
    subjectId: q.text().references(() => subjects.id),
    /** What librarians remark among themselves. */
    remarks: q.text({ maxLength: 2000 }),
    /** For each week that it is late. */
    fine: q.decimal({ precision: 6, scale: 2, min: "0" }).default("0.50"),
    shelvedAt: q.timestamp({ min: "1900-01-01T00:00:00Z" }),
    /** Pictures of the volume and of its bindings. */
    pictures: q.file({ types: ["image/*"], multiple: true, maxItems: 8 }),
  },

  masking: { remarks: { type: "redact", show: { roles: ["librarian"] } } },

  // "tolst anna" finds "Anna Karenina" by Tolstoy, whatever the case and the accents; a word in the title
  // counts most. Remarks are masked for readers, and so they are in no index.
  search: {
    mode: "fullText",
    fields: ["title", "author", "summary"],
    weights: { title: 8, author: 4 },
  },

  guards: {
    createable: ["title", "author", "summary", "subjectId", "remarks", "fine", "shelvedAt"],
    updatable: [
      "title",
      "author",
      "summary",
      "subjectId",
      "remarks",
      "fine",
      "shelvedAt",
      "pictures",
    ],
  },

  read: {
    access: { roles: ["reader+"] },
    views: {
      shelf: { fields: ["id", "title", "author"], defaultSort: "title" },
      fines: {
        groupBy: ["author"],
        aggregations: { books: { fn: "count" }, mean: { fn: "avg", field: "fine" } },
      },
    },
  },
  create: { access: { roles: ["librarian"] } },
  update: { access: { roles: ["librarian"] } },
  delete: { access: { roles: ["librarian"] }, restore: { access: { roles: ["librarian"] } } },

  displayColumn: "title",
  defaultSort: "title",
});
