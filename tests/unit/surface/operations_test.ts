import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { ResourceModel, ViewModel } from "../../../shared/model/resource.ts";
import { operationsOf } from "../../../shared/surface/operations.ts";
import { callerKey, resourceBucket } from "../../../shared/surface/rate_buckets.ts";
import { model } from "../../support/sample_model.ts";

const listed = (project: ProjectModel) =>
  operationsOf(project).map(({ id, method, path, rate }) => `${id} ${method} ${path} ${rate}`);

Deno.test("every operation that the model has is listed, and no other", () => {
  assertEquals(listed(model), [
    "listArticles GET /api/v1/articles read",
    "getArticles GET /api/v1/articles/:id read",
    "viewArticles_Titles GET /api/v1/articles/views/titles read",
    "createArticles POST /api/v1/articles create",
    "listCustomers GET /api/v1/customers read",
    "getCustomers GET /api/v1/customers/:id read",
    "createCustomers POST /api/v1/customers create",
    "updateCustomers PATCH /api/v1/customers/:id update",
    "listTickets GET /api/v1/tickets read",
    "getTickets GET /api/v1/tickets/:id read",
    "viewTickets_Board GET /api/v1/tickets/views/board read",
    "viewTickets_Calls GET /api/v1/tickets/views/calls read",
    "createTickets POST /api/v1/tickets create",
    "updateTickets PATCH /api/v1/tickets/:id update",
    "deleteTickets DELETE /api/v1/tickets/:id delete",
  ]);
});

Deno.test("v2 moves every path and keeps every id", () => {
  assertEquals(
    listed({ ...model, contract: "v2" }),
    listed(model).map((line) => line.replace("/api/v1/", "/api/v2/")),
  );
});

Deno.test("a bare collection with a default view answers with it, under its access", () => {
  const list = operationsOf(model).find(({ id }) => id === "listArticles");
  assertEquals(list?.view?.name, "titles");
});

Deno.test("operation ids stay apart, however names meet", () => {
  const [first] = model.resources;
  const view = first?.read?.views[0];
  if (!first || !first.read || !view) throw new Error("The sample has no view");
  const { read } = first;
  const resource = (name: string, views: readonly string[]): ResourceModel => ({
    ...first,
    name,
    segment: name,
    read: {
      ...read,
      views: views.map((viewName): ViewModel => ({ ...view, name: viewName, segment: viewName })),
    },
  });
  const ids = operationsOf({
    ...model,
    resources: [
      resource("ticket", ["commentsOpen", "open"]),
      resource("ticketComments", ["open"]),
      resource("a1", ["b"]),
      resource("a_1", ["b"]),
    ],
  }).map(({ id }) => id);
  assertEquals(ids, [...new Set(ids)]);
});

Deno.test("rate buckets count a user, else an address, else all anonymous callers", () => {
  assertEquals(callerKey("user_1", "203.0.113.7"), "user_1");
  assertEquals(callerKey(null, "203.0.113.7"), "203.0.113.7");
  assertEquals(callerKey(null, null), "anon");
  assertEquals(resourceBucket("tickets", "read", "anon"), "tickets:read:anon");
});
