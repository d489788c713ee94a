/**
 * Decides which caller may do what to which row, from a second reading of the contract and the definitions. It shares no code
 * with the runtime's layers, so that each can prove the other (contract 2.2, 5.4, 7.2, definitions 4.1, 4.2, 4.4).
 */
import type { Access, Condition, FirewallPredicate, MaskRule, Operand } from "../model/mod.ts";
import type { Principal, RowPredicate, Scalar, TableModel } from "../model/mod.ts";
import { isMet } from "./compare_values.ts";

/** A row by API names, its values as in JSON. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Every row of each table by the table's name, with deleted ones and those of other tenants: relations are followed into these
 * rows.
 */
export type World = ReadonlyMap<string, readonly Row[]>;

/** World for rules that follow no relation. */
const NO_WORLD: World = new Map();

/** Returns the same world with its deleted rows as if they were live. Restorations, histories and `deleted` count such rows. */
export function withDeleted(world: World): World {
  return new Map([...world].map(([table, rows]) => [table, undeleted(rows)]));
}

/** Undeleted rows by list, cached because lists are read often and never change. */
const UNDELETED = new WeakMap<readonly Row[], readonly Row[]>();

function undeleted(rows: readonly Row[]): readonly Row[] {
  const made = UNDELETED.get(rows) ?? rows.map((row) => ({ ...row, deletedAt: null }));
  UNDELETED.set(rows, made);
  return made;
}

/** One condition on one row, with the values that it compared. A predicate that is no comparison has its truth value. */
export interface Comparison {
  readonly condition: Condition | RowPredicate;
  readonly actual: unknown;
  /** Value of the condition; null: the caller has no such value, so that no row matches. */
  readonly wanted: Scalar | readonly Scalar[];
  readonly holds: boolean;
}

const PLATFORM = new Set(["sysadmin", "appmanager"]);

/**
 * True when the caller has the role (contract 5.4). A delegated principal has the roles that it was given and none that an
 * account has (contract 5.6).
 */
export function isHeld(role: string, caller: Principal): boolean {
  const { credential } = caller;
  const isAccount = credential === "session" || credential === "token";
  if (role === "PUBLIC") return true;
  if (role === "SESSION") return isAccount;
  if (role === "SCOPED") return credential === "scope";
  if (role === "AUTHENTICATED") {
    return isAccount || ["scope", "apiKey", "oauth"].includes(credential);
  }
  return PLATFORM.has(role) ? caller.userRole === role : caller.roles.includes(role);
}

/** True when some row could pass. It is checked before a row is read. */
export function mayAdmit(access: Access, caller: Principal): boolean {
  return passes(access, caller, () => true);
}

export function admits(
  access: Access,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): boolean {
  return passes(access, caller, (asked) => compare(asked, caller, row, world).holds);
}

function passes(
  access: Access,
  caller: Principal,
  holds: (asked: Condition | RowPredicate) => boolean,
): boolean {
  const isTrue = truthOf(access, caller, holds);
  return isTrue && (caller.credential !== "delegated" || isNamed(access, caller, holds));
}

function truthOf(
  access: Access,
  caller: Principal,
  holds: (asked: Condition | RowPredicate) => boolean,
): boolean {
  switch (access.kind) {
    case "nobody":
      return false;
    case "roles":
      return access.roles.some((role) => isHeld(role, caller));
    case "userRole":
      return caller.userRole !== null && access.roles.includes(caller.userRole);
    case "record":
      return access.conditions.every(holds);
    case "row":
      return holds(access.predicate);
    case "all":
      return access.of.length > 0 && access.of.every((part) => truthOf(part, caller, holds));
    case "any":
      return access.of.some((part) => truthOf(part, caller, holds));
    case "first": {
      const part = firstOf(access.of, caller);
      return part !== undefined && truthOf(part, caller, holds);
    }
  }
}

/** Returns the part that binds the caller: the first that some row could pass. */
function firstOf(parts: readonly Access[], caller: Principal): Access | undefined {
  return parts.find((part) => mayAdmit(part, caller));
}

