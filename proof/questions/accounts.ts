/**
 * Probes of account routes (definitions 7, "account routes"): refusals by role and by form, and successes that change nothing.
 * A caller without access is refused for every body.
 */
import type { JsonValue, Principal } from "../../shared/model/mod.ts";
import { accountRefusalOf } from "../../shared/oracle/account_routes.ts";
import type { GatedRoute } from "../../shared/oracle/gated_routes.ts";
import type { AuthOperation } from "../../shared/surface/mod.ts";
import { addressOf, type Attempt, type Planning, probeOf } from "./planning.ts";
import { type Expectation, type Probe, refused } from "./question.ts";

/** Member that no body of an account route has. */
const STRANGE: JsonValue = { conformance: 1 };

interface Asking {
  readonly route: GatedRoute;
  readonly account: AuthOperation;
  readonly planning: Planning;
}

/** Returns the probes for a caller with a session. */
export function accountProbes(route: GatedRoute, planning: Planning): readonly Probe[] {
  const { account } = route;
  if (account === null) return [];
  const asking = { route, account, planning };
  const refusal = accountRefusalOf(account, planning.world.caller);
  if (refusal === null) return [...formProbes(route, planning), ...successes(asking)];
  const expected: Expectation = { kind: "status", ...refusal };
  return [
    probe(asking, "ask without the role", { body: unnamed(account), expected }),
    ...(account.body === null
      ? []
      : [probe(asking, "ask without the role, with a wrong body", { body: STRANGE, expected })]),
  ];
}

/** Returns the example body without an organization, so that the active one is used. */
function unnamed({ bodyExample, role }: AuthOperation): JsonValue {
  const names: readonly string[] = role?.kind === "organization" ? role.names : [];
  const members = Object.entries(bodyExample).filter(([name]) => !names.includes(name));
  return Object.fromEntries(members);
}

/**
 * Returns requests that the route's own form forbids, from a caller who has access: the account library never receives them.
 */
export function formProbes(route: GatedRoute, planning: Planning): readonly Probe[] {
  const { account } = route;
  if (account === null) return [];
  const asking = { route, account, planning };
  if (account.body !== null) {
    const expected = refused("VALIDATION_ERROR");
    return [probe(asking, "send an unknown member", { body: STRANGE, expected })];
  }
  const query = repeatedParameter(account, planning.world.caller);
  if (query === null) return [];
  const expected = refused("VALIDATION_INVALID_INPUT");
  return [probe(asking, "repeat a parameter", { query, expected })];
}

/** Repeats a parameter of the query; null: the route has none that this caller could name. */
function repeatedParameter(
  { query, role }: AuthOperation,
  { organizationId }: Principal,
): string | null {
  const naming: readonly string[] = role?.kind === "organization" ? role.names : [];
  const names = query.map(({ name }) => name);
  const plain = names.find((name) => !naming.includes(name));
  if (plain !== undefined) return `${plain}=1&${plain}=1`;
  if (organizationId === null || !names.includes("organizationId")) return null;
  const named = `organizationId=${encodeURIComponent(organizationId)}`;
  return `${named}&${named}`;
}

function successes({ account, ...asking }: Asking): readonly Probe[] {
  if (!account.isRepeatable) return [];
  const expected: Expectation = { kind: "status", status: 200, code: null };
  return [probe({ account, ...asking }, "ask", { body: unnamed(account), expected })];
}

function probe(
  { route, account, planning }: Asking,
  purpose: string,
  { body, query, expected }: Pick<Attempt, "expected"> & {
    readonly body?: JsonValue;
    readonly query?: string;
  },
): Probe {
  const address = addressOf({ path: route.path }, {}, planning);
  const path = query === undefined ? address : `${address}?${query}`;
  const { method } = route;
  const request = account.body === null || body === undefined
    ? { method, path }
    : { method, path, body };
  const because = route.gate.text;
  return probeOf("description", route, { purpose, request, expected, because }, planning);
}
