import { assert, assertEquals } from "@std/assert";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import { byStatus, codesOf } from "../../../shared/surface/responses.ts";
import { model, operationNamed } from "../../support/sample_model.ts";

type Refusals = Readonly<Record<number, readonly string[]>>;

function refusals(id: string, project: ProjectModel = model): Refusals {
  return Object.fromEntries(byStatus(codesOf(operationNamed(id, project), project)));
}

const READ: Refusals = {
  400: ["HOST_INVALID", "VALIDATION_INVALID_INPUT"],
  401: ["AUTH_EXPIRED", "AUTH_INVALID_TOKEN", "AUTH_MISSING", "AUTH_RATE_LIMITED"],
  403: ["ACCESS_NO_ORG", "ACCESS_ROLE_REQUIRED", "FIREWALL_ORG_ISOLATION"],
  429: ["RATE_LIMITED"],
  500: ["INTERNAL_ERROR"],
  503: ["DATABASE_UNAVAILABLE", "STATEMENT_TIMEOUT"],
};

Deno.test("a list is refused by its layers and by nothing else", () => {
  assertEquals(refusals("listCustomers"), READ);
  assertEquals(refusals("listTickets"), { ...READ, 404: ["NOT_FOUND"] });
});

Deno.test("a PUBLIC read asks for no credentials and no role, but for an organization", () => {
  assertEquals(refusals("listArticles"), {
    400: ["HOST_INVALID", "ORG_REQUIRED", "VALIDATION_INVALID_INPUT"],
    401: ["AUTH_EXPIRED", "AUTH_INVALID_TOKEN", "AUTH_RATE_LIMITED"],
    403: ["ACCESS_NO_ORG", "FIREWALL_ORG_ISOLATION"],
    429: ["RATE_LIMITED"],
    500: ["INTERNAL_ERROR"],
    503: ["DATABASE_UNAVAILABLE", "STATEMENT_TIMEOUT"],
  });
});

Deno.test("a miss is 404 where the firewall hides and 403 where it is revealed", () => {
  assertEquals(refusals("getTickets")[404], ["NOT_FOUND"]);
  // Of a token whose organization was deleted.
  const isolated = ["ACCESS_NO_ORG", "ACCESS_ROLE_REQUIRED", "FIREWALL_ORG_ISOLATION"];
  assertEquals(refusals("getTickets")[403], isolated);
  assertEquals(refusals("getCustomers")[404], undefined);
  assertEquals(refusals("getCustomers")[403], [
    "ACCESS_NO_ORG",
    "ACCESS_ROLE_REQUIRED",
    "FIREWALL_NOT_FOUND",
    "FIREWALL_ORG_ISOLATION",
    "FIREWALL_SOFT_DELETED",
  ]);
});

Deno.test("a write is refused by its guards, its body and its unique values", () => {
  assertEquals(refusals("createTickets"), {
    400: [
      "DB_NOT_NULL_VIOLATION",
      "GUARD_FIELD_NOT_CREATEABLE",
      "GUARD_FIELD_PROTECTED",
      "GUARD_SYSTEM_MANAGED",
      "HOST_INVALID",
      "INVALID_JSON",
      "VALIDATION_ERROR",
      "VALIDATION_INVALID_INPUT",
    ],
    401: ["AUTH_EXPIRED", "AUTH_INVALID_TOKEN", "AUTH_MISSING", "AUTH_RATE_LIMITED"],
    403: [
      "ACCESS_NO_ORG",
      "ACCESS_ROLE_REQUIRED",
      "FIREWALL_ORG_ISOLATION",
      "ORIGIN_FORBIDDEN",
      "QUOTA_EXCEEDED",
    ],
    408: ["REQUEST_TIMEOUT"],
    409: ["IDEMPOTENCY_KEY_IN_FLIGHT"],
    413: ["PAYLOAD_TOO_LARGE"],
    415: ["UNSUPPORTED_MEDIA_TYPE"],
    422: ["IDEMPOTENCY_KEY_REUSED"],
    428: ["PRECONDITION_UNSUPPORTED"],
    429: ["RATE_LIMITED"],
    500: ["DB_INSERT_FAILED", "INTERNAL_ERROR"],
    503: ["DATABASE_UNAVAILABLE", "STATEMENT_TIMEOUT"],
  });
  assertEquals(refusals("createCustomers")[409], [
    "DB_UNIQUE_VIOLATION",
    "IDEMPOTENCY_KEY_IN_FLIGHT",
  ]);
  assertEquals(refusals("createArticles")[409], [
    "DB_UNIQUE_VIOLATION",
    "IDEMPOTENCY_KEY_IN_FLIGHT",
  ]);
  assertEquals(refusals("updateCustomers")[409], [
    "DB_UNIQUE_VIOLATION",
    "IDEMPOTENCY_KEY_IN_FLIGHT",
  ]);
});

