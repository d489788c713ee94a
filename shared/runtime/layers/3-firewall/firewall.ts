/**
 * The rows of one table that a caller may touch (contract 1.3, 2.2, definitions 4.1). The only file that makes a `Firewall`:
 * no query runs without one, and nothing else has its type.
 */
import type {
  ContextKey,
  ContextList,
  FirewallPredicate,
  PredicateKind,
  Scalar,
} from "../../../model/access.ts";
import type { Principal } from "../../../model/principal.ts";
import type { TableModel } from "../../../model/table.ts";
import { holdsRole } from "../../../surface/admission.ts";

/** Not exported as a value, so that `firewallFor` is the only way to one; the private field keeps look-alikes out. */
class CallerFirewall {
  readonly #raised = true;

  constructor(
    readonly table: TableModel,
    readonly principal: Principal,
    /** The organization that scopes this request: the caller's active one, or the one a PUBLIC caller named. */
    readonly organizationId: string | null,
    /** Those of the table's firewall that apply to this caller, AND-ed; empty: every row. */
    readonly predicates: readonly FirewallPredicate[],
    /**
     * Kinds of predicates that an `unsafe` action lifts, on this and on every table that is reached from it (contract 4.4
     * rule 3).
     */
    readonly lifted: readonly PredicateKind[],
  ) {}

  /** Value of a predicate's context key for this request; null matches no row. */
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

export interface FirewallCaller {
  readonly principal: Principal;
  readonly organizationId: string | null;
  /** Only authored `unsafe` actions lift anything. */
  readonly lifted?: readonly PredicateKind[];
}

/** The firewall of a table for one caller, in the organization that scopes the request. */
export function firewallFor(table: TableModel, caller: FirewallCaller): Firewall {
  const { principal, organizationId, lifted = [] } = caller;
  const predicates = predicatesFor(table, principal);
  const raised = lifted.length === 0
    ? predicates
    : predicates.filter(({ kind }) => !lifted.includes(kind));
  return new CallerFirewall(table, principal, organizationId, raised, lifted);
}

/** The members of a table's firewall that bind this caller. */
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
