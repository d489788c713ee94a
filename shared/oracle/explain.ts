/**
 * Derives the response that an operation must give one caller about one row, and the rule that decides it (contract 1.3, 4.1
 * rule 4, 5.4, 7.2). It is a second evaluator, which follows the contract and shares no code with the runtime.
 */
import type { RuntimeCode } from "../contract/mod.ts";
import type { Access, FirewallPredicate, Principal, ResourceModel } from "../model/mod.ts";
import { columnPredicates, type TableModel } from "../model/mod.ts";
import { conditionText, firewallText, predicateText } from "../surface/mod.ts";
import * as oracle from "./judge.ts";

/** The use that an operation makes of its row (contract 4.1 rule 4, 4.4). */
export type RowUse =
  /** Many rows: the rule becomes part of the query. */
  | "collection"
  /** The role is checked before the row is read. */
  | "roleFirst"
  /** The firewall checks the row before the role is checked. */
  | "rowFirst"
  /** Like `roleFirst`, for a row that may be soft-deleted. */
  | "anyRow"
  /** Like `roleFirst`, for a row that must be soft-deleted. */
  | "deletedRow"
  /** The operation makes the row. */
  | "newRow"
  /** The operation makes a row at an id that exists: nothing is written, so that no written row is checked. */
  | "takenRow"
  /** There is no row: only the gates are checked. */
  | "none";

interface Question {
  readonly resource: Pick<ResourceModel, "name" | "firewallErrorMode">;
  /** Table of the row; null: there is no table to isolate. */
  readonly table: TableModel | null;
  readonly access: Access;
  /** True when anonymous callers get past authentication. */
  readonly isOpen: boolean;
  readonly use: RowUse;
  readonly caller: Principal;
  /** The organization that an anonymous caller names. */
  readonly namedOrganization: string | null;
  /** The row; null: there is no such row. It is undefined for a collection, and if only the gates are checked. */
  readonly row: oracle.Row | null | undefined;
  /** True for an action, whose row condition fails with 409 (contract 3.2). */
  readonly isAction: boolean;
  /** Rows that relations lead to, the new one among them; absent: no rule follows a relation. */
  readonly world?: oracle.World;
}

export type DecidingLayer = "authentication" | "firewall" | "access";

/** A check that the request passed or failed. */
export interface Step {
  readonly layer: DecidingLayer;
  readonly passed: boolean;
  /** The rule that was checked, in words. */
  readonly rule: string;
  readonly compared: readonly oracle.Comparison[];
}

export interface Explanation {
  /** Code of the refusal; null: the caller is admitted. */
  readonly refusal: RuntimeCode | null;
  /** Steps in the order in which they are checked, up to the one that failed. */
  readonly steps: readonly Step[];
}

export function explain(question: Question): Explanation {
  return judged(JUDGES[question.use], question);
}

/**
 * Explains the response for a row after a request changed it. Conditions that follow relations must be true again; conditions
 * on columns alone are checked on the row before the change (docs/decisions/relations.md).
 */
export function explainChanged(question: Question): Explanation {
  return judged([writtenFirewall, changedRow], question);
}

function judged(judges: readonly Judge[], question: Question): Explanation {
  const steps: Step[] = [];
  for (const judge of judges) {
    const { refusal, step } = judge(question);
    if (step !== null) steps.push({ ...step, passed: refusal === null });
    if (refusal !== null) return { refusal, steps };
  }
  return { refusal: null, steps };
}

interface Judgement {
  readonly refusal: RuntimeCode | null;
  /** The step; null: there was nothing to check. */
  readonly step: Omit<Step, "passed"> | null;
}

type Judge = (question: Question) => Judgement;

const JUDGES: Readonly<Record<RowUse, readonly Judge[]>> = {
  collection: [authentication, organization, role],
  roleFirst: [authentication, organization, role, firewall, rowCondition],
  rowFirst: [authentication, organization, firewall, role, rowCondition],
  anyRow: [authentication, organization, role, firewall, rowCondition],
  deletedRow: [authentication, organization, role, firewall, rowCondition, deleted],
  newRow: [authentication, organization, role, ownScopes, newRow, writtenFirewall, writtenRow],
  takenRow: [authentication, organization, role, ownScopes, newRow],
  none: [authentication, organization, role],
};

function authentication({ isOpen, caller }: Question): Judgement {
  const isRefused = caller.credential === "none" && !isOpen;
  return {
    refusal: isRefused ? "AUTH_MISSING" : null,
    step: {
      layer: "authentication",
      rule: isOpen ? "anonymous callers are let in" : "a credential is needed",
      compared: [],
    },
  };
}

