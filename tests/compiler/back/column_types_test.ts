/** Each column type as outputs say it: SQL, drizzle's schema, the description, the client's types (definitions 3). */
import { assert, assertEquals } from "@std/assert";
import { compile, validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

interface Said {
  readonly sql: string;
  readonly drizzle: string | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly client: string;
}

const CASES: Readonly<Record<string, Said>> = {
  "q.text()": {
    sql: "text",
    drizzle: 'text("some")',
    schema: { type: ["string", "null"] },
    client: "string | null",
  },
  'q.text({ enum: ["a", "b"] })': {
    sql: "text",
    drizzle: 'text("some", { enum: ["a", "b"] })',
    schema: { enum: ["a", "b", null], type: ["string", "null"] },
    client: '"a" | "b" | null',
  },
  "q.int()": {
    sql: "integer",
    drizzle: 'integer("some")',
    schema: { type: ["integer", "null"], format: "int64" },
    client: "number | null",
  },
  "q.real()": {
    sql: "real",
    drizzle: 'real("some")',
    schema: { type: ["number", "null"] },
    client: "number | null",
  },
  "q.decimal({ precision: 6, scale: 2 })": {
    sql: "integer",
    drizzle: 'customType<{ data: string }>({ dataType: () => "integer" })("some")',
    schema: { type: ["string", "null"], format: "decimal", pattern: "^-?[0-9]+\\.[0-9]{2}$" },
    client: "string | null",
  },
  "q.boolean()": {
    sql: "integer",
    drizzle: 'integer("some", { mode: "boolean" })',
    schema: { type: ["boolean", "null"] },
    client: "boolean | null",
  },
  "q.datetime()": {
    sql: "text",
    drizzle: 'text("some")',
    schema: { type: ["string", "null"], format: "date-time" },
    client: "string | null",
  },
  "q.date()": {
    sql: "text",
    drizzle: 'text("some")',
    schema: { type: ["string", "null"], format: "date" },
    client: "string | null",
  },
  "q.int({ min: 1, max: 5 })": {
    sql: "integer",
    drizzle: 'integer("some")',
    schema: { type: ["integer", "null"], format: "int64" },
    client: "number | null",
  },
  "q.email()": {
    sql: "text",
    drizzle: 'text("some")',
    schema: { type: ["string", "null"], maxLength: 254 },
    client: "string | null",
  },
  "q.url()": {
    sql: "text",
    drizzle: 'text("some")',
    schema: { type: ["string", "null"], format: "uri" },
    client: "string | null",
  },
  "q.list(q.int(), { maxItems: 3 })": {
    sql: "text",
    drizzle: 'text("some", { mode: "json" })',
    schema: {
      type: ["array", "null"],
      items: { type: "integer", format: "int64" },
      maxItems: 3,
    },
    client: "readonly number[] | null",
  },
  "q.vector({ dimensions: 2 })": {
    sql: "F32_BLOB",
    // Handlers have no drizzle column for it.
    drizzle: undefined,
    schema: { type: ["array", "null"], items: { type: "number" }, minItems: 2, maxItems: 2 },
    client: "readonly number[] | null",
  },
  "q.json()": {
    sql: "text",
    drizzle: 'text("some", { mode: "json" })',
    schema: {},
    client: "unknown",
  },
};

for (const [builder, said] of Object.entries(CASES)) {
  Deno.test(`${builder} is said in SQL, in drizzle's schema, in the description and in the client's types`, () => {
    const files = {
      "quickback/quickback.config.ts": 'export default { name: "things" };\n',
      "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: { organizationId: q.scope("organization"), some: ${builder} },
  guards: { createable: ["some"], updatable: [] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
    };
    const validation = validate(files);
    assert(validation.ok, JSON.stringify(validation));
    const result = compile(files, BARE_HOST);
    assert(result.ok);
    const text = (ending: string) =>
      result.files.find(({ path }) => path.endsWith(ending))?.content ?? "";
    const { description: _, examples: _examples, ...schema } =
      JSON.parse(text("openapi.json")).components.schemas
        .ThingsRecord.properties.some;
    assertEquals({
      sql: /^\s*[`"]some[`"] (\w+)/m.exec(text(".sql"))?.[1],
      drizzle: /^\s*some: (.*),$/m.exec(text("src/schema/things.ts"))?.[1],
      schema,
      client: /^\s*(?:readonly )?"?some"?\??: (.*);$/m.exec(clientTypes(validation.model))?.[1],
    }, said);
  });
}
