/** Lists codes with which the layers of an operation on records may refuse (contract 7). */
import type { RuntimeCode } from "../contract/mod.ts";
import { homeOf, isPerOrganization } from "../model/mod.ts";
import type { Access, Condition, ProjectModel, TableModel } from "../model/mod.ts";
import { restoreRuleOf } from "./grants.ts";
import { embeddablesOf } from "./embeddables.ts";
import { JSON_BODY_CODES, when } from "./codes.ts";
import { type Operation, type Verb, VERBS } from "./operations.ts";
import { resourcesAsked } from "./where.ts";
import { dependsOnRecord, isPublic } from "./admission.ts";
import { isNearBeyondView } from "./near.ts";
import { parametersOf, SCOPE_PARAMETER } from "./parameters.ts";
import { firewallFollows } from "./row_predicate.ts";

export interface Subject {
  readonly operation: Operation;
  readonly verb: Verb;
  readonly table: TableModel;
  readonly project: ProjectModel;
}

/** Operations with an id in their path. */
export const NAMES_A_RECORD: ReadonlySet<Operation["kind"]> = new Set([
  "get",
  "history",
  "update",
  "delete",
  "upsert",
  "restore",
]);

/** True when the table's rows are in the databases of organizations. */
export function isApart(table: TableModel, project: ProjectModel): boolean {
  return isPerOrganization(project) && homeOf(table) === "tenant";
}

export function roleCodes({ operation, table, project }: Subject): readonly RuntimeCode[] {
  // An included target is read by its own rule (contract 4.3 rule 4), and so is one that a `where` reads.
  const others = [
    ...embeddablesOf(operation, project).map(({ resource }) => resource),
    ...resourcesAsked(operation, project),
    ...(isNearBeyondView(operation, table) ? [operation.resource] : []),
  ];
  const restoring = VERBS[operation.kind] === "read" && operation.kind !== "get"
    ? restoreRuleOf(operation.resource)
    : null;
  const rules = [
    operation.access,
    ...others.flatMap(({ read }) => read?.access ?? []),
    ...(restoring ? [restoring.access] : []),
  ];
  return [
    ...when(
      !rules.every((rule) => admitsEveryone(rule, project)),
      "ACCESS_ROLE_REQUIRED",
    ),
    ...when(table.scope.organization !== null || isApart(table, project), "ACCESS_NO_ORG"),
  ];
}

/** True when the rule admits every caller. A condition alone admits no delegated principal (contract 5.6). */
function admitsEveryone(access: Access, project: ProjectModel): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.includes("PUBLIC");
    case "all":
      return access.of.length > 0 && access.of.every((part) => admitsEveryone(part, project));
    case "any":
    case "first":
      return access.of.some((part) => admitsEveryone(part, project));
    default:
      return dependsOnRecord(access) && project.auth.principals.length === 0;
  }
}

/** True when the rule admits anonymous callers, scope tokens or delegated principals: none of them can own a row. */
function admitsWithoutAccount(
  access: Access,
  { auth }: Pick<ProjectModel, "auth">,
): boolean {
  switch (access.kind) {
    case "roles":
      return auth.principals.length > 0 ||
        ["PUBLIC", "AUTHENTICATED", "SCOPED"].some((role) => access.roles.includes(role));
    case "all":
    case "any":
    case "first":
      return access.of.some((part) => admitsWithoutAccount(part, { auth }));
    default:
      return dependsOnRecord(access);
  }
}

export function rowCodes({ operation, table }: Subject): readonly RuntimeCode[] {
  const conditions = conditionsOf(operation.access);
  const owners: readonly (string | null)[] = [table.scope.owner, "createdBy"];
  const asksForOwner = conditions.some(({ column, operand }) =>
    owners.includes(column) && operand.kind === "context" && operand.key === "userId"
  );
  return [
    ...when(dependsOnRecord(operation.access), "ACCESS_CONDITION_FAILED"),
    ...when(asksForOwner, "ACCESS_OWNERSHIP_REQUIRED"),
  ];
}

