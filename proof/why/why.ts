/**
 * Explains the answer to one request of one caller: every rule on the way, with its place in the definitions and the compared
 * values (contract 1.3, 7.2; docs/proof.md, why).
 */
import { RUNTIME_CODES, type RuntimeCode } from "../../shared/contract/mod.ts";
import { type MaskRule, type Origin, sourcePath } from "../../shared/model/mod.ts";
import { firewallText, hooksByOperation, predicateText, VERBS } from "../../shared/surface/mod.ts";
import { chainOf } from "../../shared/oracle/chain.ts";
import { accessText, askedText, explain } from "../../shared/oracle/explain.ts";
import { explainChanged, type Step } from "../../shared/oracle/explain.ts";
import { bindingPredicates, compare, followsRelation } from "../../shared/oracle/judge.ts";
import { isShown, withDeleted } from "../../shared/oracle/judge.ts";
import { admitsEvery } from "../../shared/oracle/manifest.ts";
import * as origins from "../../shared/oracle/places.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import { routeFinder } from "./route_at.ts";
import { guardStep, type JudgedStep } from "./why_guards.ts";
import { ComparedValue, DefinedProject, WhyQuestion, WhyStep } from "./why_question.ts";

/** Rule that depends on a row or body which is not given. */
interface OpenRule {
  readonly rule: string;
  readonly place: Origin;
}

export interface Why {
  readonly operationId: string | null;
  readonly status: number;
  readonly code: RuntimeCode | null;
  /** Steps in the order in which they are judged; the last one decides. */
  readonly steps: readonly WhyStep[];
  readonly open: readonly OpenRule[];
  /** True when a collection's answer would contain the given row; null: no row is given. */
  readonly isListed: boolean | null;
  /** Columns that the answer masks; empty if the request is refused. */
  readonly masks: readonly MaskedColumn[];
}

export function why(question: WhyQuestion, defined: DefinedProject): Why {
  const match = routeFinder(defined.model)(question);
  switch (match.kind) {
    case "notFound":
      return unrouted("ROUTE_NOT_FOUND", "no route of the project has this path");
    case "methodNotAllowed":
      return unrouted("METHOD_NOT_ALLOWED", `this path answers ${match.methods.join(", ")}`);
    case "gated": {
      const { operationId, gate } = match.route;
      const code = gate.refusalOf(question.caller);
      const step: WhyStep = {
        layer: code === null ? "authentication" : RUNTIME_CODES[code].layer,
        passed: code === null,
        rule: gate.text,
        place: gate.setting === null ? null : origins.settingPlace(gate.setting, defined.places),
        compared: [],
      };
      return whyOf(operationId, code, 200, [step]);
    }
    case "ruled":
      return ruled(match.route, question, defined);
  }
}

function unrouted(code: "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED", rule: string): Why {
  const step: WhyStep = { layer: "route", passed: false, rule, place: null, compared: [] };
  return whyOf(null, code, 0, [step]);
}

function ruled(route: RuledRoute, question: WhyQuestion, defined: DefinedProject): Why {
  const { operationId, subject, success: [success = 200] } = route;
  if (route.use === "collection" && question.row) return listed(route, question, defined);
  const isAction = subject.kind === "action";
  const { refusal, steps } = explain({
    ...route,
    ...question,
    // A collection has no row, and a new row is made of its body.
    row: route.use === "collection" || route.use === "none" ? undefined : question.row,
    isAction,
  });
  const placed = steps.map((step) => placedStep(step, route, question, defined));
  const open = refusal === null ? openRules(route, question, defined) : [];
  // After row access come guards on the body, or the action's transition; then the row as it will be.
  const later = refusal !== null
    ? null
    : guardStep(route, question, defined) ?? transitionStep(route, question, defined);
  const early = refusal ?? later?.code ?? null;
  const written = early === null ? asWritten(route, question, defined) : null;
  const code = early ?? written?.refusal ?? null;
  const all = [
    ...placed,
    ...(later === null ? [] : [later.step]),
    ...(written?.steps ?? []),
    ...(code === null ? hookSteps(operationId, defined) : []),
  ];
  return {
    ...whyOf(operationId, code, success, all),
    open,
    masks: code === null ? masksFor(route, question, defined) : [],
  };
}

/**
 * Returns the steps of the author's hooks around a write, which may refuse it or set columns; their outcome is unknown before
 * they run.
 */
