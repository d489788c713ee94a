import { defineSeed } from "quickback";

/** Something to look at: `dev --seed`, and `app.seed()` in tests. */
export default defineSeed({
  organizations: [
    {
      id: "org_acme",
      name: "Acme",
      slug: "acme-support",
      members: { ada: ["agent"], olga: ["owner"], cem: ["customer"] },
    },
    { id: "org_globex", name: "Globex", slug: "globex-support", members: { gus: ["owner"] } },
  ],
  users: [
    { id: "olga", name: "Olga", password: "olga-password" },
    { id: "ada", name: "Ada", password: "ada-password" },
    { id: "cem", name: "Cem", password: "cem-password" },
    { id: "gus", name: "Gus", password: "gus-password" },
  ],
  as: { userId: "ada", organizationId: "org_acme" },
  rows: {
    customers: [
      { $as: "customer", name: "Cem", company: "Initech", email: "cem@example.com" },
      {
        $by: { userId: "gus", organizationId: "org_globex" },
        name: "Dana",
        email: "dana@example.com",
      },
    ],
    tickets: [
      {
        $as: "light",
        $by: { userId: "cem" },
        customerId: { $ref: "customer.id" },
        subject: "No light",
      },
    ],
    comments: [{ ticketId: { $ref: "light.id" }, body: "Since when?" }],
  },
});
