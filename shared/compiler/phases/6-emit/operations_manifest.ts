/** `reports/operations.manifest.json`: a public, extend-only list of operations (contract 4.7, 9.3). */
import type { Access, ProjectModel } from "../../../model/mod.ts";
import { actionOperationsOf } from "../../../surface/action_operations.ts";
import { rolesNamedBy } from "../../../surface/admission.ts";
import { authBaseOf, authOperationsOf } from "../../../surface/auth_operations.ts";
import { operationsOf } from "../../../surface/operations.ts";
import { serviceOperationsOf } from "../../../surface/service_operations.ts";
import { jobOperationsOf } from "../../../surface/job_operations.ts";
import { webhookOperationsOf } from "../../../surface/webhook_operations.ts";
import { whoMayAsk, whoMayRun } from "../../../surface/who.ts";

/** Sorted by operation id; the same model gives the same bytes. */
export function emitOperationsManifest(model: ProjectModel): string {
  const entries = [
    ...operationsOf(model).map(({ id, method, path, access, resource, kind }) => ({
      operationId: id,
      method,
      path,
      auth: {
        required: whoMayAsk(access) !== "anyone",
        roles: rolesNamedBy(access),
        record: dependsOnRecord(access),
      },
      feature: resource.feature,
      kind,
    })),
    ...actionOperationsOf(model).map(({ id, method, path, access, action, kind }) => ({
      operationId: id,
      method,
      path,
      auth: {
        required: whoMayRun({ access, action }) !== "anyone",
        roles: rolesNamedBy(access),
        record: dependsOnRecord(access),
      },
      feature: action.feature,
      kind,
    })),
    ...serviceOperationsOf(model).map(({ id, method, path, who }) => ({
      operationId: id,
      method,
      path,
      auth: {
        required: who !== "unasked",
        roles: who === "session" ? ["SESSION"] : [],
        record: false,
      },
      feature: null,
      kind: "service",
    })),
    ...webhookOperationsOf(model).map(({ id, method, path, roles, who }) => ({
      operationId: id,
      method,
      path,
      auth: { required: who !== "unasked", roles, record: false },
      feature: null,
      kind: "webhook",
    })),
    ...jobOperationsOf(model).map(({ id, method, path, roles }) => ({
      operationId: id,
      method,
      path,
      auth: { required: true, roles, record: false },
      feature: null,
      kind: "service",
    })),
    ...(model.authored.jobs ?? []).map(({ name }) => ({
      ...unrouted(`jobs.${name}`),
      kind: "job",
    })),
    ...(model.authored.schedules ?? []).map(({ name, cron, timeZone, job }) => ({
      ...unrouted(`schedules.${name}`),
      kind: "schedule",
      cron,
      timeZone,
      job,
    })),
    ...authOperationsOf(model).map(({ id, method, path, who }) => ({
      operationId: id,
      method,
      path: authBaseOf(model) + path,
      auth: {
        required: who === "session",
        roles: who === "session" ? ["SESSION"] : [],
        record: false,
      },
      feature: null,
      kind: "auth",
    })),
  ].sort((a, b) => a.operationId < b.operationId ? -1 : 1);
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Work that no route starts. */
function unrouted(operationId: string) {
  const auth = { required: true, roles: [], record: false };
  return { operationId, method: null, path: null, auth, feature: null };
}

function dependsOnRecord(access: Access): boolean {
  return access.kind === "record" ||
    ((access.kind === "all" || access.kind === "any") && access.of.some(dependsOnRecord));
}
