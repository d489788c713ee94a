/** Contract 4.3: rows that refer to a record, included and asked by, behind their own firewall, access and masks, in one statement. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { Database, Statement } from "../../shared/runtime/mod.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const LEA: Claims = { ...ANN, sub: "lea", roles: ["member", "lead"] };
const GUS: Claims = { ...ANN, sub: "gus", roles: ["guest"] };
const EVE: Claims = { ...ANN, sub: "eve", orgId: "org_b" };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
export default feature("tickets", {
  columns: { organizationId: q.scope("organization"), subject: q.text().required() },
  guards: false,
  read: {
    access: { roles: ["member", "guest"] },
    include: ["comments.ticketId", { from: "comments.aboutId", as: "mentions" }],
    views: {
      plain: { fields: ["id", "subject"] },
      full: { fields: ["id", "subject"], include: ["comments.ticketId"] },
    },
  },
  create: { access: { roles: ["member"] } },
});
`,
  "quickback/features/tickets/comments.ts": `import { feature, q } from "quickback";
import tickets from "./tickets";
export default feature("comments", {
  columns: {
    organizationId: q.scope("organization"),
    ticketId: q.text().required().references(() => tickets.id),
    aboutId: q.text().references(() => tickets.id),
    text: q.text().required(),
    note: q.text(),
    number: q.int(),
  },
  masking: {
    note: { type: "redact", show: { roles: ["lead"] } },
    aboutId: { type: "redact", show: { roles: ["lead"] } },
  },
  guards: false,
  defaultSort: "number",
  read: {
    access: { or: [{ roles: ["lead"] }, { roles: ["member"], record: { text: { notEquals: "secret" } } }] },
  },
  create: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
});
`,
};

async function idOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  assertEquals(status, 201, JSON.stringify(body));
  return String(body["id"]);
}

async function seed(api: ApiUnderTest): Promise<readonly [a: string, b: string, c: string]> {
  const ticket = (subject: string, as = ANN) => idOf(api.ask("tickets", { as, body: { subject } }));
  const [a, b, c] = [await ticket("a"), await ticket("b"), await ticket("c")];
  const comment = (body: object) => idOf(api.ask("comments", { as: LEA, body }));
  for (let number = 22; number > 0; number -= 1) {
    await comment({ ticketId: a, text: `t${number}`, number, note: "n" });
  }
  await comment({ ticketId: b, text: "secret", number: 1 });
  await comment({ ticketId: b, text: "open", number: 2, aboutId: c });
  const gone = await comment({ ticketId: c, text: "gone" });
  await api.ask(`comments/${gone}`, { as: LEA, method: "DELETE" });
  const other = await ticket("x", EVE);
  await idOf(api.ask("comments", { as: EVE, body: { ticketId: other, text: "foreign" } }));
  return [a, b, c];
}

/** Texts by ticket, and whether there are more. */
function told(body: Answer["body"], name = "comments"): unknown {
  const included = isRecord(body["included"]) ? body["included"][name] : null;
  if (!isRecord(included)) return body["code"] ?? null;
  return Object.fromEntries(
    Object.entries(included).map(([id, one]) => {
      const data: readonly unknown[] = isRecord(one) && Array.isArray(one["data"])
        ? one["data"]
        : [];
      const texts = data.map((row) => isRecord(row) ? row["text"] : null);
      return [id, [texts.join(" "), isRecord(one) && one["hasMore"]]];
    }),
  );
}

Deno.test("include answers the first of the rows that refer to a record, as their own list shows them", () =>
  withDefinitions(FILES, async (api) => {
    const [a, b, c] = await seed(api);
    const first = Array.from({ length: 20 }, (_, at) => `t${at + 1}`).join(" ");
    const ask = async (path: string, as = ANN) => (await api.ask(path, { as })).body;
    const open = { [a]: [first, true], [b]: ["open", false] };
    assertEquals(told(await ask("tickets?include=comments")), open);
    assertEquals(told(await ask("tickets?include=comments", LEA)), {
      ...open,
      [b]: ["secret open", false],
    });
    assertEquals(told(await ask("tickets/views/full?include=comments")), open);
    assertEquals(told(await ask(`tickets/${b}?include=comments`)), { [b]: ["open", false] });
    assertEquals(told(await ask(`tickets/${c}?include=comments`)), {});
    assertEquals(told(await ask("tickets?include=mentions", LEA), "mentions"), {
      [c]: ["open", false],
    });
    assertEquals(Object.keys(Object(told(await ask("tickets?include=comments", EVE)))).length, 1);
    const { included } = await ask(
      "tickets?include=comments&fields[comments]=note,number&search=a",
    );
    const { comments } = Object(included);
    assertEquals(comments[a].data[0], { note: "[REDACTED]", number: 1 });
    const refused = "VALIDATION_INVALID_INPUT";
    const rows: readonly [string, string, Claims?][] = [
      ["tickets?include=comments", "ACCESS_ROLE_REQUIRED", GUS],
      ["tickets?include=mentions", refused, ANN],
      ["tickets?include=comments&fields=subject", refused],
      ["tickets?include=comments&fields[comments]=nothing", refused],
      ["tickets?include=comment", refused],
      ["tickets/views/plain?include=comments", refused],
      ["tickets/views/full?include=mentions", refused],
    ];
    for (const [path, code, as] of rows) assertEquals((await ask(path, as))["code"], code, path);
  }));

