/**
 * Restricts the rows of one table to those that a caller may reach (contract 1.3, 2.2, definitions 4.1). Only this file makes a
 * `Firewall`, and no query runs without one.
 */
import type { RuntimeCode } from "../../../contract/mod.ts";
import type { ContextKey, ContextList, FirewallPredicate } from "../../../model/mod.ts";
import type { PredicateKind, Principal, ResourceModel, Scalar } from "../../../model/mod.ts";
import type { TableModel } from "../../../model/mod.ts";
import type { NamedScope, QueryPlan } from "../../../surface/mod.ts";
import { holdsRole, readWriteQuery } from "../../../surface/mod.ts";
import type { Caller } from "../../context.ts";
import { refuse } from "../../refusal.ts";

/** The class is not exported as a value, so that only `firewallFor` makes one. The private field excludes look-alikes. */
class CallerFirewall {
  readonly #raised = true;

  constructor(
    readonly table: TableModel,
    readonly principal: Principal,
    /** The organization that scopes this request: the caller's active one, or the one that a PUBLIC caller named. */
    readonly organizationId: string | null,
    /** Predicates of the table's firewall that apply to this caller, AND-ed; empty: every row. */
    readonly predicates: readonly FirewallPredicate[],
    /**
     * Kinds of predicates that an `unsafe` action lifts, on this and on every table that is reached from it (contract 4.4
     * rule 3).
     */
    readonly lifted: readonly Lifted[],
    /** Related rows that count as existing. */
    readonly shown: Shown,
  ) {}

  /** Returns the value of a predicate's context key for this request; null matches no row. */
  contextValue(key: ContextKey): Scalar {
    switch (key) {
      case "userId":
        return this.principal.userId;
      case "activeOrgId":
        return this.organizationId;
      case "activeTeamId":
        return this.principal.teamId;
    }
  }

  contextList(_key: ContextList): readonly string[] {
    return this.principal.roles;
  }

  get isRaised(): true {
    return this.#raised;
  }
}

export type Firewall = CallerFirewall;

/** Related rows that count as existing: live ones, live ones and those that this deletion has stamped, or all. */
type Shown =
  | { readonly kind: "living" | "all" }
  | { readonly kind: "deletedNow"; readonly at: string };

export interface FirewallCaller {
  readonly principal: Principal;
  readonly organizationId: string | null;
  /** Kinds that an authored `unsafe` action lifts; no other operation lifts any. */
  readonly lifted?: readonly Lifted[];
}

/** Kinds of predicates, or all rules that follow relations. */
export type Lifted = PredicateKind | "rule";

/** Builds the firewall of a table for one caller, in the organization that scopes the request. */
export function firewallFor(table: TableModel, caller: FirewallCaller): Firewall {
  const { principal, organizationId, lifted = [] } = caller;
  const predicates = predicatesFor(table, principal);
  const raised = lifted.length === 0
    ? predicates
    : predicates.filter(({ kind }) => !lifted.includes(kind));
  return new CallerFirewall(table, principal, organizationId, raised, lifted, { kind: "living" });
}

/** Builds the same while a deletion stamps rows at this time: rows behind a relation that it stamps still count as existing. */
export function firewallDuring(table: TableModel, caller: FirewallCaller, at: string): Firewall {
  const { principal, organizationId, predicates, lifted } = firewallFor(table, caller);
  const shown = { kind: "deletedNow", at } as const;
  return new CallerFirewall(table, principal, organizationId, predicates, lifted, shown);
}

/** Returns the firewall with soft-deleted rows of this table. Tables reached from it are restricted as usual. */
export function firewallWithDeleted(table: TableModel, caller: FirewallCaller): Firewall {
  const { principal, organizationId, lifted = [] } = caller;
  const predicates = predicatesFor(table, principal)
    .filter(({ kind }) => kind !== "notDeleted" && !lifted.includes(kind));
  return new CallerFirewall(table, principal, organizationId, predicates, lifted, { kind: "all" });
}

