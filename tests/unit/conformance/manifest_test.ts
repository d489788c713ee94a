/** What the conformance manifest says of the helpdesk: one row per rule of contract 5.4 and 7.2 that its definitions use. */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { conformanceEntries } from "../../../shared/oracle/manifest.ts";
import { actionOperationsOf } from "../../../shared/surface/action_operations.ts";
import { authOperationsOf } from "../../../shared/surface/auth_operations.ts";
import { operationsOf } from "../../../shared/surface/operations.ts";
import { serviceOperationsOf } from "../../../shared/surface/service_operations.ts";
import { webhookOperationsOf } from "../../../shared/surface/webhook_operations.ts";
import { projectFiles } from "../../support/sample_files.ts";

const HELPDESK = new URL("../../../examples/helpdesk/", import.meta.url);

const validation = validate(await projectFiles(HELPDESK));
assert(validation.ok);
const { model } = validation;
const entries = conformanceEntries(model);

/** `operation principal → outcome status code`. */
const ROWS: readonly (readonly [operation: string, principal: string, expected: string])[] = [
  ["listArticles", "anonymous", "conditional - -"],
  ["createArticles", "anonymous", "refused 401 AUTH_MISSING"],
  ["createArticles", "role:customer", "refused 403 ACCESS_ROLE_REQUIRED"],
  ["listTickets", "role:agent", "admitted - -"],
  ["listTickets", "role:customer", "conditional - -"],
  ["listTickets", "outsider", "refused 403 ACCESS_NO_ORG"],
  ["getTickets", "role:customer", "conditional 403 ACCESS_CONDITION_FAILED"],
  ["updateTickets", "member", "refused 403 ACCESS_ROLE_REQUIRED"],
  ["deleteTickets", "role:agent", "refused 403 ACCESS_ROLE_REQUIRED"],
  ["deleteTickets", "role:admin", "admitted - -"],
  ["runTickets_Resolve", "anonymous", "refused 401 AUTH_MISSING"],
  ["serviceOpenApi", "scope", "admitted - -"],
  ["serviceToken", "apiKey", "refused 401 AUTH_SESSION_REQUIRED"],
  ["serviceToken", "anonymous", "refused 401 AUTH_MISSING"],
  ["serviceHealth", "anonymous", "admitted - -"],
];

for (const [operation, principal, expected] of ROWS) {
  Deno.test(`the manifest lets ${principal} meet ${operation} with ${expected}`, () => {
    const entry = entries.find((one) =>
      one.operationId === operation && one.principal === principal
    );
    assertEquals(
      entry && `${entry.outcome} ${entry.status ?? "-"} ${entry.code ?? "-"}`,
      expected,
    );
  });
}

Deno.test("the manifest has every route for every class of caller, once", () => {
  const ids = [
    ...operationsOf(model),
    ...actionOperationsOf(model),
    ...serviceOperationsOf(model),
    ...webhookOperationsOf(model),
    ...authOperationsOf(model),
  ].map(({ id }) => id);
  const principals = new Set(entries.map(({ principal }) => principal));
  const keys = entries.map(({ operationId, principal }) => `${operationId} ${principal}`);
  assertEquals(new Set(keys).size, keys.length);
  assertEquals(keys.length, ids.length * principals.size);
});

Deno.test("a rule names its place in the definitions", () => {
  const entry = entries.find(({ operationId }) => operationId === "viewTickets_Queue");
  assertEquals(entry?.rule.path, "read.views.queue.access");
  assertEquals(entry?.rule.file, "quickback/features/tickets/tickets.ts");
});
