/** Which related rows a change is reported with, and where there are too many of them (contract 6.3, docs/decisions/relations.md). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { CHANGES_TOLD_MAX } from "../../../shared/contract/mod.ts";
import type { RowChange } from "../../../shared/runtime/data/changes/change_log.ts";
import { relatedChanges } from "../../../shared/runtime/data/changes/related_rows.ts";
import type { Database, Statement } from "../../../shared/runtime/ports.ts";
import { realtimeResourcesOf } from "../../../shared/surface/mod.ts";
import { FIELD } from "../../support/field_project.ts";
import { insertRows } from "../../support/insert_rows.ts";
import { withModelDatabase } from "../../support/model_database.ts";
import { recorded } from "../../support/recorded.ts";

const TOLD = Object.fromEntries(
  Object.entries(FIELD).map(([path, text]) => [
    path,
    text.replace('name: "field",', 'name: "field", realtime: { enabled: true },')
      .replace("guards: false,", "guards: false, realtime: true,"),
  ]),
);

const AT = "2026-01-01T00:00:00.000Z";

type Cells = Readonly<Record<string, string | number | null>> & { readonly id: string };

const row = (id: string, cells: Readonly<Record<string, string | number | null>>): Cells => ({
  organizationId: "org_a",
  createdAt: AT,
  modifiedAt: AT,
  version: 1,
  ...cells,
  id,
});

const inserted = (table: string, cells: Cells): RowChange => ({
  kind: "insert",
  table,
  id: cells.id,
  before: null,
  after: new Map(Object.entries({ deletedAt: null, ...cells })),
});

const updated = (table: string, was: Cells, cells: Cells): RowChange => ({
  ...inserted(table, cells),
  kind: "update",
  before: new Map(Object.entries({ deletedAt: null, ...was })),
});

const FOREIGN = row("foreign", { organizationId: "org_b", assigneeId: "tom" });

/** Rows of many, each with the key of one order. */
const many = (
  count: number,
  cells: Readonly<Record<string, string | number | null>>,
): readonly Cells[] => Array.from({ length: count }, (_, at) => row(`many_${at}`, cells));

/** Reports changes of a resource over stored rows; `statements` are those that this asked. */
function reporting<T>(
  resource: string,
  rows: Parameters<typeof insertRows>[2],
  body: (
    report: (changes: readonly RowChange[]) => ReturnType<typeof relatedChanges>,
    statements: readonly Statement[],
  ) => Promise<T>,
): Promise<T> {
  const validation = validate(TOLD);
  assert(validation.ok, JSON.stringify(validation));
  const { model } = validation;
  const told = realtimeResourcesOf(model).find(({ table }) => table.name === resource);
  assert(told);
  return withModelDatabase(model, async (database: Database) => {
    await insertRows(database, model, rows);
    const statements: Statement[] = [];
    const reader = recorded(database, statements);
    return await body((changes) => relatedChanges(reader, told, changes), statements);
  });
}

Deno.test("a row is related to rows of its own tenant, though one transaction changed several tenants", () => {
  const alien = row("item_alien", { orderId: "foreign" });
  const native = row("item_native", { organizationId: "org_b", orderId: "foreign" });
  return reporting(
    "items",
    { orders: [FOREIGN], items: [alien, native] },
    async (report) => {
      const was = row("foreign", { organizationId: "org_b", assigneeId: "tina" });
      const reported = await report([
        inserted("items", alien),
        inserted("items", native),
        updated("orders", was, FOREIGN),
      ]);
      assert(reported);
      assertEquals(
        reported.map(({ change: { id }, after }) => [
          id,
          after?.related.map((rows) => rows.map((one) => one.row.get("assigneeId"))),
        ]),
        [["item_alien", [[]]], ["item_native", [["tom"]]]],
      );
    },
  );
});

Deno.test("a related row of another tenant was none before it changed, either", () => {
  const alien = row("item_alien", { orderId: "foreign" });
  return reporting("items", { orders: [FOREIGN], items: [alien] }, async (report) => {
    const was = row("foreign", { organizationId: "org_b", assigneeId: "tina" });
    const [own] = await report([updated("items", alien, alien), updated("orders", was, FOREIGN)]) ??
      [];
    assertEquals([own?.before?.related, own?.after?.related], [[[]], [[]]]);
  });
});

Deno.test("rows of another tenant with the key of a changed row count for nothing", () => {
  const items = [
    row("item_native", { organizationId: "org_b", orderId: "foreign" }),
    ...many(CHANGES_TOLD_MAX + 1, { orderId: "foreign" }),
  ];
  return reporting("items", { orders: [FOREIGN], items }, async (report) => {
    const was = row("foreign", { organizationId: "org_b", assigneeId: "tina" });
    const reported = await report([updated("orders", was, FOREIGN)]);
    assertEquals(reported?.map(({ change, isInduced }) => [change.id, isInduced]), [
      ["item_native", true],
    ]);
  });
});

for (const count of [CHANGES_TOLD_MAX, CHANGES_TOLD_MAX + 1]) {
  Deno.test(`a change with ${count} related rows is reported whole, or not at all`, () => {
    const order = row("toms", { assigneeId: "tom" });
    const crew = many(count, { orderId: "toms", userId: "tina" });
    const audit = row("audit_1", { orderId: "toms" });
    return reporting("audits", { orders: [order], crew, audits: [audit] }, async (report) => {
      const reported = await report([inserted("audits", audit)]);
      assertEquals(
        reported?.map(({ after }) => after?.related[0]?.[0]?.related[0]?.length),
        count <= CHANGES_TOLD_MAX ? [count] : undefined,
      );
    });
  });
}

Deno.test("nothing is asked for a row without a key", () =>
  reporting("items", {}, async (report, statements) => {
    const reported = await report([inserted("items", row("item_null", { orderId: null }))]);
    assertEquals(reported?.map(({ after }) => after?.related), [[[]]]);
    assertEquals(statements, []);
  }));