/** Returns the predicates of a table's firewall that bind this caller. */
export function predicatesFor(
  table: TableModel,
  principal: Principal,
): readonly FirewallPredicate[] {
  const { firewall } = table;
  if (
    firewall.every((predicate) =>
      predicate.roles.length === 0 && predicate.exceptRoles.length === 0
    )
  ) return firewall;
  return firewall.filter((predicate) => binds(predicate, principal));
}

function binds({ roles, exceptRoles }: FirewallPredicate, principal: Principal): boolean {
  if (exceptRoles.some((role) => holdsRole(principal, role))) return false;
  return roles.length === 0 || roles.some((role) => holdsRole(principal, role));
}

/** The records of a request. */
export interface RecordTarget {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** True when it may insert a row. */
  readonly makesRows: boolean;
}

/**
 * Returns the organization that scopes a request (contract 2.2, definitions 7, "firewall codes"). Refuses with `ACCESS_NO_ORG`,
 * `ORG_REQUIRED` and `FIREWALL_ORG_ISOLATION`. A signed-in caller without an active organization is refused where the table
 * isolates organizations.
 */
export function requireOrganization(
  target: Pick<RecordTarget, "table" | "makesRows">,
  principal: Principal,
): void {
  if (principal.credential === "none" || principal.organizationId !== null) return;
  if (needsOrganization(target, principal)) refuse("ACCESS_NO_ORG");
}

/** Returns the caller in their scope: their own organization, or the one that an anonymous caller named. */
export function callerIn(
  target: RecordTarget,
  principal: Principal,
  scope: NamedScope | null,
): Caller {
  const named = scope?.organizationId ?? null;
  if (!needsOrganization(target, principal)) {
    return { principal, organizationId: principal.organizationId };
  }
  if (principal.credential === "none") {
    if (named === null) refuse("ORG_REQUIRED");
    return { principal, organizationId: named };
  }
  requireOrganization(target, principal);
  if (named !== null && named !== principal.organizationId) {
    refuseHidden(target.resource, "FIREWALL_ORG_ISOLATION");
  }
  return { principal, organizationId: principal.organizationId };
}

/**
 * Returns the scope that a write's query names, before the query is validated: its mistakes are refused at the step of
 * validation.
 */
export function namedScope(
  query: QueryPlan,
  { search, principal }: { readonly search: string; readonly principal: Principal },
): NamedScope | null {
  const reading = readWriteQuery(query, { parameters: new URLSearchParams(search), principal });
  return reading.kind === "query" ? reading.query.scope : null;
}

/** True when the caller can run the operation only in an organization. */
export function needsOrganization(
  { table, makesRows }: Pick<RecordTarget, "table" | "makesRows">,
  principal: Principal,
): boolean {
  // A new row is stamped with its organization, whatever rows the firewall shows its reader.
  if (makesRows && table.scope.organization !== null) return true;
  return predicatesFor(table, principal).some((predicate) =>
    predicate.kind !== "rule" && predicate.operand.kind === "context" &&
    predicate.operand.key === "activeOrgId"
  );
}

/** Refuses a caller who has no account or no team, where the row's scope columns need one. */
export function requireOwnScopes({ scope }: TableModel, principal: Principal): void {
  if (scope.owner !== null && principal.userId === null) refuse("ACCESS_OWNERSHIP_REQUIRED");
  if (scope.team !== null && principal.teamId === null) {
    refuse("ACCESS_CONDITION_FAILED", {
      detail: "The record belongs to a team, and the caller has no active one",
      hint: "Choose an active team first",
    });
  }
}

/**
 * Refuses a record that the firewall hides, with this code, or with `NOT_FOUND` where the resource hides its firewall (contract
 * 7.2, definitions 7): missing and foreign records answer the same bytes.
 */
export function refuseHidden(resource: ResourceModel, code: FirewallCode): never {
  return refuse(hiddenCode(resource, code));
}

type FirewallCode = Extract<RuntimeCode, `FIREWALL_${string}`>;

/** Returns the code with which a hidden record is refused; a resource of null: its table has no routes. */
export function hiddenCode(
  resource: Pick<ResourceModel, "firewallErrorMode"> | null,
  code: FirewallCode,
): RuntimeCode {
  return resource?.firewallErrorMode === "hide" ? "NOT_FOUND" : code;
}
