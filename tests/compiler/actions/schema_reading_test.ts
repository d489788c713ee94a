import { z } from "zod";
import { assertEquals } from "@std/assert";
import type { SchemaModel } from "../../../shared/model/action.ts";
import { schemaJson, zodSchemaOf } from "../../../shared/surface/schema/zod_json.ts";
import { closeAction, withAction } from "../../support/actions.ts";
import { toldOf } from "../../support/analysis.ts";

/** The source, the same schema for real, and values that it is asked about. */
const READ: readonly (readonly [source: string, schema: z.ZodType, values: readonly unknown[]])[] =
  [
    ["z.object({})", z.object({}), [{}, { a: 1 }, [], null]],
    [
      "z.object({ a: z.string(), b: z.number().optional() })",
      z.object({ a: z.string(), b: z.number().optional() }),
      [{ a: "x" }, { a: 1 }, { a: "x", b: 1 }, { a: "x", b: "1" }, {}],
    ],
    ["z.object({ a: z.int() }).strict()", z.object({ a: z.int() }).strict(), [{ a: 1 }, {
      a: 1,
      b: 2,
    }, { a: 1.5 }]],
    ["z.strictObject({ a: z.null() })", z.strictObject({ a: z.null() }), [{ a: null }, { a: 0 }]],
    ["z.looseObject({ a: z.any() })", z.looseObject({ a: z.any() }), [{ a: 1, b: 2 }]],
    ["z.string().min(2).max(4)", z.string().min(2).max(4), ["a", "ab", "abcde", 1]],
    ["z.string().length(3)", z.string().length(3), ["ab", "abc"]],
    ["z.string().min(1, 'Say why')", z.string().min(1, "Say why"), ["", "a"]],
    ["z.string().nonempty()", z.string().nonempty(), ["", "a"]],
    ["z.string().email()", z.string().email(), ["a@b.co", "a"]],
    ["z.email()", z.email(), ["a@b.co", "a"]],
    ["z.string().url()", z.string().url(), ["https://a.b", "a"]],
    ["z.url()", z.url(), ["https://a.b", "a"]],
    [
      "z.string().uuid()",
      z.string().uuid(),
      ["8d0ab1c4-1d7b-4b9f-8ad5-0a4d9a0c0d11", "8d0ab1c4"],
    ],
    ["z.string().datetime()", z.string().datetime(), ["2026-01-01T00:00:00Z", "2026-01-01"]],
    [
      "z.string().datetime({ offset: true })",
      z.string().datetime({ offset: true }),
      ["2026-01-01T00:00:00+02:00", "2026-01-01T00:00:00"],
    ],
    ["z.iso.datetime({ local: true })", z.iso.datetime({ local: true }), ["2026-01-01T00:00:00"]],
    ["z.string().regex(/^[a-z]+$/i)", z.string().regex(/^[a-z]+$/i), ["Ab", "1"]],
    [
      "z.string().regex(/^a/).regex(/b$/)",
      z.string().regex(/^a/).regex(/b$/),
      ["ab", "a", "b"],
    ],
    ["z.number().min(1).max(5)", z.number().min(1).max(5), [0, 1, 5, 6, "1"]],
    ["z.number().gt(1).lt(5)", z.number().gt(1).lt(5), [1, 2, 5]],
    ["z.number().int().positive()", z.number().int().positive(), [0, 1, 1.5]],
    ["z.number().nonnegative()", z.number().nonnegative(), [-1, 0]],
    ["z.number().multipleOf(5)", z.number().multipleOf(5), [5, 6]],
    ["z.int().min(-3)", z.int().min(-3), [-4, -3]],
    ["z.boolean()", z.boolean(), [true, "true"]],
    ["z.enum(['a', 'b'])", z.enum(["a", "b"]), ["a", "c"]],
    ["z.literal('a')", z.literal("a"), ["a", "b"]],
    ["z.literal(['a', 1, null])", z.literal(["a", 1, null]), ["a", 1, null, 2]],
    ["z.array(z.string()).min(1).max(2)", z.array(z.string()).min(1).max(2), [[], ["a"], [1]]],
    ["z.record(z.string(), z.number())", z.record(z.string(), z.number()), [{ a: 1 }, { a: "" }]],
    [
      "z.record(z.enum(['a', 'b']), z.boolean())",
      z.record(z.enum(["a", "b"]), z.boolean()),
      [{ a: true, b: true }, { a: true }, { c: true }],
    ],
    ["z.union([z.string(), z.int()])", z.union([z.string(), z.int()]), ["a", 1, 1.5, null]],
    [
      "z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), n: z.int() })])",
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a") }),
        z.object({ kind: z.literal("b"), n: z.int() }),
      ]),
      [{ kind: "a" }, { kind: "b" }, { kind: "b", n: 1 }, { kind: "c" }],
    ],
    ["z.string().nullable()", z.string().nullable(), [null, "a", undefined]],
    ["z.string().nullish()", z.string().nullish(), [null, undefined, 1]],
    ["z.string().default('x')", z.string().default("x"), [undefined, "a", 1]],
    [
      "z.object({ tags: z.array(z.string()).default([]) })",
      z.object({ tags: z.array(z.string()).default([]) }),
      [{}, { tags: ["a"] }],
    ],
    ["z.string().describe('A name').optional()", z.string().describe("A name").optional(), ["a"]],
    ["z.coerce.number().min(2)", z.coerce.number().min(2), ["3", "1", 3]],
    ["z.coerce.boolean()", z.coerce.boolean(), ["", "x"]],
    ["z.coerce.string()", z.coerce.string(), [1]],
  ];