Deno.test("where asks for some row and for none, and rows that the caller cannot see are not there", () =>
  withDefinitions(FILES, async (api) => {
    await seed(api);
    const found = async (where: unknown, as = ANN, path = "tickets") => {
      const query = new URLSearchParams({ where: JSON.stringify(where), sort: "subject" });
      const { body: { data, code } } = await api.ask(`${path}?${query}`, { as });
      return Array.isArray(data) ? data.map(({ subject }) => subject).join("") : code;
    };
    const refused = "VALIDATION_INVALID_INPUT";
    const rows: readonly [unknown, unknown, Claims?, string?][] = [
      [{ comments: { some: {} } }, "ab"],
      [{ comments: { none: {} } }, "c"],
      [{ comments: { some: { text: "secret" } } }, ""],
      [{ comments: { none: { text: "secret" } } }, "abc"],
      [{ comments: { some: { text: "secret" } } }, "b", LEA],
      [{ comments: { some: { ticket: { subject: "b" } } } }, "b"],
      [{ comments: { some: { number: { greaterThan: 21 } } } }, "a"],
      [{ comments: { some: { note: "n" } } }, "a", LEA],
      [{ comments: { some: { note: "n" } } }, refused],
      [{ mentions: { some: {} } }, "c", LEA],
      [{ mentions: { some: {} } }, refused],
      [{ comments: { some: {} } }, "ACCESS_ROLE_REQUIRED", GUS],
      [{ comments: { some: {} } }, "ab", ANN, "tickets/views/full"],
      [{ comments: { some: {} } }, refused, ANN, "tickets/views/plain"],
      [{ comments: { every: {} } }, refused],
      [{ comments: { some: {}, none: {} } }, refused],
      [{ comments: {} }, refused],
    ];
    for (const [where, subjects, as, path] of rows) {
      assertEquals(await found(where, as, path), subjects, JSON.stringify([where, as?.sub, path]));
    }
  }));

Deno.test("a page with conditions and what it includes takes one statement for each, however many records", async () => {
  const sent: string[] = [];
  const counted = (statement: Statement) => sent.push(statement.sql);
  const wrap = (database: Database): Database => ({
    ...database,
    run: (statement) => (counted(statement), database.run(statement)),
    runAll: (statements) => (statements.forEach(counted), database.runAll(statements)),
    write: (body) => database.write(body),
    migrate: (migrations) => database.migrate(migrations),
    close: () => database.close(),
  });
  await withDefinitions(FILES, async (api) => {
    await seed(api);
    sent.length = 0;
    const where = encodeURIComponent(
      '{"comments":{"some":{"ticket":{"subject":{"in":["a","b"]}}}}}',
    );
    const { body } = await api.ask(`tickets?where=${where}&include=comments,mentions`, { as: LEA });
    assertEquals(Object.keys(Object(told(body))).length, 2);
    assertEquals(sent.length, 3, sent.join("\\n"));
  }, { wrap });
});

Deno.test("an include of a key that does not refer to the resource, or by a name that is taken, does not compile", () => {
  const told = (include: string) => {
    const path = "quickback/features/tickets/tickets.ts";
    const text = FILES[path].replace(
      /include: \[.*\],\n {4}views/,
      `include: [${include}],\n    views`,
    );
    const validation = validate({ ...FILES, [path]: text });
    return validation.ok ? [] : validation.errors.map(({ code, message }) => `${code} ${message}`);
  };
  const notChild = (name: string) =>
    `INCLUDE_NOT_CHILD "${name}" is no foreign key of a resource that can be read and refers to "tickets"`;
  const rows: readonly [string, readonly string[]][] = [
    ['"comments.ticketId"', []],
    ['"comments.tiketId"', [notChild("comments.tiketId")]],
    ['"comment.ticketId"', [notChild("comment.ticketId")]],
    ['"comments.text"', [notChild("comments.text")]],
    ['"tickets.id"', [notChild("tickets.id")]],
    ['"comments.ticketId", "comments.aboutId"', [
      'INCLUDE_NAME_TAKEN The rows of "comments.aboutId" would be called "comments", which is taken',
    ]],
    ['{ from: "comments.ticketId", as: "subject" }', [
      'INCLUDE_NAME_TAKEN The rows of "comments.ticketId" would be called "subject", which is taken',
    ]],
    ['{ from: "comments.ticketId", as: "not" }', [
      'INCLUDE_NAME_TAKEN The rows of "comments.ticketId" would be called "not", which is taken',
    ]],
    ...["toString", "hasOwnProperty", "constructor"].map((name): [string, string[]] => [
      `{ from: "comments.ticketId", as: "${name}" }`,
      [
        `INCLUDE_NAME_TAKEN The rows of "comments.ticketId" would be called "${name}", which is taken`,
      ],
    ]),
    ['{ from: "comments.ticketId" }', ['KEY_MISSING Key "as" is missing in tickets.read.include']],
    ['{ from: "comments", as: "all" }', [
      'VALUE_INVALID "tickets.read.include" is an object, expected "<table>.<foreign key>"',
    ]],
  ];
  for (const [include, errors] of rows) assertEquals(told(include), errors, include);
});
