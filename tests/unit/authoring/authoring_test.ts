import { assert, assertEquals } from "@std/assert";
import * as authoring from "../../../shared/authoring/mod.ts";
import {
  type ColumnReference,
  defineConfig,
  defineDatabase,
  defineTable,
  feature,
  q,
} from "../../../shared/authoring/mod.ts";
import {
  AUTHORING_TYPES,
  AUTHORING_VALUES,
} from "../../../shared/compiler/phases/3-evaluate/authoring_symbols.ts";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const customers = feature("customers", { columns: { id: q.id(), name: q.text().required() } });

Deno.test("feature() gives one reference per column, implied columns included", () => {
  const jobs = feature("jobs", {
    columns: {
      title: q.text({ maxLength: 200 }).required(),
      status: q.enum(["open", "done"]).default("open"),
      customerId: q.text().references(() => customers.id, { onDelete: "set null" }),
    },
  });
  const status: ColumnReference<"open" | "done"> = jobs.status;
  assertEquals(status, { kind: "column", table: "jobs", column: "status" });
  assertEquals(Object.keys(jobs).slice(0, 4), ["id", "title", "status", "customerId"]);
  assertEquals(jobs.deletedAt.column, "deletedAt");
  assertEquals(JSON.parse(JSON.stringify(jobs)), jobs);
});

Deno.test("a column is inert data, and a modifier makes another", () => {
  const title = q.text({ maxLength: 9 });
  const required = title.required().protected("close", "reopen");
  assertEquals(title.definition, { type: "text", options: { maxLength: 9 }, modifiers: [] });
  assertEquals(required.definition.modifiers, [
    { name: "required", args: [] },
    { name: "protected", args: ["close", "reopen"] },
  ]);
});

Deno.test("defineTable() takes a table of q and one of drizzle, and gives it back", () => {
  const sites = q.table("sites", { id: q.id(), at: q.timestamp().defaultNow() });
  const users = sqliteTable("users", { id: text("id").primaryKey(), age: integer("age") });
  assertEquals(defineTable(sites, { guards: { createable: ["at"] } }).at, sites.at);
  assert(defineTable(users, { guards: { createable: ["age", "createdAt"] } }) === users);
});

Deno.test("the type checker refuses what the compiler would refuse", () => {
  // @ts-expect-error a misspelt key
  feature("a", { columns: { id: q.id() }, raed: {} });
  // @ts-expect-error a column that is not there
  feature("a", { columns: { id: q.id() }, guards: { createable: ["titel"] } });
  // @ts-expect-error a default that is not in the list
  q.enum(["open", "done"]).default("late");
  // @ts-expect-error only timestamps default to now
  q.text().defaultNow();
  // @ts-expect-error a reference to a column that is not there
  q.text().references(() => customers.nme);
  // @ts-expect-error an unknown deletion rule
  q.text().references(() => customers.id, { onDelete: "drop" });
  // @ts-expect-error an unknown strategy
  defineDatabase("libsql", { generateId: "guid" });
  // @ts-expect-error a configuration without a name
  assertEquals(defineConfig({}), {});
});

Deno.test("the compiler knows every name that the module exports", () => {
  const known = [...AUTHORING_VALUES, ...AUTHORING_TYPES];
  assertEquals(Object.keys(authoring).filter((name) => !known.includes(name)), []);
  const source = Deno.readTextFileSync(
    new URL("../../../shared/authoring/mod.ts", import.meta.url),
  );
  const types = [...source.matchAll(/^export type \{([^}]+)\}|\btype (\w+)/gm)]
    .flatMap(([, list, name]) => list?.split(",").map((one) => one.trim()) ?? [name ?? ""])
    .filter((name) => name !== "");
  assertEquals(types.filter((name) => !known.includes(name)), []);
  assert(types.length > 5);
});
