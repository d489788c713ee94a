/** `reports/operations.manifest.json`: a public, extend-only list of operations (contract 4.7, 9.3). */
import type { Access } from "../../../model/access.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { actionOperationsOf } from "../../../surface/action_operations.ts";
import { rolesNamedBy } from "../../../surface/admission.ts";
import { authBaseOf, authOperationsOf } from "../../../surface/auth_operations.ts";
import { operationsOf } from "../../../surface/operations.ts";
import { serviceOperationsOf } from "../../../surface/service_operations.ts";
import { webhookOperationsOf } from "../../../surface/webhook_operations.ts";
import { whoMayAsk, whoMayRun } from "../../../surface/who.ts";

interface ManifestEntry {
  readonly operationId: string;
  readonly method: string;
  /** Path parameters as `:id`. */
  readonly path: string;
  readonly auth: ManifestAuth;
  /** The feature folder; null for what belongs to none. */
  readonly feature: string | null;
  readonly kind: string;
}

interface ManifestAuth {
  /** False: anonymous callers pass the authentication gate. */
  readonly required: boolean;
  /** Every role that the access rule names; empty: any caller whom `required` lets through. */
  readonly roles: readonly string[];
  /** True when the answer depends on the record as well. */
  readonly record: boolean;
}

/** Sorted by operation id; the same model gives the same bytes. */
export function emitOperationsManifest(model: ProjectModel): string {
  const entries = [
    ...resourceEntries(model),
    ...actionEntries(model),
    ...serviceEntries(model),
    ...webhookEntries(model),
    ...authEntries(model),
  ].sort((a, b) => a.operationId < b.operationId ? -1 : 1);
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function resourceEntries(model: ProjectModel): readonly ManifestEntry[] {
  return operationsOf(model).map(({ id, method, path, access, resource, kind }) => ({
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
  }));
}

function actionEntries(model: ProjectModel): readonly ManifestEntry[] {
  return actionOperationsOf(model).map(({ id, method, path, access, action, kind }) => ({
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
  }));
}

function serviceEntries(model: ProjectModel): readonly ManifestEntry[] {
  return serviceOperationsOf(model).map(({ id, method, path, who }) => ({
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
  }));
}

function webhookEntries(model: ProjectModel): readonly ManifestEntry[] {
  return webhookOperationsOf(model).map(({ id, method, path, roles, who }) => ({
    operationId: id,
    method,
    path,
    auth: { required: who !== "unasked", roles, record: false },
    feature: null,
    kind: "webhook",
  }));
}

function authEntries(model: ProjectModel): readonly ManifestEntry[] {
  return authOperationsOf(model).map(({ id, method, path, who }) => ({
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
  }));
}

function dependsOnRecord(access: Access): boolean {
  return access.kind === "record" ||
    ((access.kind === "all" || access.kind === "any") && access.of.some(dependsOnRecord));
}
