/**
 * Decides which caller may do what to which row, read from the contract and the definitions a second time: shares no code
 * with the runtime's layers, so that one can prove the other (contract 2.2, 5.4, 7.2, definitions 4.1, 4.2, 4.4).
 */
import type { Access, Condition, FirewallPredicate, MaskRule, Operand } from "../model/mod.ts";
import type { Principal, RowPredicate, Scalar, TableModel } from "../model/mod.ts";
import { isMet } from "./compare_values.ts";

/** A row by API names, its values as JSON has them. */
export type Row = Readonly<Record<string, unknown>>;

/** Every row of each table by its name, deleted ones and those of other tenants too: what relations are followed into. */
export type World = ReadonlyMap<string, readonly Row[]>;

/** For rules that follow no relation. */
const NO_WORLD: World = new Map();

/** The same with its deleted rows as if they were live, which restorations, histories and `deleted` count. */
export function withDeleted(world: World): World {
  return new Map([...world].map(([table, rows]) => [table, undeleted(rows)]));
}

/** Lists are asked for often and never change. */
const UNDELETED = new WeakMap<readonly Row[], readonly Row[]>();

function undeleted(rows: readonly Row[]): readonly Row[] {
  const made = UNDELETED.get(rows) ?? rows.map((row) => ({ ...row, deletedAt: null }));
  UNDELETED.set(rows, made);
  return made;
}

/** One condition on one row, with what was compared; of a predicate that is no comparison, whether it holds. */
export interface Comparison {
  readonly condition: Condition | RowPredicate;
  readonly actual: unknown;
  /** Null: the caller has no such value, which no row matches. */
  readonly wanted: Scalar | readonly Scalar[];
  readonly holds: boolean;
}

const PLATFORM = new Set(["sysadmin", "appmanager"]);

/** Contract 5.4. A delegated principal holds what it was given and nothing that an account has (contract 5.6). */
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

/** True when some row could pass; judged before a row is read. */
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

/** The part that binds the caller: the first that some row could pass. */
function firstOf(parts: readonly Access[], caller: Principal): Access | undefined {
  return parts.find((part) => mayAdmit(part, caller));
}

/** True when the rule names a role of the delegated principal: conditions alone admit accounts only. */
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

/** The firewall's members that bind this caller (definitions 4.1). */
export function bindingPredicates(
  table: TableModel,
  caller: Principal,
): readonly FirewallPredicate[] {
  return table.firewall.filter(({ roles, exceptRoles }) =>
    !exceptRoles.some((role) => isHeld(role, caller)) &&
    (roles.length === 0 || roles.some((role) => isHeld(role, caller)))
  );
}

/** The members that keep a row from the caller; empty: it is visible. */
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

/** A member of a firewall on a row. */
export function compareMember(
  member: FirewallPredicate,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): Comparison {
  return compare(member.kind === "rule" ? member.predicate : member, caller, row, world);
}

/** Every record condition of a rule with what it compares on this row. */
export function comparisons(
  access: Access,
  caller: Principal,
  row: Row,
  world: World = NO_WORLD,
): readonly Comparison[] {
  const bound = access.kind === "first" ? firstOf(access.of, caller) ?? access : access;
  return askedIn(bound).map((asked) => compare(asked, caller, row, world));
}

/** True when whether it holds on a row depends on other rows. */
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
 * True when a changed row still meets what of the rule follows relations (docs/decisions/relations.md): of several parts that
 * all bind, those alone; of several of which one is enough, all of them where one does.
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
      // Parts for other roles are none of this caller's.
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

/** Conditions and predicates of a rule. */
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

/** Conditions of a rule that compare columns of the record. */
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

/** True when the caller sees a masked column plain (definitions 4.4). */
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

/** A predicate on one row, by looking at every row that there is (docs/decisions/relations.md). */
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
