import { feature, q } from "quickback";

/** Books of a library, found by what they are about. */
export default feature("books", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
    summary: q.text({ maxLength: 5000 }),
    shelf: q.enum(["open", "closed"]).required().default("open"),
    /** What the book is about, made by the service at EMBEDDINGS_URL. */
    about: q.vector({ dimensions: 4, from: ["title", "summary"] }),
  },
  guards: {
    createable: ["title", "summary", "shelf"],
    updatable: ["title", "summary", "shelf"],
  },
  read: {
    access: {
      or: [
        { roles: ["librarian"] },
        { roles: ["reader"], record: { shelf: { equals: "open" } } },
      ],
    },
  },
  create: { access: { roles: ["librarian"] } },
  update: { access: { roles: ["librarian"] } },
  delete: { access: { roles: ["librarian"] } },
});