/** True when the rule names a role of the delegated principal, because conditions alone admit only accounts. */
function isNamed(
  access: Access,
  caller: Principal,
  holds: (asked: Condition | RowPredicate) => boolean,
): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.some((role) => isHeld(role, caller));
    case "all":
      return access.of.some((part) => isNamed(part, caller, holds));
    case "any":
      return access.of.some((part) => truthOf(part, caller, holds) && isNamed(part, caller, holds));
    case "first": {
      const part = firstOf(access.of, caller);
      return part !== undefined && isNamed(part, caller, holds);
    }
    default:
      return false;
  }
}

/** Returns the firewall's members that bind this caller (definitions 4.1). */
export function bindingPredicates(
  table: TableModel,
  caller: Principal,
): readonly FirewallPredicate[] {
  return table.firewall.filter(({ roles, exceptRoles }) =>
    !exceptRoles.some((role) => isHeld(role, caller)) &&
    (roles.length === 0 || roles.some((role) => isHeld(role, caller)))
  );
}

/** Returns the members that hide a row from the caller; empty: the row is visible. */
export function hidingPredicates(
  table: TableModel,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): readonly FirewallPredicate[] {
  return bindingPredicates(table, caller).filter((one) =>
    !compareMember(one, caller, row, world).holds
  );
}

/** Evaluates a member of a firewall on a row. */
export function compareMember(
  member: FirewallPredicate,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): Comparison {
  return compare(member.kind === "rule" ? member.predicate : member, caller, row, world);
}

/** Returns every record condition of a rule with the values that it compares on this row. */
export function comparisons(
  access: Access,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): readonly Comparison[] {
  const bound = access.kind === "first" ? firstOf(access.of, caller) ?? access : access;
  return askedIn(bound).map((asked) => compare(asked, caller, row, world));
}

/** True when the condition's truth on a row depends on other rows. */
export function followsRelation(asked: Condition | FirewallPredicate | RowPredicate): boolean {
  if ("column" in asked) return false;
  switch (asked.kind) {
    case "rule":
      return followsRelation(asked.predicate);
    case "related":
      return true;
    case "all":
    case "any":
      return asked.of.some(followsRelation);
    case "not":
    case "context":
      return followsRelation(asked.of);
    default:
      return false;
  }
}

/**
 * True when a changed row still meets the part of the rule that follows relations (docs/decisions/relations.md). If several
 * parts all bind, only those that follow relations count. If one of several is enough and any of them follows a relation, all
 * of them count.
 */
export function admitsWritten(
  access: Access,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): boolean {
  switch (access.kind) {
    case "all":
      return access.of.every((part) => admitsWritten(part, caller, row, world));
    case "any": {
      // Parts for other roles do not apply to this caller.
      const of = access.of.filter((part) => truthOf(part, caller, () => true));
      if (!of.some((part) => askedIn(part).some(followsRelation))) return true;
      const [only, ...others] = of;
      return only && others.length === 0
        ? admitsWritten(only, caller, row, world)
        : of.some((part) => truthOf(part, caller, (one) => compare(one, caller, row, world).holds));
    }
    case "row":
      return isWrittenTrue(access.predicate, caller, row, world);
    default:
      return true;
  }
}

function isWrittenTrue(
  predicate: RowPredicate,
  caller: Principal,
  row: Row,
  world: World,
): boolean {
  if (!followsRelation(predicate)) return true;
  if (predicate.kind === "all") {
    return predicate.of.every((part) => isWrittenTrue(part, caller, row, world));
  }
  if (predicate.kind === "context") {
    return !predicate.keys.some((key) => isLacking(key, caller)) &&
      isWrittenTrue(predicate.of, caller, row, world);
  }
  return isTrue(predicate, caller, row, world);
}

