import { assertEquals } from "@std/assert";
import { refusalOf, writableColumns, type WriteVerb } from "../../../shared/surface/writable.ts";
import { articles, customers, model, tickets } from "../../support/sample_model.ts";

const [ARTICLES, CUSTOMERS, TICKETS] = model.resources;

Deno.test("refusalOf() names why a field cannot be written", () => {
  if (!TICKETS) throw new Error("The sample has no tickets");
  const rows: readonly (readonly [WriteVerb, string, string | null])[] = [
    ["create", "subject", null],
    ["update", "subject", null],
    ["create", "customerId", null],
    ["update", "customerId", "GUARD_FIELD_IMMUTABLE"],
    ["update", "status", "GUARD_FIELD_NOT_UPDATABLE"],
    ["create", "limit", "GUARD_FIELD_NOT_CREATEABLE"],
    ["create", "phone", "GUARD_FIELD_PROTECTED"],
    ["update", "phone", "GUARD_FIELD_PROTECTED"],
    ["create", "nope", "GUARD_FIELD_NOT_CREATEABLE"],
    ["update", "nope", "GUARD_FIELD_NOT_UPDATABLE"],
    ["upsert", "nope", "GUARD_FIELD_NOT_CREATEABLE"],
    ["create", "constructor", "GUARD_FIELD_NOT_CREATEABLE"],
    ["create", "__proto__", "GUARD_FIELD_NOT_CREATEABLE"],
    ["create", "customer_label", "GUARD_FIELD_NOT_CREATEABLE"],
    ["create", "id", "GUARD_SYSTEM_MANAGED"],
    ["update", "createdAt", "GUARD_SYSTEM_MANAGED"],
    ["update", "deletedBy", "GUARD_SYSTEM_MANAGED"],
    ["create", "organizationId", "GUARD_SYSTEM_MANAGED"],
    ["update", "revision", "GUARD_SYSTEM_MANAGED"],
  ];
  for (const [verb, field, code] of rows) {
    assertEquals(refusalOf(verb, field, TICKETS, tickets), code, `${verb} ${field}`);
  }
});

Deno.test("a client's id is writable on create only, where the table allows it", () => {
  if (!ARTICLES) throw new Error("The sample has no articles");
  assertEquals(refusalOf("create", "id", ARTICLES, articles), null);
  assertEquals(refusalOf("update", "id", ARTICLES, articles), "GUARD_SYSTEM_MANAGED");
  assertEquals(refusalOf("upsert", "id", ARTICLES, articles), "GUARD_SYSTEM_MANAGED");
});

Deno.test("without guards every client column is writable, and no other", () => {
  if (!CUSTOMERS) throw new Error("The sample has no customers");
  const names = writableColumns("update", CUSTOMERS, customers).map((column) => column.name);
  assertEquals(names, ["name", "email", "phone", "tier", "balance"]);
});