function conditionsOf(access: Access): readonly Condition[] {
  if ("of" in access) return access.of.flatMap(conditionsOf);
  return access.kind === "record" ? access.conditions : [];
}

/** Returns codes about the organization that scopes a request. */
export function scopeCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation, verb, table, project } = subject;
  const isPublicTenant = table.scope.organization !== null && isPublic(operation.access);
  const namesScope = parametersOf(operation, project).some(({ name, use }) =>
    name === SCOPE_PARAMETER && use.kind === "scope"
  );
  return [
    ...when(isPublicTenant, "ORG_REQUIRED"),
    ...(verb === "create" || verb === "upsert" ? stampCodes(subject) : []),
    ...(namesScope ? hiddenAs(subject, ["FIREWALL_ORG_ISOLATION"]) : []),
    // Requests of a deleted organization get this refusal.
    ...when(isApart(table, project), "FIREWALL_ORG_ISOLATION"),
  ];
}

/** Returns codes for a record that the firewall hides. A PUT creates a missing one. */
export function missCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation: { kind }, verb, table } = subject;
  const namesRecord = NAMES_A_RECORD.has(kind) || verb === "update" || verb === "delete";
  const showsDeleted = verb === "restore" || verb === "history";
  const deleted = when(table.softDelete && !showsDeleted, "FIREWALL_SOFT_DELETED");
  // A row that its maker's firewall would hide is refused.
  const made = when(firewallFollows(table.firewall), "FIREWALL_NOT_FOUND");
  if (verb === "upsert") return hiddenAs(subject, [...made, ...deleted]);
  if (verb === "create") return hiddenAs(subject, made);
  return namesRecord ? hiddenAs(subject, ["FIREWALL_NOT_FOUND", ...deleted]) : [];
}

function hiddenAs(
  { operation }: Subject,
  codes: readonly RuntimeCode[],
): readonly RuntimeCode[] {
  const hides = operation.resource.firewallErrorMode === "hide";
  return hides && codes.length > 0 ? ["NOT_FOUND"] : codes;
}

/** Returns the codes for a row that must name its maker, if the caller has no account. */
export function makerCodes({ operation, table, project }: Subject): readonly RuntimeCode[] {
  const namesMaker = table.columns.some(({ nullable, default: value }) =>
    !nullable && value?.kind === "made" && value.value.kind === "userId"
  );
  return when(
    namesMaker && admitsWithoutAccount(operation.access, project),
    "ACCESS_OWNERSHIP_REQUIRED",
  );
}

export function guardCodes({ operation, verb, table }: Subject): readonly RuntimeCode[] {
  const { guards } = operation.resource;
  const isUpdate = verb === "update";
  const immutable = guards?.immutable ?? [];
  return [
    "GUARD_SYSTEM_MANAGED",
    isUpdate ? "GUARD_FIELD_NOT_UPDATABLE" : "GUARD_FIELD_NOT_CREATEABLE",
    ...when(Object.keys(guards?.protected ?? {}).length > 0, "GUARD_FIELD_PROTECTED"),
    ...when(
      isUpdate && table.columns.some(({ name }) => immutable.includes(name)),
      "GUARD_FIELD_IMMUTABLE",
    ),
  ];
}

export function validationCodes(operation: Operation): readonly RuntimeCode[] {
  const takesBody = operation.method !== "GET" && operation.kind !== "restore";
  if (!takesBody) return ["VALIDATION_INVALID_INPUT"];
  return ["VALIDATION_INVALID_INPUT", ...JSON_BODY_CODES, "VALIDATION_ERROR"];
}

/** Returns codes for callers who lack the owner or team with which a new row is stamped. */
function stampCodes(subject: Subject): readonly RuntimeCode[] {
  const { operation, table, project } = subject;
  const mayHaveNoOwner = admitsWithoutAccount(operation.access, project);
  return [
    ...when(table.scope.owner !== null && mayHaveNoOwner, "ACCESS_OWNERSHIP_REQUIRED"),
    ...makerCodes(subject),
    ...when(table.scope.team !== null, "ACCESS_CONDITION_FAILED"),
  ];
}
