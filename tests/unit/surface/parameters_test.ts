import { assertEquals } from "@std/assert";
import { parametersOf } from "../../../shared/surface/parameters.ts";
import { operationsOf } from "../../../shared/surface/operations.ts";
import { model, operationNamed } from "../../support/sample_model.ts";

const namesOf = (id: string) =>
  parametersOf(operationNamed(id), model).map((parameter) => parameter.name);

Deno.test("a view without allow-lists takes the columns that it shows", () => {
  const text = (name: string) =>
    ["", ".ne", ".gt", ".gte", ".lt", ".lte", ".like", ".ilike", ".in", ".nin", ".null"]
      .map((end) => name + end);
  assertEquals(namesOf("viewTickets_Calls"), [
    "limit",
    "offset",
    "sort",
    "order",
    "fields",
    "total",
    "search",
    "starting_after",
    "ending_before",
    "where",
    ...text("subject"),
    ...text("phone"),
  ]);
});

Deno.test("a column named like a parameter is filtered by its operators only", () => {
  const limits = namesOf("listTickets").filter((name) => name.startsWith("limit"));
  assertEquals(limits, [
    "limit",
    "limit.ne",
    "limit.gt",
    "limit.gte",
    "limit.lt",
    "limit.lte",
    "limit.in",
    "limit.nin",
    "limit.null",
  ]);
});

Deno.test("single reads take fields, what they may include and the PUBLIC scope, writes nothing", () => {
  assertEquals(namesOf("getArticles"), ["fields", "organizationId"]);
  assertEquals(namesOf("getTickets"), ["fields", "include", "fields[customerId]"]);
  for (const id of ["createTickets", "updateTickets", "deleteTickets"]) {
    assertEquals(namesOf(id), [], id);
  }
});

Deno.test("no operation has two parameters of one name", () => {
  for (const operation of operationsOf(model)) {
    const names = parametersOf(operation, model).map((parameter) => parameter.name);
    assertEquals(names, [...new Set(names)], operation.id);
  }
});