Deno.test("row conditions, immutable fields and deletes add their own codes", () => {
  assertEquals(refusals("updateTickets")[403], [
    "ACCESS_CONDITION_FAILED",
    "ACCESS_NO_ORG",
    "ACCESS_OWNERSHIP_REQUIRED",
    "ACCESS_ROLE_REQUIRED",
    "FIREWALL_ORG_ISOLATION",
    "ORIGIN_FORBIDDEN",
  ]);
  assertEquals(refusals("updateTickets")[400]?.includes("GUARD_FIELD_IMMUTABLE"), true);
  assertEquals(refusals("createTickets")[400]?.includes("GUARD_FIELD_IMMUTABLE"), false);
  assertEquals(refusals("deleteTickets")[400], ["HOST_INVALID", "VALIDATION_INVALID_INPUT"]);
  assertEquals(refusals("deleteTickets")[409], ["IDEMPOTENCY_KEY_IN_FLIGHT"]);
});

Deno.test("a record removed for good may still be referred to", () => {
  const hard = changed("customers", {
    delete: {
      access: { kind: "roles", roles: ["admin"] },
      batch: null,
      action: null,
      mode: "hard",
    },
  });
  assertEquals(refusals("deleteCustomers", hard)[409], [
    "DB_REFERENCE_VIOLATION",
    "IDEMPOTENCY_KEY_IN_FLIGHT",
  ]);
});

Deno.test("an API key has an expiry and perhaps a limit, whatever the resource and the tokens have", () => {
  const { rateLimits } = operationNamed("listTickets").resource;
  const unlimited = changed("tickets", { rateLimits: { ...rateLimits, read: null } });
  assertEquals(refusals("listTickets", unlimited)[429], ["RATE_LIMITED"]);
  const cookiesOnly = { ...model, auth: { ...model.auth, jwt: null } };
  assertEquals(refusals("listTickets", cookiesOnly)[401], READ[401]);
});

Deno.test("a project that checks for revoked tokens may be unable to", () => {
  const { jwt } = model.auth;
  assert(jwt);
  const checked = { ...model, auth: { ...model.auth, jwt: { ...jwt, revocationCheck: true } } };
  assertEquals(refusals("listTickets", checked)[503], [
    "AUTH_REVOCATION_UNAVAILABLE",
    "DATABASE_UNAVAILABLE",
    "STATEMENT_TIMEOUT",
  ]);
});

Deno.test("what an anonymous or teamless caller cannot be stamped with refuses a create", () => {
  const scope: TableModel["scope"] = { organization: "organizationId", owner: "o", team: "t" };
  const open = changed("articles", {
    create: { access: { kind: "roles", roles: ["PUBLIC"] }, batch: null, action: null },
  });
  const project = {
    ...open,
    tables: open.tables.map((table) => table.name === "articles" ? { ...table, scope } : table),
  };
  assertEquals(refusals("createArticles", project)[403], [
    "ACCESS_CONDITION_FAILED",
    "ACCESS_NO_ORG",
    "ACCESS_OWNERSHIP_REQUIRED",
    "FIREWALL_ORG_ISOLATION",
    "ORIGIN_FORBIDDEN",
    "QUOTA_EXCEEDED",
  ]);
});

function changed(name: string, rest: Partial<ResourceModel>): ProjectModel {
  const resources = model.resources.map((resource) =>
    resource.name === name ? { ...resource, ...rest } : resource
  );
  return { ...model, resources };
}

Deno.test("a revision anchors conditions on writes of one record, and nowhere else", () => {
  const counting = (revision: string | null): ProjectModel => ({
    ...model,
    tables: model.tables.map((table) => ({ ...table, revision })),
  });
  const counted = counting("revision");
  const uncounted = counting(null);
  for (const id of ["updateTickets", "deleteTickets"]) {
    assertEquals(refusals(id, counted)[412], ["PRECONDITION_FAILED"]);
    assertEquals(refusals(id, uncounted)[412], undefined);
    assertEquals(refusals(id, uncounted)[428], ["PRECONDITION_UNSUPPORTED"]);
  }
  assertEquals(refusals("createTickets", counted)[412], undefined);
  assertEquals(refusals("getTickets", counted)[412], undefined);
  assertEquals(refusals("getTickets", counted)[428], undefined);
});
