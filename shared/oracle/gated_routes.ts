/** Describes the routes of the service itself, which a gate decides and no record (contract 4.5–4.7, 5.3, 5.5). */
import type { RuntimeCode } from "../contract/mod.ts";
import type { Principal, ProjectModel } from "../model/mod.ts";
import { accountRoutesOf, fileAddressOperationsOf, systemRoutesOf } from "../surface/mod.ts";
import type { AuthOperation, RoleRule, SystemRoute } from "../surface/mod.ts";
import { isHeld } from "./judge.ts";

interface Gate {
  /** Description for people. */
  readonly text: string;
  /** The setting that causes the gate; null: the gate is always present. */
  readonly setting: string | null;
  /** Returns the code of the refusal; null: the gate admits the caller. */
  refusalOf(caller: Principal): RuntimeCode | null;
}

export interface GatedRoute {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly gate: Gate;
  /** True for a route that the accounts of the API answer, or that serves one account. */
  readonly ofAccounts: boolean;
  /** The code that refuses a path whose parameter identifies nothing. */
  readonly miss: RuntimeCode;
  /** Record of the account route; null: the route is none. */
  readonly account: AuthOperation | null;
}

export function gatedRoutesOf(model: ProjectModel): readonly GatedRoute[] {
  const system = [...systemRoutesOf(model), ...fileAddressOperationsOf(model)];
  return [
    ...system.map((route) => ({
      ...gated(route, { ...gateOf(route, model), setting: route.setting }, route.miss),
      ofAccounts: route.ofAccounts,
    })),
    ...accountRoutesOf(model).map((account) => {
      const gate = account.who === "session" ? SESSION : OPEN;
      return { ...gated(account, gate, "NOT_FOUND"), ofAccounts: true, account };
    }),
  ];
}

function gated(
  { id, method, path }: { readonly id: string; readonly method: string; readonly path: string },
  gate: Gate,
  miss: RuntimeCode,
): GatedRoute {
  return { operationId: id, method, path, gate, ofAccounts: false, miss, account: null };
}

const OPEN: Gate = { text: "anyone", setting: null, refusalOf: () => null };

const ANYONE_KNOWN: Gate = {
  text: "any signed-in caller",
  setting: null,
  refusalOf: ({ credential }) => credential === "none" ? "AUTH_MISSING" : null,
};

/** Gate of routes that need a cookie. Classes of callers with tokens never have one. */
const SESSION: Gate = {
  text: "a session cookie",
  setting: null,
  refusalOf: ({ credential }) =>
    credential === "none"
      ? "AUTH_MISSING"
      : credential === "session"
      ? null
      : "AUTH_SESSION_REQUIRED",
};

function gateOf({ who, rule, open }: SystemRoute, { multiTenant }: ProjectModel): Gate {
  if (rule !== null) return gateOfRule(rule, multiTenant);
  if (who === "unasked") return open === null ? OPEN : { ...OPEN, text: open };
  return who === "session" ? SESSION : ANYONE_KNOWN;
}

function gateOfRule(rule: RoleRule, multiTenant: boolean): Gate {
  const { roles, outside, isOfSession = false, takesNarrowed = false } = rule;
  return {
    text: textOf(rule),
    setting: null,
    refusalOf(caller) {
      const isOutside = caller.organizationId === null;
      if (caller.credential === "none") return "AUTH_MISSING";
      if (isOfSession && !isHeld("SESSION", caller)) return "AUTH_SESSION_REQUIRED";
      if (isOfSession && multiTenant && isOutside) return "ACCESS_NO_ORG";
      // No permission names this route.
      if (!takesNarrowed && caller.grants !== undefined) return "ACCESS_ROLE_REQUIRED";
      const isAdmitted = isOutside && outside === "account"
        ? caller.userId !== null
        : (isOutside && outside !== "account" ? outside : roles).some((role) =>
          isHeld(role, caller)
        );
      return isAdmitted ? null : "ACCESS_ROLE_REQUIRED";
    },
  };
}

function textOf({ roles, outside, isOfSession, takesNarrowed }: RoleRule): string {
  if (takesNarrowed) return roles.toSorted().join(" or ");
  const named = `one of the roles ${roles.join(", ")}`;
  if (isOfSession) return `a session with ${named}`;
  return outside === "account" ? `${named}, or the user outside of organizations` : named;
}
