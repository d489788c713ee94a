/** Contract 4.4 rule 1: what raw SQL makes of a masked column is `[REDACTED]`, and nothing that it gives ends the process. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const PEOPLE = "quickback/features/people";
const EMAIL = "jane@example.com";

/** A statement, and what a caller who sees no address and no salary is answered. */
const STATEMENTS: readonly (readonly [sql: string, answer: unknown])[] = [
  ["select name, email as x from people", [{ name: "Jane", x: "[REDACTED]" }]],
  ["select name, email from people", [{ name: "Jane", email: "j***@e***.com" }]],
  ["select people.email as email from people", [{ email: "j***@e***.com" }]],
  ["select * from people", null],
  ["select email as EMAIL, salary Salary from people", [
    { EMAIL: "[REDACTED]", Salary: "[REDACTED]" },
  ]],
  ["select EMAIL from people", null],
  ["update people set name = 'Jane' returning EMAIL", null],
  ["select max(email) from people", [{ "max(email)": "[REDACTED]" }]],
  ["select max(salary) as top, count(*) as n from people", [{ top: "[REDACTED]", n: 1 }]],
  ["select count(salary) as n, name from people", [{ n: "[REDACTED]", name: "Jane" }]],
  ["select email as name from people", [{ name: "[REDACTED]" }]],
  ["select 'x' || email as id from people", [{ id: "[REDACTED]" }]],
  ['select "EMAIL" as x, [salary] as y, `email` as z from people', [
    { x: "[REDACTED]", y: "[REDACTED]", z: "[REDACTED]" },
  ]],
  ["select case when email like 'j%' then 1 else 0 end as hit, name from people", [
    { hit: "[REDACTED]", name: "Jane" },
  ]],
  ["select nullif(salary, 5000) as x from people", [{ x: "[REDACTED]" }]],
  ["select salary > 10 as x, name is not null as y from people", [{ x: "[REDACTED]", y: 1 }]],
  ["select count(*) as n from people where email like 'j%'", [{ n: "[REDACTED]" }]],
  ["select name, email as x from people order by x", [{ name: "[REDACTED]", x: "[REDACTED]" }]],
  ["select name, email as x from people order by 2", [{ name: "[REDACTED]", x: "[REDACTED]" }]],
  ["select name, salary as x from people group by 1, 2", [
    { name: "[REDACTED]", x: "[REDACTED]" },
  ]],
  ["select name from people group by name having max(salary) > 1", [{ name: "[REDACTED]" }]],
  ["with w as (select email as x from people) select x from w", [{ x: "[REDACTED]" }]],
  ["with w(a, b, c, d, e, f, g, h, i, j, k, l) as (select * from people) select d from w", [{
    d: "[REDACTED]",
  }]],
  ["select y.v from (select email as v from people) as y", [{ v: "[REDACTED]" }]],
  ["select (select p.email from people as p) as x, 1 as one", [{ x: "[REDACTED]", one: 1 }]],
  ["select null as v union all select email from people", [
    { v: "[REDACTED]" },
    { v: "[REDACTED]" },
  ]],
  ["select null as v union select salary from people", [{ v: "[REDACTED]" }, { v: "[REDACTED]" }]],
  ["select first_value(email) over (order by id) as x from people", [{ x: "[REDACTED]" }]],
  ["select row_number() over w as x from people window w as (order by email)", [
    { x: "[REDACTED]" },
  ]],
  ["select pets.name, people.email as x from pets, people", [{ name: "Rex", x: "[REDACTED]" }]],
  ["select p.label as l, o.label as m from pets as p join people as o on o.id = p.person_id", [
    { l: "spotted", m: "[REDACTED]" },
  ]],
  ["select pets.name from pets join people on people.email = 'x' or 1", [{ name: "[REDACTED]" }]],
  ["select json_group_array(email) as list, json_object('a', salary) as o from people", [
    { list: "[REDACTED]", o: "[REDACTED]" },
  ]],
  ["update people set name = 'Jane' returning email as x, name", [
    { x: "[REDACTED]", name: "Jane" },
  ]],
  ["update people set name = 'Jane' where salary > 1 returning name", [{ name: "[REDACTED]" }]],
  ["update people set email = 'jane@example.com' where name = 'Jane' returning name", [
    { name: "Jane" },
  ]],
  ["insert into pets (name) values ('Tom') on conflict do nothing returning upper(name) as n", [
    { n: "TOM" },
  ]],
  ["select sum(1) as n, 1 + 1 as two, (select count(*) from pets) as pets", [
    { n: 1, two: 2, pets: 1 },
  ]],
  ["select name, exists (select * from pets) as owns from people where name = 'Jane'", [
    { name: "Jane", owns: 1 },
  ]],
];

