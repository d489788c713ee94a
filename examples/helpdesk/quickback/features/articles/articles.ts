import { feature, q } from "quickback";

/** The knowledge base: published articles are for everyone, signed in or not. */
export default feature("articles", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required().searchable(),
    /** Unique within the organization, among articles that are not deleted. */
    slug: q.text({ maxLength: 120 }).required().unique(),
    body: q.text({ maxLength: 50_000 }).required().searchable(),
    published: q.bool().required().default(false),
  },

  guards: {
    createable: ["title", "slug", "body", "published"],
    updatable: ["title", "body", "published"],
    // Links to it are out in the world.
    immutable: ["slug"],
  },

  read: {
    access: {
      or: [
        { roles: ["PUBLIC"], record: { published: { equals: true } } },
        { roles: ["agent+"] },
      ],
    },
  },
  create: { access: { roles: ["agent+"] } },
  update: { access: { roles: ["agent+"] } },
  delete: { access: { roles: ["admin+"] } },

  displayColumn: "title",
  defaultSort: "title",
});
