/** Resolves `through` and `anyOf` of a firewall once every table is known (definitions 4.1, docs/decisions/relations.md). */
import * as limits from "../../../../contract/limits.ts";
import { ANY_OF, HOLDERS, THROUGH } from "../../../../definition_language/rules.ts";
import type { FirewallPredicate, RowPredicate, RulePredicate } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, requireKey } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue, itemAt, wrongType } from "../read/reader.ts";
import { readRoles } from "../read/roles.ts";
import { readWhere, unitOf } from "./conditions.ts";
import type { FirewallDraft, UnsettledFirewall } from "./firewall.ts";
import { added, conditionsOf, joined, type RuleSize, sizeOf } from "./predicate_tree.ts";
import { isRule, readBoundRoles, readPredicate, type RuleDraft } from "./predicates.ts";
import {
  type FoundRelation,
  type RelatedTable,
  type RelationGraph,
  requireRelation,
  rowRelation,
} from "./relation_graph.ts";

/** Every table's firewall before its relations are resolved, by the table's name. */
type Firewalls = ReadonlyMap<string, UnsettledFirewall>;

interface Settling {
  readonly firewalls: Firewalls;
  readonly graph: RelationGraph;
  readonly from: RelatedTable;
  /** Tables that the current chain of `through` has passed, the first one first. */
  readonly path: readonly string[];
}

export function settledFirewall(
  firewall: UnsettledFirewall,
  { firewalls, graph }: Pick<Settling, "firewalls" | "graph">,
): FirewallDraft {
  const { name } = firewall.table;
  const from = graph.tables.get(name);
  if (!from) throw new Error(`The graph has no table "${name}"`);
  const settling = { firewalls, graph, from, path: [name] };
  const predicates = firewall.predicates.map((predicate) =>
    predicate.kind === "draft" ? readRule(predicate, settling) : predicate
  );
  const known = predicates.filter((predicate) => predicate !== undefined);
  const isWithin = requireWithinLimits(known, { firewall, graph });
  const isComplete = firewall.isComplete && isWithin && known.length === predicates.length;
  return { ...firewall, predicates: known, isComplete };
}

function requireWithinLimits(
  predicates: readonly FirewallPredicate[],
  { firewall: { table, place }, graph }: {
    readonly firewall: UnsettledFirewall;
    readonly graph: RelationGraph;
  },
): boolean {
  const rules = predicates.filter((one) => one.kind === "rule").map(({ predicate }) => predicate);
  if (rules.length === 0) return true;
  const columns = { comparisons: predicates.length - rules.length, relations: 0, way: [] };
  const size = rules.map(sizeOf).reduce(added, columns);
  return requireSize(size, { table: table.name, place, report: graph.analysis.report });
}

/** Reports a rule over a limit of size and returns false for it. */
export function requireSize(
  { comparisons, relations, way }: RuleSize,
  { table, place, report }: {
    readonly table: string;
    readonly place: Place;
    readonly report: At["report"];
  },
): boolean {
  const isLarge = comparisons > limits.RULE_COMPARISONS_MAX ||
    relations > limits.RULE_RELATIONS_MAX;
  if (isLarge) report.add("RULE_TOO_LARGE", place, { table, comparisons, relations });
  const isDeep = way.length > limits.RULE_DEPTH_MAX;
  if (isDeep) report.add("RELATION_DEPTH", place, { table, way });
  return !isLarge && !isDeep;
}

function readRule({ value, at }: RuleDraft, settling: Settling): RulePredicate | undefined {
  const isThrough = value.kind === "object" && value.entries.some(({ key }) => key === "through");
  const fields = isThrough ? readFields(value, THROUGH, at) : readFields(value, ANY_OF, at);
  if (!fields) return undefined;
  const bound = readBound(fields, settling);
  const predicate = isThrough ? readThrough(value, settling, at) : readAnyOf(value, settling, at);
  return bound && predicate && { kind: "rule", predicate, ...bound };
}

function readBound(fields: Fields, { graph }: Settling) {
  const { hierarchy } = graph.analysis.config;
  const roles = readBoundRoles(fields, "roles", { hierarchy });
  const exceptRoles = readBoundRoles(fields, "exceptRoles", { hierarchy });
  return roles && exceptRoles && { roles, exceptRoles };
}

function readThrough(value: Value, settling: Settling, at: At): RowPredicate | undefined {
  const fields = readFields(value, THROUGH, at);
  const word = fields && read(fields, "through");
  if (!fields || !word) return undefined;
  const { graph, from } = settling;
  const asked = { graph, report: at.report, takesTables: false };
  const relation = requireRelation(word, from, asked);
  if (!relation) return undefined;
  const present = (["where", "some", "none"] as const).filter((key) => fields.entries.has(key));
  const [key, ...others] = present;
  const isFitting = relation.direction === "parent"
    ? key === undefined || (key === "where" && others.length === 0)
    : key !== undefined && key !== "where" && others.length === 0;
  if (!isFitting) {
    at.report.add("RELATION_QUANTIFIER", word.place, {
      relation: word.text,
      direction: relation.direction,
      found: present,
    });
    return undefined;
  }
  if (key === undefined) return reachable(relation, settling, { at, place: word.place });
  const of = readField(
    fields,
    key,
    (conditions, place) => readWhere(conditions, { from: relation.target, graph }, place),
  );
  if (!of) return undefined;
  const quantifier = key === "none" ? "none" : "some";
  return unitOf({ kind: "related", relation: rowRelation(relation, of, graph), quantifier, of });
}

