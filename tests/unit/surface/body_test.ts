import { assertEquals, assertThrows } from "@std/assert";
import type { TableModel } from "../../../shared/model/table.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import { tableOf } from "../../../shared/surface/tables.ts";
import { bodyCheckerOf, type BodyReading } from "../../../shared/surface/schema/body.ts";
import { articles, model, tickets } from "../../support/sample_model.ts";

const resourceNamed = (name: string): ResourceModel => {
  const found = model.resources.find((resource) => resource.name === name);
  if (!found) throw new Error(`The sample has no resource "${name}"`);
  return found;
};

const TICKETS = resourceNamed("tickets");
const checkCreate = bodyCheckerOf("create", TICKETS, tickets);
const checkUpdate = bodyCheckerOf("update", TICKETS, tickets);

/** Bodies as a client sends them, so that `__proto__` is an own key. */
const parsed = (json: string): Record<string, unknown> => JSON.parse(json);
const stored = (reading: BodyReading) =>
  reading.kind === "valid" ? Object.fromEntries(reading.values) : reading;

function fieldsOf(reading: BodyReading) {
  return reading.kind === "invalid" ? reading.fields : null;
}

Deno.test("a valid body becomes stored values, and what it leaves out stays out", () => {
  const body = {
    customerId: null,
    subject: "",
    score: -0,
    urgent: true,
    dueAt: "2026-01-31T10:20:30+02:00",
    link: "https://a.example/x?y=1#z",
    meta: { a: [1, null] },
  };
  assertEquals(stored(checkCreate(body)), {
    customerId: null,
    subject: "",
    score: 0,
    urgent: 1,
    dueAt: "2026-01-31T08:20:30.000Z",
    link: "https://a.example/x?y=1#z",
    meta: '{"a":[1,null]}',
  });
  assertEquals(stored(checkUpdate({})), {});
});

Deno.test("required columns are there on create; on update they may be left out but not null", () => {
  const rows: readonly (readonly [BodyReading, Record<string, string> | null])[] = [
    [checkCreate({}), { subject: "Required" }],
    [checkCreate({ subject: null }), { subject: "Must not be null" }],
    [checkCreate({ subject: "x", status: null }), { status: "Must not be null" }],
    [checkUpdate({ subject: null }), { subject: "Must not be null" }],
    [checkUpdate({ body: null }), null],
  ];
  for (const [reading, fields] of rows) assertEquals(fieldsOf(reading), fields);
});

Deno.test("every kind of column refuses values of another kind", () => {
  const rows: readonly (readonly [string, readonly unknown[], string])[] = [
    ["subject", [1, true, [], {}, ["a"]], "Must be text"],
    ["subject", ["x".repeat(21), "😀".repeat(21)], "Must be at most 20 characters"],
    ["subject", ["a\0b", "\ud800"], "Must be well-formed text without NUL characters"],
    ["status", ["done", "", 1, "Open"], "Must be one of open, closed"],
    ["size", ["l", 0], "Must be one of s, m"],
    ["priority", ["1", 1.5, true, 2 ** 53, Infinity, NaN], "Must be a whole number within 53 bits"],
    ["score", ["1.5", false, Infinity, NaN], "Must be a number"],
    ["urgent", [0, 1, "true", "false", ""], "Must be true or false"],
    ["dueAt", [1769854830000, true], "Must be an ISO 8601 date-time"],
    [
      "dueAt",
      ["2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T10:00:00", ""],
      "Must be an ISO 8601 date-time with Z or an offset",
    ],
    [
      "link",
      [
        "javascript:alert(1)",
        "data:text/plain,x",
        "ftp://a.example/",
        "//a.example",
        "a.example",
        "https://user:pass@a.example/",
        "https://user@a.example/",
        "https:\\\\a.example",
        "https://a.example/\nx",
        " https://a.example/",
        "https://a.example/%zz",
        "https://a.example/[x]",
        "https://é.example/",
        "http://a.example:99999/",
        "",
      ],
      "Must be an http or https URL without credentials",
    ],
    ["link", [`https://a.example/${"x".repeat(60)}`], "Must be at most 60 characters"],
  ];
  for (const [field, values, message] of rows) {
    for (const value of values) {
      const reading = checkUpdateOrCreate(field, value);
      assertEquals(fieldsOf(reading), { [field]: message }, `${field}: ${JSON.stringify(value)}`);
    }
  }
});

function checkUpdateOrCreate(field: string, value: unknown): BodyReading {
  return checkCreate({ subject: "x", [field]: value });
}

Deno.test("lengths count code points", () => {
  assertEquals(checkUpdate({ subject: "😀".repeat(20) }).kind, "valid");
});

Deno.test("JSON columns take any value", () => {
  for (const json of ['{"meta":0}', '{"meta":"x"}', '{"meta":[]}', '{"meta":null}']) {
    assertEquals(checkUpdate(parsed(json)).kind, "valid", json);
  }
});

Deno.test("all wrong fields are told, the pointer is the first in table order", () => {
  assertEquals(checkCreate({ urgent: 1, priority: "x", subject: 2 }), {
    kind: "invalid",
    fields: {
      subject: "Must be text",
      priority: "Must be a whole number within 53 bits",
      urgent: "Must be true or false",
    },
    pointer: "/subject",
  });
});

Deno.test("a client id has the exact pattern of its strategy", () => {
  const good: readonly (readonly [Partial<TableModel>, string])[] = [
    [{ idStrategy: "uuid" }, "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"],
    [{ idStrategy: "prefixed", idPrefix: "art" }, `art_${"0a".repeat(16)}`],
    [{ idStrategy: "cuid" }, "tz4a98xxat96iws9zmbrgj3a"],
    [{ idStrategy: "nanoid" }, "V1StGXR8_Z5jdHi6B-myT"],
    [{ idStrategy: "short" }, "aB3xY9"],
    [{ idStrategy: false }, "any.id~of-1_28"],
  ];
  for (const [rest, id] of good) {
    const check = articleCheck(rest);
    assertEquals(stored(check({ id, title: "x" })), { id, title: "x" }, id);
    for (const bad of [`${id} `, `${id}\n`, "", "../x", `${id}${"é"}`]) {
      const fields = fieldsOf(check({ id: bad, title: "x" }));
      assertEquals(fields, { id: "Must have the form of this table's ids" }, bad);
    }
    assertEquals(fieldsOf(check({ id: 1, title: "x" })), { id: "Must be text" });
  }
});

Deno.test("a client id is required where nothing else makes one and ignored where it is counted", () => {
  assertEquals(fieldsOf(articleCheck({ idStrategy: false })({ title: "x" })), { id: "Required" });
  assertEquals(articleCheck({ idStrategy: "uuid" })({ title: "x" }).kind, "valid");
  assertEquals(stored(articleCheck({ idStrategy: "serial" })({ id: 1, title: "x" })), {
    title: "x",
  });
  const closed = articleCheck({ idStrategy: "uuid", allowClientIds: false });
  assertEquals(stored(closed({ id: "x", title: "x" })), { title: "x" });
});

function articleCheck(rest: Partial<TableModel>) {
  return bodyCheckerOf("create", resourceNamed("articles"), { ...articles, ...rest });
}

Deno.test("tableOf() throws on a model that lacks the resource's table", () => {
  assertEquals(tableOf(TICKETS, model), tickets);
  assertThrows(() => tableOf({ ...TICKETS, table: "nope" }, model), Error, 'no table "nope"');
});
