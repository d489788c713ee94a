/** `reports/operations.manifest.json`: a public, extend-only list of operations (contract 4.7, 9.3). */
import type { Access, ProjectModel } from "../../../model/mod.ts";
import { actionOperationsOf, authBaseOf, authOperationsOf } from "../../../surface/mod.ts";
import { dependsOnRecord, systemRoutesOf, whoMayAsk } from "../../../surface/mod.ts";
import { fileAddressOperationsOf, fileOperationsOf } from "../../../surface/mod.ts";
import { operationsOf, rolesNamedBy, type SystemRoute } from "../../../surface/mod.ts";
import { whoMayRun } from "../../../surface/mod.ts";

/** Sorted by operation id; the same model gives the same bytes. */
export function emitOperationsManifest(model: ProjectModel): string {
  const entries = [
    ...operationsOf(model).map((operation) => {
      const { access, resource, kind } = operation;
      return entry(operation, ruled(access, whoMayAsk(access)), resource.feature, kind);
    }),
    ...fileOperationsOf(model).map((operation) => {
      const { access, resource, act } = operation;
      return entry(operation, ruled(access, whoMayAsk(access)), resource.feature, act);
    }),
    ...actionOperationsOf(model).map((operation) => {
      const { access, action, kind } = operation;
      return entry(operation, ruled(access, whoMayRun({ access, action })), action.feature, kind);
    }),
    ...[...fileAddressOperationsOf(model), ...systemRoutesOf(model)].map((route) =>
      entry(
        route,
        gated(route.who !== "unasked", listedRoles(route)),
        null,
        route.listedAs,
      )
    ),
    ...(model.authored.jobs ?? []).map(({ name, unsafe }) => {
      const roles = unsafe?.crossTenant ? ["sysadmin"] : [];
      return entry(unrouted(`jobs.${name}`), gated(true, roles), null, "job");
    }),
    ...(model.authored.schedules ?? []).map(({ name, cron, timeZone, job }) => ({
      ...entry(unrouted(`schedules.${name}`), gated(true, []), null, "schedule"),
      cron,
      timeZone,
      job,
    })),
    ...authOperationsOf(model).map((operation) =>
      entry(
        { ...operation, path: authBaseOf(model) + operation.path },
        gated(operation.who === "session", sessionOf(operation.who)),
        null,
        "auth",
      )
    ),
  ].sort((a, b) => a.operationId < b.operationId ? -1 : 1);
  return `${JSON.stringify(entries, null, 2)}\n`;
}

interface Routed {
  readonly id: string;
  readonly method: string | null;
  readonly path: string | null;
}

interface Gate {
  readonly required: boolean;
  readonly roles: readonly string[];
  readonly record: boolean;
}

function entry({ id, method, path }: Routed, auth: Gate, feature: string | null, kind: string) {
  return { operationId: id, method, path, auth, feature, kind };
}

function ruled(access: Access, who: string): Gate {
  return {
    required: who !== "anyone",
    roles: rolesNamedBy(access),
    record: dependsOnRecord(access),
  };
}

function gated(required: boolean, roles: readonly string[]): Gate {
  return { required, roles, record: false };
}

function listedRoles({ rule, who }: SystemRoute): readonly string[] {
  return rule === null || rule.isUnlisted ? sessionOf(who) : rule.roles;
}

function sessionOf(who: string): readonly string[] {
  return who === "session" ? ["SESSION"] : [];
}

/** Work that no route starts. */
function unrouted(id: string): Routed {
  return { id, method: null, path: null };
}
