/** What a changeset's description allows of each operation is what the service takes (definitions 7, contract 4.7). */
import { assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../shared/compiler/mod.ts";
import { openApiDocument } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { withApi } from "../support/api.ts";
import { validatorsOf } from "../support/openapi_check.ts";

const FILES = (rest: string) => ({
  "quickback/quickback.config.ts":
    `export default { name: "shop", contract: { changeset: true }${rest} };\n`,
  "quickback/features/line-items/lineItems.ts": `import { feature, q } from "quickback";
export default feature("lineItems", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 20 }).required(),
    amount: q.int().default(1),
    extra: q.json(),
  },
  guards: { createable: ["title", "amount", "extra"], updatable: ["title"] },
  read: { access: { roles: ["lead"] } },
  create: { access: { roles: ["lead"] } },
  update: { access: { roles: ["lead"] } },
  delete: { access: { roles: ["lead"] } },
});
`,
});

const create = (data: unknown, more: object = {}) => ({
  op: "create",
  resource: "lineItems",
  data,
  ...more,
});
const FIRST = create({ title: "First" }, { as: "first" });
const update = (data: unknown) => ({
  op: "update",
  resource: "lineItems",
  id: { $ref: "first.id" },
  data,
});

/** Nothing of them is refused for what it is. */
const TAKEN: readonly (readonly unknown[])[] = [
  [FIRST],
  [{ ...FIRST, resource: "line-items" }],
  [create({ title: "Told", amount: 2, extra: { $ref: "none", more: 1 } })],
  [FIRST, create({ title: { $ref: "first.title" }, extra: { $ref: "first.title" } })],
  [FIRST, update({})],
  [FIRST, { op: "delete", resource: "lineItems", id: { $ref: "first.id" } }],
];

const REFUSED: readonly (readonly unknown[])[] = [
  [],
  [create({})],
  [create({ title: 1 })],
  [create({ title: "x".repeat(21) })],
  [create({ title: "Told", colour: "red" })],
  [create({ title: "Told", amount: "2" })],
  [create({ title: "Told", extra: { $ref: "first" } })],
  [create({ title: { $ref: "first" } })],
  [create({ title: "Told" }, { id: "1" })],
  [create({ title: "Told" }, { as: "2" })],
  [FIRST, update({ amount: 2 })],
  [FIRST, update(undefined)],
  [{ op: "delete", resource: "lineItems", id: 5 }],
  [{ op: "delete", resource: "lineItems", id: "x", data: {} }],
  [{ op: "close", resource: "lineItems", id: "x" }],
  [{ op: "delete", resource: "nothing", id: "x" }],
];

/** Where rows are counted. */
const COUNTED = ', providers: { database: { name: "libsql", generateId: "serial" } }';
const remove = (id: unknown) => ({ op: "delete", resource: "lineItems", id });

async function assertTold(
  files: RawFiles,
  cases: readonly (readonly [operations: readonly unknown[], isTaken: boolean])[],
) {
  const result = validate(files);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const description = validatorsOf(openApiDocument(result.model));
  const place = "paths /api/v1/changeset post requestBody content application/json schema";
  const allows = (body: unknown) => description.faults(place.split(" "), body).length === 0;
  await withApi(result.model, async (api) => {
    for (const [operations, isTaken] of cases) {
      const body = JSON.parse(JSON.stringify({ operations }));
      const as = { sub: "user_1", orgId: "org_1", roles: ["lead"] };
      const answer = await api.ask("changeset", { as, method: "POST", body });
      const text = `${JSON.stringify(operations)} → ${answer.text}`;
      assertEquals(answer.status === 200, isTaken, text);
      assertEquals(allows(body), isTaken, text);
    }
  });
}

Deno.test("what a changeset's description allows is taken, and what it forbids is refused", () =>
  assertTold(FILES(""), [
    ...TAKEN.map((some) => [some, true] as const),
    ...REFUSED.map((some) => [some, false] as const),
  ]));

Deno.test("a counted id in a changeset is a number or its digits", () =>
  assertTold(FILES(COUNTED), [
    [[create({ title: "One" }), create({ title: "Two" }), create({ title: "Three" })], true],
    [[remove(1), remove("2")], true],
    [[remove("03")], false],
    [[remove(3.5)], false],
    [[remove(true)], false],
    [[FIRST, remove({ $ref: "first.id" })], true],
  ]));