/** Checks that a request for a tenant's rows has an organization (contract 7.2, definitions 7). */
function organization(question: Question): Judgement {
  const { caller, table, use, namedOrganization } = question;
  if (table === null) return { refusal: null, step: null };
  const column = table.scope.organization;
  const stamps = (use === "newRow" || use === "takenRow") && column !== null;
  const isScoped = stamps ||
    columnPredicates(oracle.bindingPredicates(table, caller)).some(({ operand }) =>
      operand.kind === "context" && operand.key === "activeOrgId"
    );
  if (!isScoped) return { refusal: null, step: null };
  const isAnonymous = caller.credential === "none";
  const has = isAnonymous ? namedOrganization !== null : caller.organizationId !== null;
  return {
    refusal: has ? null : isAnonymous ? "ORG_REQUIRED" : "ACCESS_NO_ORG",
    step: { layer: "firewall", rule: "an organization is needed", compared: [] },
  };
}

function role({ access, caller }: Question): Judgement {
  return {
    refusal: oracle.mayAdmit(access, caller) ? null : "ACCESS_ROLE_REQUIRED",
    step: { layer: "access", rule: accessText(access), compared: [] },
  };
}

function firewall(question: Question): Judgement {
  const { table, row } = question;
  if (row === undefined || table === null) return { refusal: null, step: null };
  const caller = scoped(question);
  const isBinding = ({ kind }: FirewallPredicate) =>
    !countsDeleted(question) || kind !== "notDeleted";
  const binding = oracle.bindingPredicates(table, caller).filter(isBinding);
  const compared = row === null
    ? []
    : binding.map((one) => oracle.compareMember(one, caller, row, worldOf(question)));
  const hiding = binding.filter((_, at) => compared[at]?.holds === false);
  const step = {
    layer: "firewall" as const,
    rule: row === null ? "there is such a row" : membersText(binding),
    compared,
  };
  const isHidden = row === null || hiding.length > 0;
  return { refusal: isHidden ? missCode(question, hiding) : null, step };
}

/** True for restorations and histories, which show a deleted row and the rows that it makes visible. */
function countsDeleted({ use }: Question): boolean {
  return use === "deletedRow" || use === "anyRow";
}

function worldOf(question: Question): oracle.World | undefined {
  const { world } = question;
  return world && countsDeleted(question) ? oracle.withDeleted(world) : world;
}

/**
 * Returns the code of a row that is not visible. It differs from that of a missing row only if nothing but its deletion hides
 * it.
 */
function missCode(
  { resource, row }: Question,
  hiding: readonly FirewallPredicate[],
): RuntimeCode {
  if (resource.firewallErrorMode === "hide") return "NOT_FOUND";
  const isOwnDeleted = row !== null && hiding.every(({ kind }) => kind === "notDeleted");
  return isOwnDeleted ? "FIREWALL_SOFT_DELETED" : "FIREWALL_NOT_FOUND";
}

function rowCondition(question: Question): Judgement {
  const { access, row, isAction } = question;
  if (row === undefined || row === null) return { refusal: null, step: null };
  const caller = scoped(question);
  const world = worldOf(question);
  const compared = oracle.comparisons(access, caller, row, world);
  if (compared.length === 0) return { refusal: null, step: null };
  const step = { layer: "access" as const, rule: accessText(access), compared };
  if (oracle.admits(access, caller, row, world)) return { refusal: null, step };
  return {
    refusal: isAction ? "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE" : rowCode(question, compared),
    step,
  };
}

/** Checks that a row to restore was deleted (contract 3.1). */
function deleted({ row }: Question): Judgement {
  if (row === undefined || row === null) return { refusal: null, step: null };
  return {
    refusal: (row["deletedAt"] ?? null) === null ? "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE" : null,
    step: { layer: "access", rule: "the record is deleted", compared: [] },
  };
}

/**
 * Returns the code of a failed row condition. A rule that fails only because the row is another's requires its owner (contract
 * 7.2).
 */
function rowCode({ table }: Question, compared: readonly oracle.Comparison[]): RuntimeCode {
  const failed = compared.some(({ condition }) => !("column" in condition))
    ? []
    : compared.filter(({ holds }) => !holds);
  const isOwnership = failed.length > 0 &&
    failed.every(({ condition }) =>
      "column" in condition && condition.operator === "equals" &&
      condition.operand.kind === "context" &&
      condition.operand.key === "userId" &&
      (condition.column === table?.scope.owner || condition.column === "createdBy")
    );
  return isOwnership ? "ACCESS_OWNERSHIP_REQUIRED" : "ACCESS_CONDITION_FAILED";
}