function hookSteps(operationId: string, { model }: DefinedProject): readonly WhyStep[] {
  const hooks = hooksByOperation(model).get(operationId);
  if (!hooks) return [];
  return [{
    layer: "action",
    passed: true,
    rule: `${hooks.hooks.join(", ")} of "${hooks.table}" run, and may refuse it`,
    place: { file: hooks.module, line: 1, column: 1 },
    compared: [],
  }];
}

/** Judges a changed row by the rules that follow relations; null: nothing is changed, or nothing is known about it. */
function asWritten(route: RuledRoute, question: WhyQuestion, defined: DefinedProject) {
  const { subject } = route;
  const { row, body } = question;
  if (subject.kind !== "operation" || !row || body === null) return null;
  const verb = VERBS[subject.operation.kind];
  if (verb !== "update" && verb !== "upsert") return null;
  const next = { ...question, row: { ...row, ...body } };
  const { refusal, steps } = explainChanged({ ...route, ...next, isAction: false });
  const placed = steps.map((step) => placedStep(step, route, next, defined));
  return {
    refusal,
    steps: placed.map((step) => ({ ...step, rule: `as it will be: ${step.rule}` })),
  };
}

/** Judges a row in a list: a row that may not be read is left out, without an error. */
function listed(route: RuledRoute, question: WhyQuestion, defined: DefinedProject): Why {
  const gates = ruled(route, { ...question, row: undefined }, defined);
  if (gates.code !== null) return gates;
  const { refusal, steps } = explain({ ...route, ...question, use: "roleFirst", isAction: false });
  return {
    ...gates,
    steps: steps.map((step) => placedStep(step, route, question, defined)),
    open: [],
    isListed: refusal === null,
    masks: refusal === null ? masksFor(route, question, defined) : [],
  };
}

function whyOf(
  operationId: Why["operationId"],
  code: Why["code"],
  success: number,
  steps: Why["steps"],
): Why {
  const status = code === null ? success : RUNTIME_CODES[code].status;
  return { operationId, status, code, steps, open: [], isListed: null, masks: [] };
}

function placedStep(
  step: Step,
  route: RuledRoute,
  { caller, row, world }: WhyQuestion,
  { places }: DefinedProject,
): WhyStep {
  const isDeletedShown = route.use === "deletedRow" || route.use === "anyRow";
  const compared = step.compared.map((one): ComparedValue => {
    const { condition, actual, wanted, holds } = one;
    const { table } = route;
    const predicate = step.layer === "firewall"
      ? table?.firewall.find((one) =>
        one === condition || (one.kind === "rule" && one.predicate === condition)
      )
      : undefined;
    const place = table !== null && predicate !== undefined
      ? origins.predicatePlace(table, predicate, places)
      : "column" in condition
      ? origins.conditionPlace(route, condition.column, places)
      : origins.routeRulePlace(route, places);
    const chain = row && world && followsRelation(condition)
      ? [chainOf(condition, { caller, row, world: isDeletedShown ? withDeleted(world) : world })]
      : [];
    return { condition: askedText(condition), actual, wanted, holds, place, chain };
  });
  const decisive = compared.find(({ holds }) => !holds) ?? compared[0];
  return { ...step, compared, place: decisive?.place ?? stepPlace(step, route, places) };
}

/** Returns the place of the step's rule; for a missing organization, the place of the predicate that compares with it. */
function stepPlace({ layer }: Step, route: RuledRoute, places: origins.DefinitionPlaces): Origin {
  const { table } = route;
  const scoping = table?.firewall.find(({ kind }) => kind === "organization");
  return layer === "firewall" && table !== null
    ? scoping === undefined ? table.origin : origins.predicatePlace(table, scoping, places)
    : origins.routeRulePlace(route, places);
}

/** Returns rules that every row must meet, for a question without a row. */
function openRules(
  route: RuledRoute,
  { caller, row }: WhyQuestion,
  { places }: DefinedProject,
): readonly OpenRule[] {
  const { table, access, use, subject } = route;
  const children = keepsForChildren(subject)
    ? [{ rule: "no living row refers to it", place: origins.routeRulePlace(route, places) }]
    : [];
  const isKnown = row !== undefined && use !== "collection";
  if (isKnown || table === null || use === "none" || use === "newRow") return children;
  const predicates = bindingPredicates(table, caller).map((one) => ({
    rule: firewallText(one),
    place: origins.predicatePlace(table, one, places),
  }));
  const conditions = admitsEvery(access, caller)
    ? []
    : [{ rule: accessText(access), place: origins.routeRulePlace(route, places) }];
  return [...predicates, ...conditions, ...children];
}

