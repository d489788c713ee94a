/** Diagrams of the playground: what they draw of a compile, and that each thing has its place. */
import { assert, assertEquals } from "@std/assert";
import { laidOut } from "../../../playground/browser/diagram/layout.ts";
import { movesOf, resourcesIn } from "../../../playground/browser/diagram/registry.ts";

const REGISTRY = {
  resources: [{
    name: "tickets",
    primaryKey: "id",
    columns: [{
      name: "customerId",
      type: "text",
      nullable: false,
      managedBy: "client",
      references: { table: "customers" },
      mask: null,
    }],
    actions: [
      {
        name: "resolve",
        transition: { field: "status", fromTo: { open: ["resolved"], pending: ["resolved"] } },
      },
      { name: "assign", transition: null },
    ],
    transitions: { status: { open: ["pending", "resolved"], pending: ["resolved"], resolved: [] } },
  }],
};

Deno.test("the moves of a state machine name the actions that make them", () => {
  const content = JSON.stringify(REGISTRY);
  const [tickets] = resourcesIn([{ path: "schema-registry.json", content }]) ?? [];
  assert(tickets);
  assertEquals(movesOf(tickets, "status"), [
    { from: "open", to: "pending", by: [] },
    { from: "open", to: "resolved", by: ["resolve"] },
    { from: "pending", to: "resolved", by: ["resolve"] },
  ]);
  assertEquals(movesOf(tickets, "priority"), []);
});

Deno.test("a table without routes is drawn from the newest snapshot", () => {
  const column = (name: string, primaryKey = false) => ({
    name,
    type: "text",
    primaryKey,
    notNull: true,
  });
  const tables = (extra: object) => ({
    job_log: {
      columns: { id: column("id", true), ticket_id: column("ticket_id"), ...extra },
      foreignKeys: { key: { tableTo: "tickets", columnsFrom: ["ticket_id"] } },
    },
    auth_user: { columns: { id: column("id", true) }, foreignKeys: {} },
  });
  const snapshot = (number: string, extra: object) => ({
    path: `quickback/drizzle/features/meta/${number}_snapshot.json`,
    content: JSON.stringify({ tables: tables(extra) }),
  });
  const found = resourcesIn([
    { path: "schema-registry.json", content: JSON.stringify(REGISTRY) },
    {
      path: "src/schema/tickets.ts",
      content: 'export const tickets = sqliteTable("tickets", {});\n',
    },
    {
      path: "src/schema/job-log.ts",
      content: 'export const jobLog = sqliteTable(\n  "job_log",\n  {});\n',
    },
    snapshot("0001", { text: column("text") }),
    snapshot("0000", {}),
  ]);
  assertEquals(found?.map(({ name, hasRoutes }) => [name, hasRoutes]), [["tickets", true], [
    "jobLog",
    false,
  ]]);
  const log = found?.[1];
  assertEquals(log?.primaryKey, "id");
  assertEquals(log?.columns.map(({ name, references }) => [name, references?.table ?? null]), [
    ["id", null],
    ["ticket_id", "tickets"],
    ["text", null],
  ]);
});

Deno.test("a project without a registry has no diagram", () => {
  assertEquals(resourcesIn([{ path: "openapi.json", content: "{}" }]), null);
});

Deno.test("boxes do not overlap, lines that leave and return are both there", () => {
  const boxes = ["a", "b", "c"].map((id) => ({ id, width: 100, height: 60 }));
  const lines = [
    { from: "a", to: "b", label: "one" },
    { from: "a", to: "b", label: "two" },
    { from: "b", to: "a", label: "" },
    { from: "c", to: "c", label: "itself" },
  ];
  const layout = laidOut(boxes, lines);
  assertEquals(layout.lines.map(({ line }) => line), lines);
  assertEquals(layout.lines.map(({ label }) => label !== null), [true, true, false, true]);
  const places = [...layout.boxes.values()];
  for (const [at, one] of places.entries()) {
    for (const other of places.slice(at + 1)) {
      assert(Math.abs(one.x - other.x) >= 100 || Math.abs(one.y - other.y) >= 60);
    }
  }
  assertEquals(laidOut(boxes, lines), layout);
});