const TEMPLATES: readonly (readonly [query: string, answer: unknown])[] = [
  ["db.select({ x: sql`max(email)`, n: count() }).from(people)", [{ x: "[REDACTED]", n: 1 }]],
  ["db.select({ name: people.name, x: sql`lower(${people.email})` }).from(people)", [
    { name: "Jane", x: "[REDACTED]" },
  ]],
  ["db.select({ name: people.name }).from(people).where(eq(people.name, 'Jane'))", [
    { name: "Jane" },
  ]],
  ["db.select({ x: made.x }).from(made)", [{ x: "[REDACTED]" }]],
  ["db.values(sql`select name, email, salary from people`)", [
    ["Jane", "[REDACTED]", "[REDACTED]"],
  ]],
  ["db.values('select * from pets')", null],
  ["db.get(sql`select email as x from people`)", { x: "[REDACTED]" }],
  ["db.query.people.findMany({ columns: { name: true }, extras: { x: sql`email`.as('x') } })", [
    { name: "Jane", x: "[REDACTED]" },
  ]],
  [
    "db.query.people.findFirst({ columns: { name: true, email: true }, extras: { name: sql`salary`.as('name') } })",
    null,
  ],
  [
    "db.query.pets.findMany({ columns: { name: true }, with: { person: { columns: { name: true } } } })",
    [
      { name: "Rex", person: { name: "Jane" } },
    ],
  ],
  ["db.update(people).set({ name: 'Jane' }).returning({ x: sql`substr(email, 1)` })", [
    { x: "[REDACTED]" },
  ]],
];

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
    label: q.text(),
  },
  guards: { createable: ["name", "email", "salary", "label"] },
  masking: {
    email: { type: "email", show: { roles: ["admin"] } },
    salary: { type: "redact", show: { roles: ["admin"] } },
    label: { type: "redact", show: { roles: ["admin"] } },
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
    label: q.text(),
  },
  guards: { createable: ["personId", "name", "label"] },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member", "admin"] } },
});
`,
  [`${PEOPLE}/actions/ask.ts`]: `import { defineAction } from "quickback";
import { count, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { people, pets } from "../schema";

export default defineAction({
  description: "Asks",
  path: "./ask",
  input: z.object({ sql: z.string().optional(), kind: z.int().optional() }),
  access: { roles: ["member", "admin"] },
  allowRawSql: true,
  async execute({ db, input }) {
    const made = db.select({ x: sql\`salary\`.as("x") }).from(people).as("made");
    void [eq, pets, count];
    switch (input.kind) {
${TEMPLATES.map(([text], at) => `      case ${at}: return ${text};`).join("\n")}
    }
    return db.all(input.sql ?? "");
  },
});
`,
};

const MEMBER = { sub: "user_m", orgId: "org_a", roles: ["member"] };
const ADMIN = { sub: "user_a", orgId: "org_a", roles: ["admin"] };

Deno.test("what raw SQL makes of a masked column is redacted, and only for whom it is masked", async (test) => {
  await withCompiledActions(FILES, async (api) => {
    const body = { name: "Jane", email: EMAIL, salary: 5000, label: "tall" };
    const { id } = (await api.ask("people", { as: MEMBER, body })).body;
    const pet = { personId: id, name: "Rex", label: "spotted" };
    await api.ask("pets", { as: MEMBER, body: pet });
    const asked = [
      ...STATEMENTS.map(([sql, answer]) => [sql, { sql }, answer] as const),
      ...TEMPLATES.map(([text, answer], kind) => [text, { kind }, answer] as const),
    ];
    for (const [name, input, answer] of asked) {
      await test.step(name, async () => {
        const ask = (as: typeof ADMIN) => api.ask("people/ask?dryRun=true", { as, body: input });
        const hidden = await ask(MEMBER);
        assertEquals(hidden.status, 200, hidden.text);
        if (answer !== null) assertEquals(JSON.parse(hidden.text), answer);
        assert(!/jane@|5000|tall/i.test(hidden.text), hidden.text);
        const plain = await ask(ADMIN);
        assert(!plain.text.includes("REDACTED"), plain.text);
      });
    }
  });
});

/** A little more than V8 takes. It takes seconds to make: the process ends on it wherever a result with it is read. */
const HUGE = "hex(zeroblob(268435445))";

/** More than any statement may make, and little enough to be answered or kept where nobody refuses it. */
const LONG = "hex(zeroblob(33554433))";

Deno.test("a text that is longer than the driver takes is refused, and the process goes on", async (test) => {
  await withCompiledActions(FILES, async (api) => {
    await api.ask("people", { as: MEMBER, body: { name: "Jane", email: EMAIL } });
    for (
      const sql of [
        `select ${HUGE} as x`,
        `update people set name = 'y' returning ${HUGE}`,
        `update people set name = ${HUGE}`,
        `insert into pets (id, name) select 'x', ${LONG}`,
      ]
    ) {
      await test.step(sql, async () => {
        const { status, body } = await api.ask("people/ask?dryRun=true", {
          as: ADMIN,
          body: { sql },
        });
        assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
      });
    }
    assertEquals((await api.ask("people", { as: MEMBER })).status, 200);
  });
});