/** True when other rows may prevent the deletion of the record. */
function keepsForChildren(subject: RuledRoute["subject"]): boolean {
  if (subject.kind !== "operation") return false;
  const { kind, resource } = subject.operation;
  return VERBS[kind] === "delete" && resource.delete?.children === "refuse";
}

interface MaskedColumn {
  readonly column: string;
  readonly type: MaskRule["type"];
  /** `byRow`: unmasked in rows that are the caller's own, or that the mask's own rule shows. */
  readonly shown: "plain" | "masked" | "byRow";
  /** Rule that shows the column. */
  readonly rule: string;
  readonly place: Origin;
}

function masksFor(
  { subject, table }: RuledRoute,
  question: WhyQuestion,
  { places }: DefinedProject,
): readonly MaskedColumn[] {
  const { resource } = subject.operation;
  if (table === null || resource === null || !("masks" in resource)) return [];
  const view = subject.kind === "operation" ? subject.operation.view : null;
  return Object.entries(resource.masks)
    .filter(([column]) => view === null || view.fields.includes(column))
    .map(([column, mask]) => {
      const path = mask.automatic ? `columns.${column}` : `masking.${column}`;
      const { file } = resource.origin;
      const { showRoles, showOwner, showRows, automatic } = mask;
      const whom = [
        ...showRoles,
        ...(showOwner && !showRows ? [`the row's owner (${table.ownerColumn})`] : []),
        ...(showRows ? [`whoever meets: ${predicateText(showRows)}`] : []),
      ];
      const shown = whom.length === 0 ? "shown to nobody" : `shown to ${whom.join(", ")}`;
      return {
        column,
        type: mask.type,
        shown: sightOf(mask, question, table),
        rule: automatic
          ? `${shown}; nobody wrote this mask, the column's name is well known`
          : shown,
        place: origins.writtenPlace(places, file, path) ??
          origins.nearestPlace(places, file, path) ??
          resource.origin,
      };
    });
}

function sightOf(
  mask: MaskRule,
  { caller, row, world }: WhyQuestion,
  table: NonNullable<RuledRoute["table"]>,
): MaskedColumn["shown"] {
  if (row !== undefined && row !== null) {
    return isShown(mask, caller, { row, table }, world) ? "plain" : "masked";
  }
  const { showRows, ...ofRoles } = mask;
  if (isShown(ofRoles, caller, { row: {}, table })) return "plain";
  return showRows || (mask.showOwner && caller.userId !== null) ? "byRow" : "masked";
}

/**
 * Judges an action's transition from the row's state (contract 3.2, definitions 5). Null: the action moves nothing, or the
 * state is unknown.
 */
function transitionStep(
  { subject }: RuledRoute,
  question: WhyQuestion,
  { places }: DefinedProject,
): JudgedStep | null {
  if (subject.kind !== "action" || !question.row) return null;
  const { action } = subject.operation;
  const { transition } = action;
  if (transition === null || !Object.hasOwn(question.row, transition.field)) return null;
  const path = [...sourcePath(action.source), "transition"];
  const place = origins.nearestPlace(places, action.origin.file, path.join(".")) ?? action.origin;
  const { row, body, caller } = question;
  const { field, target, guard, idempotent } = transition;
  const state = row?.[field] ?? null;
  const wanted = target.kind === "to" ? target.state : body?.[target.input] ?? null;
  const sources = Object.entries(transition.fromTo)
    .filter(([, targets]) => targets.some((one) => one === wanted))
    .map(([source]) => source);
  const holds = sources.some((source) => source === state);
  const compared: readonly ComparedValue[] = [
    { condition: `${field} moves from`, actual: state, wanted: sources, holds, place, chain: [] },
    ...guard.map((condition) => {
      const { actual, wanted, holds } = compare(condition, caller, row ?? {});
      return { condition: askedText(condition), actual, wanted, holds, place, chain: [] };
    }),
  ];
  const isThere = idempotent && state === wanted;
  const passed = isThere || compared.every(({ holds }) => holds);
  return {
    code: passed ? null : "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
    step: {
      layer: "access",
      passed,
      rule: isThere
        ? `"${field}" is there already`
        : `"${field}" moves to ${JSON.stringify(wanted)}`,
      place,
      compared,
    },
  };
}