/** Checks the stamps of a new row: its owner and its team. A caller without an account, or without a team, cannot make one. */
function ownScopes({ table, caller }: Question): Judgement {
  if (table === null) return { refusal: null, step: null };
  const lacksOwner = table.scope.owner !== null && caller.userId === null;
  const lacksTeam = table.scope.team !== null && caller.teamId === null;
  if (table.scope.owner === null && table.scope.team === null) return { refusal: null, step: null };
  return {
    refusal: lacksOwner
      ? "ACCESS_OWNERSHIP_REQUIRED"
      : lacksTeam
      ? "ACCESS_CONDITION_FAILED"
      : null,
    step: { layer: "access", rule: "the row is stamped with its owner and team", compared: [] },
  };
}

/**
 * Checks a new row. A rule with a row condition is checked on the row as it is made, and its maker must be able to see it.
 * Conditions that follow relations are checked once the row is written.
 */
function newRow(question: Question): Judgement {
  const { access, table, row } = question;
  if (row === undefined || row === null || table === null) return { refusal: null, step: null };
  const caller = scoped(question);
  const asked = oracle.askedIn(access);
  if (asked.length === 0) return { refusal: null, step: null };
  const isHidden = oracle.bindingPredicates(table, caller).some((one) =>
    !oracle.followsRelation(one) && !oracle.compareMember(one, caller, row).holds
  );
  const isLater = asked.some(oracle.followsRelation);
  const compared = isLater ? [] : oracle.comparisons(access, caller, row);
  const step = { layer: "access" as const, rule: accessText(access), compared };
  if (isHidden) return { refusal: "ACCESS_CONDITION_FAILED", step };
  if (isLater || oracle.admits(access, caller, row)) return { refusal: null, step };
  return { refusal: rowCode(question, compared), step };
}

/** Checks the members of the firewall that follow relations, on a written row (docs/decisions/relations.md). */
function writtenFirewall(question: Question): Judgement {
  const { table, row, world } = question;
  if (row === undefined || row === null || table === null) return { refusal: null, step: null };
  const caller = scoped(question);
  const following = oracle.bindingPredicates(table, caller).filter(oracle.followsRelation);
  if (following.length === 0) return { refusal: null, step: null };
  const compared = following.map((one) => oracle.compareMember(one, caller, row, world));
  const step = {
    layer: "firewall" as const,
    rule: membersText(following),
    compared,
  };
  const holds = compared.every((one) => one.holds);
  return { refusal: holds ? null : missCode({ ...question, row: null }, []), step };
}

/** Checks the conditions of the access rule that follow relations, on a new row. */
function writtenRow(question: Question): Judgement {
  return judgedAsWritten(question, oracle.admits);
}

/** Checks the access rule on a changed row. */
function changedRow(question: Question): Judgement {
  return judgedAsWritten(question, oracle.admitsWritten);
}

function judgedAsWritten(question: Question, admits: typeof oracle.admits): Judgement {
  const { access, row, world, isAction } = question;
  const asked = oracle.askedIn(access);
  if (row === undefined || row === null || !asked.some(oracle.followsRelation)) {
    return { refusal: null, step: null };
  }
  const caller = scoped(question);
  const compared = oracle.comparisons(access, caller, row, world);
  const step = { layer: "access" as const, rule: accessText(access), compared };
  if (admits(access, caller, row, world)) return { refusal: null, step };
  return {
    refusal: isAction ? "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE" : "ACCESS_CONDITION_FAILED",
    step,
  };
}

/** Returns the caller in the organization that scopes the request. */
function scoped({ caller, namedOrganization }: Question): Principal {
  return caller.credential === "none" ? { ...caller, organizationId: namedOrganization } : caller;
}

/** Returns a firewall's members as text; all of them bind. */
function membersText(members: readonly FirewallPredicate[]): string {
  return members.map((one) =>
    members.length > 1 && one.kind === "rule" && one.predicate.kind === "any"
      ? `(${firewallText(one)})`
      : firewallText(one)
  ).join(" and ");
}

/** Returns a rule as text: `agent or (customer where createdBy equals userId)`. */
export function accessText(access: Access): string {
  switch (access.kind) {
    case "nobody":
      return "nobody";
    case "roles":
      return access.roles.length === 1
        ? `role ${access.roles[0]}`
        : `one of the roles ${access.roles.join(", ")}`;
    case "userRole":
      return `platform role ${access.roles.join(" or ")}`;
    case "record":
      return access.conditions.map(conditionText).join(" and ");
    case "row":
      return predicateText(access.predicate);
    case "all":
      return access.of.map(nestedText).join(" and ");
    case "any":
      return access.of.map(nestedText).join(" or ");
    case "first":
      return access.of.map(nestedText).join(", else ");
  }
}

function nestedText(access: Access): string {
  return "of" in access ? `(${accessText(access)})` : accessText(access);
}

/** Returns a compared condition or predicate as text. */
export function askedText(asked: oracle.Comparison["condition"]): string {
  return "column" in asked ? conditionText(asked) : predicateText(asked);
}