/** Returns the conditions and predicates of a rule. */
export function askedIn(access: Access): readonly (Condition | RowPredicate)[] {
  switch (access.kind) {
    case "row":
      return [access.predicate];
    case "record":
      return access.conditions;
    case "all":
    case "any":
    case "first":
      return access.of.flatMap(askedIn);
    default:
      return [];
  }
}

/** Returns the conditions of a rule that compare columns of the record. */
export function conditionsIn(access: Access): readonly Condition[] {
  switch (access.kind) {
    case "record":
      return access.conditions;
    case "all":
    case "any":
    case "first":
      return access.of.flatMap(conditionsIn);
    default:
      return [];
  }
}

/** True when an anonymous caller gets past authentication (contract 5.1). */
export function isOpen(access: Access): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.includes("PUBLIC");
    case "any":
    case "first":
      return access.of.some(isOpen);
    case "all":
      return access.of.some(isOpen) &&
        access.of.every((part) => part.kind === "record" || part.kind === "row" || isOpen(part));
    default:
      return false;
  }
}

/** True when the caller sees the plain value of a masked column (definitions 4.4). */
export function isShown(
  mask: MaskRule,
  caller: Principal,
  { row, table }: { readonly row: Row; readonly table: TableModel },
  world: World = NO_WORLD,
): boolean {
  if (mask.showRows && compare(mask.showRows, caller, row, world).holds) return true;
  if (mask.showRoles.some((role) => isHeld(role, caller))) return true;
  return mask.showOwner && caller.userId !== null && row[table.ownerColumn] === caller.userId;
}

export function compare(
  condition: Condition | RowPredicate,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): Comparison {
  if (!("column" in condition)) {
    return { condition, actual: null, wanted: null, holds: isTrue(condition, caller, row, world) };
  }
  const wanted = valueOf(condition.operand, caller);
  const actual = row[condition.column] ?? null;
  const isAbsent = condition.operand.kind === "context" && wanted === null;
  return { condition, actual, wanted, holds: !isAbsent && isMet(condition, actual, wanted) };
}

/** Evaluates a predicate on one row by reading all rows of the world (docs/decisions/relations.md). */
function isTrue(predicate: RowPredicate, caller: Principal, row: Row, world: World): boolean {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.every((one) => compare(one, caller, row).holds);
    case "all":
      return predicate.of.every((part) => isTrue(part, caller, row, world));
    case "any":
      return predicate.of.some((part) => isTrue(part, caller, row, world));
    case "not":
      return !isTrue(predicate.of, caller, row, world);
    case "holders": {
      const { roles, exceptRoles } = predicate;
      return !exceptRoles.some((role) => isHeld(role, caller)) &&
        (roles.length === 0 || roles.some((role) => isHeld(role, caller)));
    }
    case "context":
      return !predicate.keys.some((key) => isLacking(key, caller)) &&
        isTrue(predicate.of, caller, row, world);
    case "related": {
      const { relation: { table, own, related, tenant, deletedAt }, quantifier, of } = predicate;
      const rows = world.get(table);
      if (!rows) throw new Error(`The world has no rows of "${table}"`);
      const key = row[own] ?? null;
      const met = key !== null && rows.some((other) =>
        other[related] === key &&
        (tenant === null || other[tenant.related] === row[tenant.own]) &&
        (deletedAt === null || (other[deletedAt] ?? null) === null) &&
        isTrue(of, caller, other, world)
      );
      return quantifier === "some" ? met : !met;
    }
  }
}

function isLacking(key: "userId" | "activeOrgId" | "activeTeamId" | "roles", caller: Principal) {
  if (key === "roles") return caller.roles.length === 0;
  return valueOf({ kind: "context", key }, caller) === null;
}

function valueOf(operand: Operand, caller: Principal): Scalar | readonly Scalar[] {
  switch (operand.kind) {
    case "literal":
      return operand.value;
    case "literals":
      return operand.values;
    case "contextList":
      return caller.roles;
    case "context":
      return {
        userId: caller.userId,
        activeOrgId: caller.organizationId,
        activeTeamId: caller.teamId,
      }[operand.key];
  }
}
