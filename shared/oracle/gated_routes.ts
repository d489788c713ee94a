/** The routes of the service itself: a gate decides, and no record (contract 4.5–4.7, 5.3, 5.5). */
import { PLATFORM_ROLES, type RuntimeCode } from "../contract/mod.ts";
import type { Principal, ProjectModel } from "../model/mod.ts";
import type { AuthOperation, ServiceOperation, WebhookOperation } from "../surface/mod.ts";
import { authBaseOf, authOperationsOf, DISCOVERY_PATHS } from "../surface/mod.ts";
import { FILE_ADDRESS_PATH, fileAddressOperationsOf, JOB_ROLES } from "../surface/mod.ts";
import { jobOperationsOf, serviceOperationsOf, webhookOperationsOf } from "../surface/mod.ts";
import { isHeld } from "./judge.ts";

interface Gate {
  /** For people. */
  readonly text: string;
  /** The setting that makes it so; null: it is always so. */
  readonly setting: string | null;
  /** Null: it lets the caller in. */
  refusalOf(caller: Principal): RuntimeCode | null;
}

export interface GatedRoute {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly gate: Gate;
  /** Answered by the accounts of the API, or for one of them alone. */
  readonly ofAccounts: boolean;
  /** The code that refuses a path whose parameter names nothing. */
  readonly miss: RuntimeCode;
  /** Its record; null: no account route. */
  readonly account: AuthOperation | null;
}

export function gatedRoutesOf(model: ProjectModel): readonly GatedRoute[] {
  return [
    ...serviceOperationsOf(model).map((operation) => ({
      ...gated(operation, serviceGate(operation, model), "ROUTE_NOT_FOUND"),
      ofAccounts: operation.who === "session" || operation.id.startsWith("serviceOauth"),
    })),
    ...fileAddressOperationsOf(model).map(({ id, method }) => {
      const gate = { ...OPEN, text: "whoever has an address" };
      return gated({ id, method, path: FILE_ADDRESS_PATH }, gate, "FILE_NOT_FOUND");
    }),
    ...webhookOperationsOf(model).map((operation) =>
      gated(operation, webhookGate(operation, model), "FIREWALL_NOT_FOUND")
    ),
    ...jobOperationsOf(model).map((operation) =>
      gated(operation, jobGate(model), "FIREWALL_NOT_FOUND")
    ),
    ...authOperationsOf(model).map((account) => {
      const { id, method, path, who } = account;
      const gate = who === "session" ? SESSION : OPEN;
      const route = gated({ id, method, path: authBaseOf(model) + path }, gate, "NOT_FOUND");
      return { ...route, ofAccounts: true, account };
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

/** A cookie: no class of callers that come with tokens has one. */
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

const PUBLISHED: readonly string[] = [
  DISCOVERY_PATHS.openapi,
  DISCOVERY_PATHS.asyncapi,
  DISCOVERY_PATHS.docs,
  DISCOVERY_PATHS.llms,
  DISCOVERY_PATHS.apiCatalog,
];

function serviceGate({ id, who, path }: ServiceOperation, model: ProjectModel): Gate {
  if (id === "serviceScopeToken") {
    // Contract 5.4: whoever gives away access to a tenant manages it, and is somebody.
    const minters = ["owner", "admin", "sysadmin"];
    return {
      text: `a session with one of the roles ${minters.join(", ")}`,
      setting: null,
      refusalOf: (caller) =>
        caller.credential === "none"
          ? "AUTH_MISSING"
          : !isHeld("SESSION", caller)
          ? "AUTH_SESSION_REQUIRED"
          : model.multiTenant && caller.organizationId === null
          ? "ACCESS_NO_ORG"
          : minters.some((role) => isHeld(role, caller))
          ? null
          : "ACCESS_ROLE_REQUIRED",
    };
  }
  if (PUBLISHED.includes(path)) return publishGate(model);
  if (who === "unasked") return OPEN;
  return who === "session" ? SESSION : ANYONE_KNOWN;
}

/** Contract 5.5. */
function publishGate({ openapi: { publish } }: ProjectModel): Gate {
  const setting = "openapi.publish";
  if (publish === "public") return { ...OPEN, setting };
  if (publish !== "admin") return { ...ANYONE_KNOWN, setting };
  return {
    text: "appmanager or sysadmin",
    setting,
    refusalOf: (caller) =>
      caller.credential === "none"
        ? "AUTH_MISSING"
        : isHeld("appmanager", caller) || isHeld("sysadmin", caller)
        ? null
        : "ACCESS_ROLE_REQUIRED",
  };
}

/** Definitions 6: the roles of the organization, or the service's own. */
function jobGate({ multiTenant }: ProjectModel): Gate {
  return {
    text: `one of the roles ${JOB_ROLES.join(", ")}`,
    setting: null,
    refusalOf(caller) {
      if (caller.credential === "none") return "AUTH_MISSING";
      // No permission names them.
      if (caller.grants !== undefined) return "ACCESS_ROLE_REQUIRED";
      const isPlaced = !multiTenant || caller.organizationId !== null;
      const isAdmitted = isHeld("sysadmin", caller) ||
        (isPlaced && JOB_ROLES.some((role) => isHeld(role, caller)));
      return isAdmitted ? null : "ACCESS_ROLE_REQUIRED";
    },
  };
}

/** An organization's endpoints are managed by its roles, a user's own by the user; inbound events by the service's (contract 2.8, 4.6). */
function webhookGate({ kind, roles }: WebhookOperation, { multiTenant }: ProjectModel): Gate {
  if (kind === "receive") return { ...OPEN, text: "whoever signs with the provider's secret" };
  const isInbound = kind.includes("Inbound");
  return {
    text: `one of the roles ${roles.join(", ")}${
      isInbound ? "" : ", or the user outside of organizations"
    }`,
    setting: null,
    refusalOf(caller) {
      if (caller.credential === "none") return "AUTH_MISSING";
      // No permission names them.
      if (caller.grants !== undefined) return "ACCESS_ROLE_REQUIRED";
      const isOutside = caller.organizationId === null;
      const isOwn = !isInbound && isOutside && caller.userId !== null;
      // A role is one in an organization, where there are any.
      const asked = isInbound && isOutside && multiTenant ? PLATFORM_ROLES : roles;
      const isPlaced = caller.organizationId !== null || caller.userId !== null;
      return isOwn || (isPlaced && asked.some((role) => isHeld(role, caller)))
        ? null
        : "ACCESS_ROLE_REQUIRED";
    },
  };
}
