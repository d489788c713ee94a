/** Writes `reports/operations.manifest.json`: a public, extend-only list of operations (contract 4.7, 9.3). */
import type { ProjectModel } from "../../../model/mod.ts";
import {
  dependsOnRecord,
  hooksByOperation,
  rolesNamedBy,
  type Route,
  routesOf,
} from "../../../surface/mod.ts";

/** Returns the operations, sorted by operation id; the same model gives the same bytes. */
export function emitOperationsManifest(model: ProjectModel): string {
  const hooked = hooksByOperation(model);
  const entries = [
    ...routesOf(model).map((route) => {
      const hooks = hooked.get(route.id)?.hooks;
      const known = entry(route, gateOf(route), route.feature, route.listedAs);
      return hooks === undefined ? known : { ...known, hooks };
    }),
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

function gateOf({ who, access, rule }: Route): Gate {
  const required = who !== "anyone" && who !== "unasked";
  if (access) return { required, roles: rolesNamedBy(access), record: dependsOnRecord(access) };
  const isListed = rule && !rule.isUnlisted;
  return gated(required, isListed ? rule.roles : who === "session" ? ["SESSION"] : []);
}

function gated(required: boolean, roles: readonly string[]): Gate {
  return { required, roles, record: false };
}

/** Returns an entry for work that no route starts. */
function unrouted(id: string): Routed {
  return { id, method: null, path: null };
}
