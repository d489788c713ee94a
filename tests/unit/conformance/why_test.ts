/** Which layer decides about a request of the helpdesk, by which line of its definitions, on which values (docs/proof.md, why). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { why } from "../../../proof/why/why.ts";
import type { WhyQuestion } from "../../../proof/why/why_question.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { projectFiles } from "../../support/sample_files.ts";

const files = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
const validation = validate(files);
assert(validation.ok);

const CUSTOMER: Principal = {
  ...ANONYMOUS,
  credential: "token",
  userId: "u1",
  organizationId: "org_1",
  roles: ["customer"],
};
const AGENT: Principal = { ...CUSTOMER, roles: ["agent"] };
const OUTSIDER: Principal = { ...AGENT, organizationId: null };
const OWN = { organizationId: "org_1", createdBy: "u1", status: "open" };

interface Case {
  readonly ask: string;
  readonly caller: Principal;
  readonly row?: WhyQuestion["row"];
  readonly body?: Readonly<Record<string, unknown>>;
  /** `status code layer`: of the last step. */
  readonly expected: string;
  /** Of the last step, as its author wrote it; null: no definition says so. */
  readonly line: string | null;
  /** What fails there. */
  readonly fails?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a path that nobody has": {
    ask: "GET /api/v1/tickts",
    caller: AGENT,
    expected: "404 ROUTE_NOT_FOUND route",
    line: null,
  },
  "a method that the path does not have": {
    ask: "PUT /api/v1/tickets/t1",
    caller: AGENT,
    expected: "405 METHOD_NOT_ALLOWED route",
    line: null,
  },
  "nobody": {
    ask: "GET /api/v1/tickets",
    caller: ANONYMOUS,
    expected: "401 AUTH_MISSING authentication",
    line: "access: {",
  },
  "a caller without an organization": {
    ask: "GET /api/v1/tickets",
    caller: OUTSIDER,
    expected: "403 ACCESS_NO_ORG firewall",
    line: 'organizationId: q.scope("organization"),',
  },
  "a role that is missing": {
    ask: "DELETE /api/v1/tickets/t1",
    caller: CUSTOMER,
    row: OWN,
    expected: "403 ACCESS_ROLE_REQUIRED access",
    line: 'delete: { access: { roles: ["admin+"] } },',
  },
  "another tenant's row": {
    ask: "GET /api/v1/tickets/t1",
    caller: AGENT,
    row: { ...OWN, organizationId: "org_2" },
    expected: "403 FIREWALL_NOT_FOUND firewall",
    line: 'organizationId: q.scope("organization"),',
    fails: ["organizationId equals ctx.activeOrgId: org_2 against org_1"],
  },
  "a row that is not there": {
    ask: "GET /api/v1/tickets/t1",
    caller: AGENT,
    row: null,
    expected: "403 FIREWALL_NOT_FOUND firewall",
    line: 'organizationId: q.scope("organization"),',
  },
  "the caller's own deleted row": {
    ask: "GET /api/v1/tickets/t1",
    caller: AGENT,
    row: { ...OWN, deletedAt: "2026-01-01T00:00:00.000Z" },
    expected: "403 FIREWALL_SOFT_DELETED firewall",
    line: 'export default feature("tickets", {',
    fails: ["deletedAt equals null: 2026-01-01T00:00:00.000Z against null"],
  },
  "a record condition": {
    ask: "GET /api/v1/tickets/t1",
    caller: CUSTOMER,
    row: { ...OWN, createdBy: "u2" },
    expected: "403 ACCESS_OWNERSHIP_REQUIRED access",
    line: '{ roles: ["customer"], record: { createdBy: { equals: "$ctx.userId" } } },',
    fails: ["createdBy equals ctx.userId: u2 against u1"],
  },
  "a field that only actions write": {
    ask: "PATCH /api/v1/tickets/t1",
    caller: AGENT,
    row: OWN,
    body: { subject: "x", status: "resolved" },
    expected: "400 GUARD_FIELD_PROTECTED guards",
    line: 'protected: { status: ["resolve", "reopen"], resolvedAt: ["resolve", "reopen"] },',
  },
  "a field that stays as it was created": {
    ask: "PATCH /api/v1/tickets/t1",
    caller: AGENT,
    row: OWN,
    body: { channel: "web" },
    expected: "400 GUARD_FIELD_IMMUTABLE guards",
    line: 'immutable: ["customerId", "channel"],',
  },
  "a field that nobody has": {
    ask: "POST /api/v1/tickets",
    caller: AGENT,
    body: { colour: "red" },
    expected: "400 GUARD_FIELD_NOT_CREATEABLE guards",
    line: 'createable: ["customerId", "subject", "description", "channel", "priority", "dueAt"],',
  },
  "a field that the service writes": {
    ask: "POST /api/v1/tickets",
    caller: AGENT,
    body: { organizationId: "org_2" },
    expected: "400 GUARD_SYSTEM_MANAGED guards",
    line: 'organizationId: q.scope("organization"),',
  },
  "a move from a state that has none": {
    ask: "POST /api/v1/tickets/t1/reopen",
    caller: AGENT,
    row: { ...OWN, status: "open" },
    expected: "409 ACCESS_ACTION_NOT_ALLOWED_FOR_STATE access",
    line: "transition: {",
    fails: ["status moves from: open against resolved"],
  },
  "a move that was made before": {
    ask: "POST /api/v1/tickets/t1/resolve",
    caller: AGENT,
    row: { ...OWN, status: "resolved" },
    expected: "200 - access",
    line: "transition: {",
    fails: ["status moves from: resolved against open,pending"],
  },
  "a request that nothing refuses": {
    ask: "GET /api/v1/tickets/t1",
    caller: CUSTOMER,
    row: OWN,
    expected: "200 - access",
    line: '{ roles: ["customer"], record: { createdBy: { equals: "$ctx.userId" } } },',
  },
  "a route of the service": {
    ask: "POST /api/v1/token",
    caller: AGENT,
    expected: "401 AUTH_SESSION_REQUIRED authentication",
    line: null,
  },
};