/** Returns the conditions under which the caller can reach the row of a key: that row's own firewall, resolved. */
function reachable(
  relation: FoundRelation,
  settling: Settling,
  { at, place }: { readonly at: At; readonly place: Place },
): RowPredicate | undefined {
  const { firewalls, graph, path } = settling;
  const { name } = relation.target.table;
  if (path.includes(name)) {
    const circle = [...path.slice(path.indexOf(name)), name];
    at.report.add("RELATION_CIRCLE", place, { circle });
    return undefined;
  }
  const inner = { ...settling, from: relation.target, path: [...path, name] };
  const parts = (firewalls.get(name)?.predicates ?? []).map((predicate) => {
    if (predicate.kind === "draft") return bindingPart(readRule(predicate, inner));
    // The relation itself requires the tenant and live rows.
    const isAsked = predicate.kind === "notDeleted" ||
      (relation.tenant !== null && predicate.column === relation.tenant.related &&
        predicate.kind === "organization");
    return isAsked ? null : bindingPart(predicate);
  });
  const known = parts.filter((part) => part !== undefined);
  if (known.length !== parts.length) return undefined;
  const of = joined("all", known.filter((part) => part !== null));
  const whole = of.kind === "all" && of.of.length === 0 ? conditionsOf() : of;
  return {
    kind: "related",
    relation: rowRelation(relation, whole, graph),
    quantifier: "some",
    of: whole,
    isReach: true,
  };
}

/** Returns a part of a parent's firewall, which admits the callers whom it does not bind. */
function bindingPart(predicate: FirewallPredicate | undefined): RowPredicate | undefined {
  if (predicate === undefined) return undefined;
  const { roles, exceptRoles } = predicate;
  const part = partOf(predicate);
  if (roles.length === 0 && exceptRoles.length === 0) return part;
  const unbound: RowPredicate = { kind: "not", of: { kind: "holders", roles, exceptRoles } };
  return { kind: "any", of: [unbound, part] };
}

function partOf(predicate: FirewallPredicate): RowPredicate {
  if (predicate.kind === "rule") return predicate.predicate;
  const { column, operator, operand } = predicate;
  return conditionsOf({ column, operator, operand });
}

function readAnyOf(value: Value, settling: Settling, at: At): RowPredicate | undefined {
  const fields = readFields(value, ANY_OF, at);
  return fields && readField(fields, "anyOf", (items, place) => {
    if (items.kind !== "array") return wrongType(items, "a list of predicates", place);
    if (items.items.length === 0) return invalidValue(items, "at least one predicate", place);
    const parts = items.items.map((item, index) => readItem(item, settling, itemAt(place, index)));
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? { kind: "any", of: known } : undefined;
  });
}

/** Reads one alternative of `anyOf`: a predicate, a list that binds together, or roles alone. */
function readItem(value: Value, settling: Settling, at: At): RowPredicate | undefined {
  if (value.kind === "array") {
    if (value.items.length === 0) return invalidValue(value, "at least one predicate", at);
    const parts = value.items.map((item, index) => readMember(item, settling, itemAt(at, index)));
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? joined("all", known) : undefined;
  }
  return readMember(value, settling, at);
}

function readMember(value: Value, settling: Settling, at: At): RowPredicate | undefined {
  const { graph, from } = settling;
  const { hierarchy } = graph.analysis.config;
  if (isHolders(value)) {
    const fields = readFields(value, HOLDERS, at);
    if (fields) requireKey(fields, "roles");
    const roles = fields &&
      readField(fields, "roles", (list, place) => readRoles(list, hierarchy, place));
    return roles && { kind: "holders", roles, exceptRoles: [] };
  }
  const predicate = isRule(value)
    ? readRule({ kind: "draft", value, at }, settling)
    : readPredicate(value, { table: from.table, hierarchy }, at);
  if (!predicate) return undefined;
  const { roles, exceptRoles } = predicate;
  const part = partOf(predicate);
  // This is false for callers whom it does not bind. In the firewall's own list they would be admitted.
  return roles.length === 0 && exceptRoles.length === 0
    ? part
    : { kind: "all", of: [{ kind: "holders", roles, exceptRoles }, part] };
}

function isHolders(value: Value): boolean {
  return value.kind === "object" && value.entries.length === 1 &&
    value.entries[0]?.key === "roles";
}
