/** Contract 4.4 rule 1: a masked column stays masked under whatever name a handler's query gives it. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const PEOPLE = "quickback/features/people";
const EMAIL = "jane@example.com";
const MASKED = "j***@e***.com";

const QUERIES = {
  renamed: "db.select({ contact: people.email }).from(people)",
  disguised: "db.select({ name: people.email }).from(people)",
  nested: "db.select({ who: { contact: people.email } }).from(people)",
  computed: "db.select({ last: max(people.email) }).from(people)",
  called: 'db.select({ contact: alias(people, "p").email }).from(alias(people, "p"))',
  below: "db.select({ contact: below.email }).from(below)",
  joined:
    "db.select({ contact: people.email, pet: pets.name }).from(pets).leftJoin(people, eq(people.id, pets.personId))",
  returned: 'db.update(people).set({ name: "x" }).returning({ contact: people.email })',
  one: "db.select({ contact: people.email }).from(people).get()",
  counted: "db.select({ n: count(people.email) }).from(people)",
  numbered: "db.select({ income: people.salary }).from(people)",
} as const;

const FILES: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "people" };\n',
  [`${PEOPLE}/people.ts`]: `import { feature, q } from "quickback";
export default feature("people", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
    email: q.text(),
    salary: q.int(),
  },
  guards: { createable: ["name", "email", "salary"] },
  masking: {
    email: { type: "email", show: { roles: ["admin"], or: "owner" } },
    salary: { type: "redact", show: { roles: ["admin"] } },
  },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member", "admin"] } },
});
`,
  [`${PEOPLE}/pets.ts`]: `import { feature, q } from "quickback";
import people from "./people";
export default feature("pets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    personId: q.text().references(() => people.id),
    name: q.text().required(),
  },
  guards: { createable: ["personId", "name"] },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member", "admin"] } },
});
`,
  [`${PEOPLE}/actions/ask.ts`]: `import { defineAction } from "quickback";
import { count, eq, max } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { people, pets } from "../schema";

export default defineAction({
  description: "Asks",
  path: "./ask",
  input: z.object({ kind: z.string() }),
  access: { roles: ["member", "admin"] },
  async execute({ db, input }) {
    const below = db.select().from(people).as("below");
    void [eq, pets];
    switch (input.kind) {
${Object.entries(QUERIES).map(([kind, text]) => `      case "${kind}": return ${text};`).join("\n")}
    }
    return {};
  },
});
`,
};

const MAKER = { sub: "user_x", orgId: "org_a", roles: ["member"] };
const MEMBER = { sub: "user_m", orgId: "org_a", roles: ["member"] };
const ADMIN = { sub: "user_a", orgId: "org_a", roles: ["admin"] };

Deno.test("a masked column is masked under any name that a query gives it, and only for whom it is", async () => {
  await withCompiledActions(FILES, async (api) => {
    const body = { name: "Jane", email: EMAIL, salary: 5000 };
    const { id } = (await api.ask("people", { as: MAKER, body })).body;
    await api.ask("pets", { as: MAKER, body: { personId: id, name: "Rex" } });
    const asked = async (kind: keyof typeof QUERIES, as: typeof MEMBER) => {
      const { status, text } = await api.ask("people/ask", { as, body: { kind } });
      assertEquals(status, 200, text);
      return text;
    };
    for (
      const kind of [
        "renamed",
        "disguised",
        "nested",
        "computed",
        "called",
        "below",
        "joined",
        "returned",
        "one",
      ] as const
    ) {
      const hidden = await asked(kind, MEMBER);
      assert(hidden.includes(MASKED) && !hidden.includes(EMAIL), `${kind}: ${hidden}`);
      assert((await asked(kind, ADMIN)).includes(EMAIL), kind);
    }
    assertEquals(await asked("counted", MEMBER), '[{"n":1}]');
    assertEquals(await asked("numbered", MEMBER), '[{"income":"[REDACTED]"}]');
    assertEquals(await asked("numbered", ADMIN), '[{"income":5000}]');
  });
});
