/** `GET {authBase}/security-events` (docs/decisions/accounts.md, "Security events"). Refuses with `ACCESS_ROLE_REQUIRED` and `VALIDATION_INVALID_INPUT`. */
import type { JsonValue } from "../../model/mod.ts";
import { type SecurityEventRow, selectSecurityEvents } from "../data/security_events.ts";
import type { Admitted } from "../gate.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireQuery } from "../refusal.ts";
import { answerPage } from "../webhooks/webhook_call.ts";
import { CURSOR_PARAMETERS, describedQuery } from "../../surface/mod.ts";

/** Every account, for `sysadmin`. */
const ALL = "*";

export async function listSecurityEvents(request: Admitted): Promise<Response> {
  const { database, principal, search } = request;
  const sent = new URLSearchParams(search);
  const userId = sent.get("userId") ?? principal.userId ?? "";
  if (userId !== principal.userId) requireRole(OF_OTHERS, principal);
  const query = requireQuery(PAGES, search);
  const scope = { kind: "user", id: userId } as const;
  return await answerPage({ request, scope, query, list: "security-events" }, {
    select: (page) => selectSecurityEvents(database, userId === ALL ? null : userId, page),
    recordOf,
  });
}

const OF_OTHERS = {
  access: { kind: "roles", roles: ["sysadmin"] },
  grant: null,
} as const;

const PAGES = {
  // As on every account route.
  strays: "ignored",
  query: describedQuery(
    CURSOR_PARAMETERS.map(({ name, schema }) => ({ name, in: "query", schema })),
  ),
} as const;

function recordOf(row: SecurityEventRow): Readonly<Record<string, JsonValue>> {
  const { id, userId, kind, createdAt: at, address, device, details } = row;
  return { id, userId, kind, at, address, device, details: JSON.parse(details) };
}
