/** Reads `realtime` of a resource: the changes that make frames, their recipients, and their columns (definitions 4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { REALTIME } from "../../../../definition_language/resource.ts";
import type { Access, MaskRule, ResourceModel, ResourceRealtime } from "../../../../model/mod.ts";
import { rolesNamedBy } from "../../../../surface/mod.ts";
import { Report } from "../../../diagnostics/report.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { below } from "../read/reader.ts";
import { read } from "../read/read_member.ts";
import { readBoolean, readTokens } from "../read/scalars.ts";
import { columnTokens, type ResourceScope } from "./resource_scope.ts";
import { expandedRole, type Hierarchy, readRoles } from "../read/roles.ts";
import { isCovered } from "./view_roles.ts";

/** Returns the realtime settings; null if the resource sends no frames. */
export function readResourceRealtime(
  scope: ResourceScope,
  { read, masks }: Pick<ResourceModel, "read" | "masks">,
): ResourceRealtime | null {
  const { options, table, analysis } = scope;
  const entry = options.entries.get("realtime");
  if (!entry) return null;
  const { report, config } = analysis;
  const before = report.errorCount;
  const own = entry.value.kind === "object"
    ? readOptions(entry.value, scope)
    : readField(options, "realtime", readBoolean) === true
    ? EVERYTHING
    : null;
  if (own === null || !(own.onInsert || own.onUpdate || own.onDelete)) return null;
  // Mistakes in `realtime` itself are reported first.
  if (!options.entries.has("read") && report.errorCount === before) {
    report.add("REALTIME_WITHOUT_READ", entry.keyPlace, { resource: table.name });
  }
  if (!config.model.realtime.enabled) {
    report.add("REALTIME_OFF", entry.keyPlace, { subject: `Resource "${table.name}"` });
  }
  const { fields: listed, ...rest } = own;
  if (read && entry.value.kind === "object") {
    checkRoles(entry.value, read.access, config.hierarchy, scope);
    checkFields(entry.value, own.roles ?? rolesNamedBy(read.access), masks, scope);
  }
  const fields = [...table.columns.values()].filter(({ name, type }) =>
    listed?.includes(name) ?? !(type && rulesOf(type).isAsked)
  );
  return { ...rest, fields: fields.map(({ name }) => name) };
}

/** Settings of realtime as the author writes them; null: the roles and columns of reading apply. */
interface Options extends Omit<ResourceRealtime, "fields"> {
  readonly fields: readonly string[] | null;
}

const EVERYTHING: Options = {
  onInsert: true,
  onUpdate: true,
  onDelete: true,
  roles: null,
  fields: null,
};

function readOptions(value: Value, scope: ResourceScope): Options | null {
  const at = below(scope.options.at, "realtime");
  const fields = readFields(value, REALTIME, at);
  if (!fields) return null;
  const { hierarchy } = scope.analysis.config;
  if (read(fields, "enabled") === false) return null;
  return {
    onInsert: read(fields, "onInsert"),
    onUpdate: read(fields, "onUpdate"),
    onDelete: read(fields, "onDelete"),
    // Roles that cannot be read admit no one.
    roles:
      readField(fields, rolesKey(fields), (roles, place) => readRoles(roles, hierarchy, place)) ??
        (fields.entries.has("roles") || fields.entries.has("requiredRoles") ? [] : null),
    fields: readField(fields, "fields", columnTokens(scope))?.map(({ text }) => text) ?? null,
  };
}

/** Returns which of the two keys the author wrote; the other beside it is reported as a repetition. */
function rolesKey(
  { entries, at }: Fields<(typeof REALTIME)["members"]>,
): "roles" | "requiredRoles" {
  const older = entries.get("requiredRoles");
  if (older === undefined) return "roles";
  if (!entries.has("roles")) return "requiredRoles";
  at.report.add("KEY_TWICE", older.keyPlace, { key: "requiredRoles", other: "roles" });
  return "roles";
}

function checkRoles(
  value: Value,
  access: Access,
  hierarchy: Hierarchy,
  scope: ResourceScope,
): void {
  const allowed = rolesNamedBy(access);
  const roles = memberOf(value, "roles") ?? memberOf(value, "requiredRoles");
  if (roles?.kind !== "array" || allowed.length === 0) return;
  const { report } = scope.analysis;
  for (const item of roles.items) {
    if (item.kind !== "string") continue;
    const token = { text: item.value, place: item.place };
    // Mistakes in the role's name were reported when it was read.
    const outside = expandedRole(token, hierarchy, { path: "", report: new Report() })
      .find((role) => !isCovered(role, allowed));
    if (outside === undefined) continue;
    const details = { role: outside, allowed: allowed.join(", ") };
    report.add("REALTIME_ROLE_OUTSIDE", item.place, details);
  }
}

function checkFields(
  value: Value,
  roles: readonly string[],
  masks: Readonly<Record<string, MaskRule>>,
  scope: ResourceScope,
): void {
  const fields = memberOf(value, "fields");
  if (!fields) return;
  const { report } = scope.analysis;
  for (const { text, place } of readTokens(fields, { path: "", report: new Report() }) ?? []) {
    const mask = Object.hasOwn(masks, text) ? masks[text] : undefined;
    if (
      !mask || mask.showOwner || mask.showRows !== undefined ||
      mask.showRoles.some((role) => roles.length === 0 || isCovered(role, roles))
    ) continue;
    report.add("REALTIME_FIELD_HIDDEN", place, { field: text });
  }
}

function memberOf(value: Value, name: string): Value | undefined {
  return value.kind === "object" ? value.entries.find(({ key }) => key === name)?.value : undefined;
}