for (const [source, schema, values] of READ) {
  Deno.test(`${source} is read as what it is`, () => {
    const { input, output } = closeAction(withAction(`input: ${source}, output: ${source},`));
    assertEquals(schemaJson(input, "input"), withoutDialect(schema, "input"));
    assertEquals(schemaJson(output ?? OPEN, "output"), withoutDialect(schema, "output"));
    const read = zodSchemaOf(input);
    for (const value of values) assertEquals(parsed(read, value), parsed(schema, value));
  });
}

const OPEN: SchemaModel = { kind: "open" };

function withoutDialect(schema: z.ZodType, io: "input" | "output"): unknown {
  const { $schema: _, "~standard": _standard, ...rest } = z.toJSONSchema(schema, { io });
  return JSON.parse(JSON.stringify(rest));
}

function parsed(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : "refused";
}

Deno.test("Schemas may be put together from constants, also of other files", () => {
  const source = "input: z.object({ name: Name.optional(), name2: Name }),";
  const below = "const Name = z.string().max(5);\n";
  const action = closeAction(withAction(source, { below }));
  assertEquals(schemaJson(action.input, "input"), {
    type: "object",
    properties: {
      name: { type: "string", maxLength: 5 },
      name2: { type: "string", maxLength: 5 },
    },
    required: ["name2"],
  });
});

const OPEN_ROWS: readonly (readonly [source: string, construct: string])[] = [
  ["z.string().transform((text) => text.length)", "`.transform()`"],
  ["z.object({ a: z.string().refine((text) => text !== '') })", "`.refine()`"],
  ["z.string().trim()", "`.trim()`"],
  ["z.string().min(LIMIT)", "min() without a number"],
  ["z.date()", "`z.date()`"],
  ["z.preprocess(String, z.string())", "`z.preprocess()`"],
  ["z.object({ a: z.string() }).extend({ b: z.string() })", "`.extend()`"],
  ["z.record(z.email(), z.string())", "keys of a record that are neither texts nor an enum"],
  ["makeSchema()", "the call of `makeSchema`"],
  ["z.enum(Object.keys(STATES))", "`z.enum()` without a list"],
];

const BELOW = `const LIMIT = Number("5");
const STATES = { a: 1 };
function makeSchema() { return z.string(); }
`;

for (const [source, construct] of OPEN_ROWS) {
  Deno.test(`${source} is an open schema with a warning in contract v1`, () => {
    const result = withAction(`input: ${source},`, { below: BELOW });
    assertEquals(closeAction(result).input, OPEN);
    const [warning] = result.warnings.filter(({ code }) => code === "SCHEMA_OPEN");
    assertEquals(
      warning?.message,
      `The input of action "close" is open in the API description: ${construct} cannot be read`,
    );
  });
}

Deno.test("A pattern that cannot be matched in linear time is an error, wherever it stands", () => {
  const told = (source: string) => toldOf(withAction(`input: ${source},`).errors);
  const hint = "Write it without nested or overlapping repetitions";
  assertEquals(told("z.object({ a: z.string().regex(/^(a+)+$/) })"), [
    `PATTERN_UNSAFE 4:39 Pattern "/^(a+)+$/" is refused: matching it can take exponential time | ${hint}`,
  ]);
  assertEquals(told("z.string().regex(/(a|a)*b/).transform(String)"), [
    `PATTERN_UNSAFE 4:25 Pattern "/(a|a)*b/" is refused: matching it can take exponential time | ${hint}`,
  ]);
});
