/**
 * Reads `audit` of a resource: whether the history of its records is stored, for how long, and who may read it (definitions 4).
 */
import { AUDIT_KEEP_DAYS } from "../../../../contract/mod.ts";
import { AUDIT } from "../../../../definition_language/resource.ts";
import type { Access, AuditModel, ReadModel } from "../../../../model/mod.ts";
import { below, read, readBoolean, readField, readFields } from "../read/mod.ts";
import { accessReader, type ResourceScope } from "./resource_scope.ts";
import { bothBind } from "./view_roles.ts";

/** Returns the audit settings; null if no history is stored. */
export function readAudit(scope: ResourceScope, reads: ReadModel | null): AuditModel | null {
  const { options, analysis } = scope;
  const entry = options.entries.get("audit");
  if (!entry) return null;
  const bound = (own: Access) => reads && bothBind(reads.access, own);
  const usual: Access = analysis.config.model.multiTenant
    ? { kind: "roles", roles: ["admin", "owner"] }
    : { kind: "userRole", roles: ["sysadmin"] };
  if (entry.value.kind !== "object") {
    const isOn = readField(options, "audit", readBoolean) === true;
    return isOn ? { access: bound(usual), keepDays: AUDIT_KEEP_DAYS } : null;
  }
  const fields = readFields(entry.value, AUDIT, below(options.at, "audit"));
  if (!fields) return null;
  const own = readField(fields, "access", accessReader(scope));
  // An access rule that cannot be read admits no one, instead of becoming the default.
  const access = own ?? (fields.entries.has("access") ? { kind: "nobody" as const } : usual);
  return { access: bound(access), keepDays: read(fields, "keepDays") };
}
