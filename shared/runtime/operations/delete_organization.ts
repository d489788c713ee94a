/**
 * Serves `POST {authBase}/organization/delete` (definitions 7): an organization with records is deleted only with
 * `?purge=true`, and only by a caller who has proved their identity again. Refuses with `AUTH_INVALID_TOKEN`,
 * `AUTH_FRESH_SESSION_REQUIRED`, `FIREWALL_ORG_ISOLATION`, `ACCESS_ROLE_REQUIRED` and `ORG_NOT_EMPTY`.
 */
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../contract/mod.ts";
import type { JsonObject } from "../../lib/json.ts";
import { keepsHistory, type ProjectModel } from "../../model/mod.ts";
import type { PurgedOrganizations } from "../context.ts";
import { keepHead } from "../data/changes/change_chain.ts";
import { insertAudit } from "../data/write_row.ts";
import * as organizations from "../data/organization_rows.ts";
import * as purges from "../data/purges.ts";
import type { Admitted } from "../gate.ts";
import { buryTenant, tenantName } from "../data/tenants/tenant_rows.ts";
import type { Accounts, Ports, Reader, Settings } from "../ports.ts";
import { soon } from "../../lib/soon.ts";
import { keptFresh } from "../layers/1-authentication/rights_age.ts";
import { refuse } from "../refusal.ts";
import { jsonResponse } from "../response/record.ts";
import { newAudit } from "./public_audit.ts";

/** Milliseconds of a session's age up to which it proves as much as a password does. */
const FRESH_MS = 10 * 60 * 1000;

/** Milliseconds until the answer; work that takes longer continues after it. */
const ANSWERED_WITHIN_MS = 5000;

/** Deletes an organization. Takes the validated body of a caller with a session. */
export type DeleteOrganization = (request: Admitted, body: JsonObject) => Promise<Response>;

export function createDeleteOrganization(
  project: ProjectModel,
  accounts: Accounts,
): DeleteOrganization {
  const rows = organizations.organizationRowsOf(project);
  return async (request, body) => {
    const { app, database, elsewhere, now, search, principal: caller } = request;
    const organizationId = String(body["organizationId"]);
    const organization = await organizations.organizationNamed(database, organizationId);
    const isSysadmin = caller.userRole === "sysadmin";
    const roles = await accounts.rolesIn(organizationId, caller.userId ?? "");
    if (organization === null || (roles === null && !isSysadmin)) {
      return refuse("FIREWALL_ORG_ISOLATION");
    }
    if (!isSysadmin) requireOwner(roles ?? []);
    const isPurge = new URLSearchParams(search).get("purge") === "true";
    const { user, at } = await accounts.signedIn(request.headers) ?? refuse("AUTH_INVALID_TOKEN");
    const password = body["password"];
    if (typeof password === "string" && !await accounts.isOwnPassword(request.headers, password)) {
      // A password that is sent is checked even where none is needed.
      refuse("AUTH_INVALID_TOKEN", { detail: "The password is wrong" });
    }
    if (isPurge && password === undefined && app.ports.clock.now() - at >= FRESH_MS) {
      refuse("AUTH_FRESH_SESSION_REQUIRED");
    }
    const records = elsewhere?.readerOf(organizationId);
    const tombstone = elsewhere &&
      { organizationId, name: await tenantName(organizationId), createdAt: now };
    const purge = { id: `pur_${app.ports.random.bytes(16).toHex()}`, organizationId };
    await database.write(async (transaction) => {
      if (!isPurge && await rows.hasRecords(records ?? transaction, organizationId)) {
        refuse("ORG_NOT_EMPTY");
      }
      await purges.beginPurge(transaction, purge, {
        now,
        endOrganization: accounts.endOrganization,
      });
      if (tombstone) await buryTenant(transaction, tombstone);
      if (records && keepsHistory(project)) {
        await keepHead(transaction, records, organizationId);
      }
      await insertAudit(transaction, auditOf(request, { purge, isPurge }));
    });
    app.purged.add(organizationId);
    await accounts.organizationDeleted({
      user,
      organization: { id: organizationId, ...organization },
    });
    const isDone = await purgedInTime(request, purge, rows);
    const status = isDone ? "done" : "running";
    const told = { purge: { id: purge.id, status } };
    return isDone
      ? jsonResponse(JSON.stringify({ id: organizationId, ...organization, ...told }), 200)
      : jsonResponse(JSON.stringify(told), 202);
  };
}

function requireOwner(roles: readonly string[]): void {
  if (roles.includes("owner")) return;
  refuse("ACCESS_ROLE_REQUIRED", {
    details: { required: ["owner", "sysadmin"], current: [...roles] },
  });
}

function auditOf(
  request: Admitted,
  { purge, isPurge }: { readonly purge: purges.Purge; readonly isPurge: boolean },
) {
  const { userId, organizationId } = request.principal;
  return {
    ...newAudit(request),
    actorUserId: userId,
    actorOrgId: organizationId,
    actionName: "deleteOrganization",
    resource: null,
    operation: isPurge ? "purge" : "delete",
    targetScope: "organization",
    targetOrgId: purge.organizationId,
    targetRecordId: purge.id,
    unsafeReason: null,
    result: "success" as const,
    errorCode: null,
  };
}

async function purgedInTime(
  { app: { ports: { clock, files }, removeTenant }, database }: Admitted,
  purge: purges.Purge,
  rows: organizations.OrganizationRows,
): Promise<boolean> {
  const until = clock.now() + ANSWERED_WITHIN_MS;
  while (await purges.purgeStep(purge, rows, { database, clock, removeTenant, files })) {
    if (clock.now() >= until) return false;
  }
  return true;
}

/**
 * Watches for purged organizations, whose tokens end with them: a token needs no row in any table, and would otherwise continue
 * to write into the organization that is being deleted (definitions 7, "deleting an organization").
 */
export function purgedOrganizations(
  { reader, ...ports }: Pick<Ports, "clock" | "copy"> & { readonly reader: Reader },
  settings: Pick<Settings, "rightsMaxAgeMs">,
  /** Runs for each organization that this process deletes. */
  onAdded: (organizationId: string) => void,
): PurgedOrganizations {
  // Each id takes some forty bytes and is kept for good: a token that is signed later is refused, too.
  const purged = new Set<string>();
  let since = "";
  // Another process may not know of a purge until its next look.
  const known = keptFresh(
    async () => {
      const now = ports.clock.now();
      for (const id of await purges.organizationsPurgedSince(reader, since)) purged.add(id);
      // The margin allows for clocks that differ.
      since = new Date(now - TOKEN_LIFETIME_MAX_SECONDS * 1000).toISOString();
    },
    ports,
    settings,
  );
  return {
    has: (organizationId) =>
      purged.has(organizationId) || soon(known(), () => purged.has(organizationId)),
    add(organizationId) {
      purged.add(organizationId);
      onAdded(organizationId);
    },
  };
}
