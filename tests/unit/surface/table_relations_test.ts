/** Names of what belongs to a row (definitions 5). */
import { assertEquals } from "@std/assert";
import { column } from "../../../shared/model/table_spec.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import { tableRelations } from "../../../shared/compiler/phases/6-emit/schema_modules.ts";
import { customers } from "../../support/sample_model.ts";

/** A table with these foreign keys, and with these columns beside them. */
function table(
  name: string,
  keys: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): TableModel {
  const type = { kind: "text", maxLength: null, enum: null } as const;
  return {
    ...customers,
    name,
    columns: [
      ...others.map((other) => column({ name: other, type })),
      ...Object.entries(keys).map(([key, parent]) =>
        column({
          name: key,
          type,
          references: { table: parent, column: "id", onDelete: null },
        })
      ),
    ],
  };
}

const CASES: readonly {
  readonly name: string;
  readonly tables: readonly TableModel[];
  readonly gives: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    name: "a key without its ending, and the child's name back",
    tables: [table("customers", {}), table("tickets", { customerId: "customers" })],
    gives: { customers: ["many tickets"], tickets: ["one customer"] },
  },
  {
    name: "two keys to one parent, named apart on the way back",
    tables: [table("users", {}), table("tasks", { madeById: "users", doneById: "users" })],
    gives: {
      users: ["many tasksByDoneById", "many tasksByMadeById"],
      tasks: ["one doneBy", "one madeBy"],
    },
  },
  {
    name: "a table that refers to itself",
    tables: [table("pages", { parentId: "pages" })],
    gives: { pages: ["many pagesByParentId", "one parent"] },
  },
  {
    name: "names that columns have already",
    tables: [
      table("customers", {}, ["tickets"]),
      table("tickets", { customerId: "customers", id2: "customers" }, ["customer"]),
    ],
    gives: {
      customers: ["many ticketsByCustomerId", "many ticketsById2"],
      tickets: ["one customerRow", "one id2Row"],
    },
  },
];

for (const { name, tables, gives } of CASES) {
  Deno.test(`tableRelations(): ${name}`, () => {
    const found = [...tableRelations(tables)].map(([table, relations]) =>
      [table, relations.map((relation) => `${relation.kind} ${relation.name}`)] as const
    );
    assertEquals(Object.fromEntries(found), gives);
  });
}
