/** References within a schema that came with a request are written out: its place is another document (contract 4.8). */
import { assertEquals } from "@std/assert";
import type { JsonValue } from "../../../shared/model/table.ts";
import { usableSchema } from "../../../shared/compiler/phases/4-analyze/actions/schema/json_schema.ts";

interface JsonObject {
  readonly [key: string]: JsonValue;
}

const TEXT = { type: "string" };

const ROWS: readonly (readonly [title: string, schema: JsonObject, written: JsonObject])[] = [
  ["a reference", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { text: TEXT },
    properties: { a: { $ref: "#/$defs/text" }, $defs: TEXT },
  }, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { text: TEXT },
    properties: { a: TEXT, $defs: TEXT },
  }],
  ["names of what stands inside", {
    items: { $id: "https://example.com/inner", $anchor: "inner", $defs: { text: TEXT }, ...TEXT },
  }, { items: TEXT }],
  ["the whole schema", { $ref: "#/definitions/a", definitions: { a: TEXT } }, TEXT],
  ["words beside a reference", {
    $defs: { text: TEXT },
    items: { $ref: "#/$defs/text", title: "A", allOf: [true] },
  }, { $defs: { text: TEXT }, items: { title: "A", allOf: [TEXT, true] } }],
  ["a reference to a reference", {
    $defs: { a: { $ref: "#/$defs/b" }, b: TEXT },
    anyOf: [{ $ref: "#/$defs/a" }],
  }, { $defs: { a: TEXT, b: TEXT }, anyOf: [TEXT] }],
  ["a schema within itself", {
    type: "object",
    properties: { child: { $ref: "#" } },
  }, { type: "object", properties: { child: { type: "object", properties: { child: {} } } } }],
  ["names with slashes and signs", {
    $defs: { "a/b~c d": TEXT },
    not: { $ref: "#/$defs/a~1b~0c%20d" },
  }, { $defs: { "a/b~c d": TEXT }, not: TEXT }],
  ["values that look like references", {
    const: { $ref: "#/$defs/none" },
    examples: [{ $ref: "#" }],
  }, { const: { $ref: "#/$defs/none" }, examples: [{ $ref: "#" }] }],
];

for (const [title, schema, written] of ROWS) {
  Deno.test(`JSON Schema written out: ${title}`, () => {
    assertEquals(usableSchema(schema), { kind: "usable", schema: written });
  });
}

const LEADING_NOWHERE = ["#/$defs/none", "#anchor", "#/%", "#/__proto__", "#/properties/a/type"];

for (const $ref of LEADING_NOWHERE) {
  Deno.test(`the reference ${$ref} leads nowhere`, () => {
    assertEquals(usableSchema({ properties: { a: { type: "object" }, b: { $ref } } }), {
      kind: "unusable",
      problem: `refers to "${$ref}", which it does not have`,
    });
  });
}

Deno.test("references that double at every step are not written out", () => {
  const twice = (name: string) => ({
    allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
  });
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_none, step) => [`s${step}`, twice(`s${step + 1}`)]),
  );
  assertEquals(
    usableSchema({ $defs: { ...$defs, s40: TEXT }, $ref: "#/$defs/s0" }).kind,
    "unusable",
  );
});