function answered({ ask, caller, row, body = {} }: Case) {
  const [method = "", path = ""] = ask.split(" ");
  const sent = Object.keys(body).length === 0 ? null : body;
  assert(validation.ok);
  return why({ method, path, caller, namedOrganization: null, row, body: sent }, validation);
}

function lineAt(place: { readonly file: string; readonly line: number } | null): string | null {
  if (place === null) return null;
  return files[place.file]?.split("\n")[place.line - 1]?.trim() ?? "";
}

for (const [sentence, asked] of Object.entries(CASES)) {
  Deno.test(`why() tells what decides about ${sentence}`, () => {
    const { status, code, steps } = answered(asked);
    const last = steps.at(-1);
    assertEquals(`${status} ${code ?? "-"} ${last?.layer}`, asked.expected);
    assertEquals(lineAt(last?.place ?? null), asked.line);
    const failed = last?.compared.filter(({ holds }) => !holds) ?? [];
    assertEquals(
      failed.map(({ condition, actual, wanted }) => `${condition}: ${actual} against ${wanted}`),
      asked.fails ?? [],
    );
  });
}

Deno.test("why() tells whether a row is in a list, which refuses nobody for it", () => {
  const ask = { ask: "GET /api/v1/tickets", caller: CUSTOMER, expected: "", line: null };
  assertEquals(answered({ ...ask, row: OWN }).isListed, true);
  const other = answered({ ...ask, row: { ...OWN, createdBy: "u2" } });
  assertEquals([other.status, other.code, other.isListed], [200, null, false]);
  assertEquals(answered(ask).isListed, null);
});

Deno.test("why() tells what is still asked of a row that is not known", () => {
  const rulesFor = (caller: Principal) =>
    answered({ ask: "GET /api/v1/tickets/t1", caller, expected: "", line: null })
      .open.map(({ rule }) => rule.split(" ")[0]);
  assertEquals(rulesFor(AGENT), ["organizationId", "deletedAt"]);
  assertEquals(rulesFor(CUSTOMER), ["organizationId", "deletedAt", "one"]);
});

Deno.test("why() tells which columns are masked, for whom not, and where that is said", () => {
  const masks = answered({
    ask: "GET /api/v1/customers",
    caller: AGENT,
    expected: "",
    line: null,
  }).masks;
  assertEquals(
    masks.map(({ column, shown, rule, place }) => [column, shown, rule, lineAt(place)]),
    [
      [
        "email",
        "masked",
        "shown to admin, owner",
        'email: { type: "email", show: { roles: ["admin", "owner"] } },',
      ],
      [
        "phone",
        "byRow",
        "shown to admin, owner, the row's owner (createdBy)",
        'phone: { type: "phone", show: { roles: ["admin", "owner"], or: "owner" } },',
      ],
    ],
  );
});
