/**
 * Writes `reports/conformance.manifest.json`: the response of every route to every class of caller, and the rule that decides
 * it (contract 4.7). It is extend-only, sorted, and contains no times.
 */
import { RUNTIME_CODES, type RuntimeCode } from "../contract/mod.ts";
import type { Access, Principal, ProjectModel, RowPredicate } from "../model/mod.ts";
import { accessText, explain } from "./explain.ts";
import { isHeld, mayAdmit } from "./judge.ts";
import { type DefinitionPlaces, NO_PLACES, routeRulePlace, settingPlace } from "./places.ts";
import { modelFor } from "./narrowed.ts";
import { NAMED_HOME, principalClassesOf } from "./principal_class.ts";
import { type RuledRoute, ruledRoutesOf } from "./routes.ts";
import { unscopedTables } from "./unscoped_tables.ts";
import { type GatedRoute, gatedRoutesOf } from "./gated_routes.ts";

export interface ConformanceEntry {
  readonly operationId: string;
  readonly method: string;
  /** Path of the route, with parameters as `:id`. */
  readonly path: string;
  /** Name of the class. */
  readonly principal: string;
  /**
   * Outcome for the class. `conditional`: the caller is admitted, and each record decides. `admitted`: the caller may use each
   * record that the firewall shows. `refused`: the response has this status and code.
   */
  readonly outcome: "admitted" | "conditional" | "refused";
  /** Status of the refusal, or of the records that are refused if each record decides; null: none is refused. */
  readonly status: number | null;
  readonly code: RuntimeCode | null;
  readonly rule: {
    /** Key path in the definition, null for a route of the service itself. */
    readonly path: string | null;
    readonly text: string;
    readonly file: string | null;
    readonly line: number | null;
  };
}

/** Table that these classes read without a restriction to their own rows. It concerns statements, not routes. */
export interface UnscopedEntry {
  readonly table: string;
  readonly principals: readonly string[];
  readonly outcome: "unscoped";
  readonly rule: { readonly text: string; readonly file: string; readonly line: number };
}

/** Writes the manifest; the same model gives the same bytes. */
export function emitConformanceManifest(
  model: ProjectModel,
  places: DefinitionPlaces = NO_PLACES,
): string {
  const entries = [
    ...conformanceEntries(model, places),
    ...unscopedTables(model).map(({ table, principals, file, line }): UnscopedEntry => {
      return {
        table,
        principals,
        outcome: "unscoped",
        rule: { text: "read without a scope", file, line },
      };
    }),
  ];
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Returns the entries sorted by operation id; the classes keep their own order. */
export function conformanceEntries(
  model: ProjectModel,
  places: DefinitionPlaces = NO_PLACES,
): readonly ConformanceEntry[] {
  const classes = principalClassesOf(model);
  const whole = ruledRoutesOf(model);
  const routesOf = classes.map(({ caller }) => {
    const met = modelFor(caller, model);
    return met === model ? whole : ruledRoutesOf(met);
  });
  const ruled = whole.map(({ operationId }, at) => ({
    id: operationId,
    entries: classes.flatMap(({ name, caller }, index) => {
      const route = routesOf[index]?.[at];
      return route ? [ruledEntry(route, name, { caller, places })] : [];
    }),
  }));
  const gated = gatedRoutesOf(model).map((route) => ({
    id: route.operationId,
    entries: classes.map(({ name, caller }) => gatedEntry(route, name, { caller, places })),
  }));
  return [...ruled, ...gated].sort((a, b) => a.id < b.id ? -1 : 1).flatMap(({ entries }) =>
    entries
  );
}

interface EntryContext {
  readonly caller: Principal;
  readonly places: DefinitionPlaces;
}

function ruledEntry(
  route: RuledRoute,
  principal: string,
  { caller, places }: EntryContext,
): ConformanceEntry {
  const { operationId, method, path, access, rule } = route;
  const { file, line } = routeRulePlace(route, places);
  // This code refuses the caller for every record; null: none does.
  const gate = explain({
    ...route,
    caller,
    namedOrganization: NAMED_HOME.organizationId,
    row: undefined,
    isAction: route.subject.kind === "action",
  }).refusal;
  // True when the caller's roles leave the decision to the record.
  const isConditional = gate === null &&
    (route.use !== "none" && mayAdmit(access, caller) && !admitsEvery(access, caller));
  const refusedRow = route.subject.kind === "action" && route.use === "rowFirst"
    ? "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"
    : "ACCESS_CONDITION_FAILED";
  const hidesRows = route.use === "collection";
  const code = gate ?? (isConditional && !hidesRows ? refusedRow : null);
  return {
    operationId,
    method,
    path,
    principal,
    outcome: gate !== null ? "refused" : isConditional ? "conditional" : "admitted",
    status: code === null ? null : RUNTIME_CODES[code].status,
    code,
    rule: { path: rule, text: accessText(access), file, line },
  };
}

/** True when the rule admits the caller to every record. No record condition is true for all records. */
export function admitsEvery(access: Access, caller: Principal): boolean {
  switch (access.kind) {
    case "record":
      return access.conditions.length === 0;
    case "all":
      return access.of.length > 0 && access.of.every((part) => admitsEvery(part, caller));
    case "any":
      return access.of.some((part) => admitsEvery(part, caller));
    case "row":
      return isMetByEvery(access.predicate, caller);
    case "first": {
      const part = access.of.find((one) => mayAdmit(one, caller));
      return part !== undefined && admitsEvery(part, caller);
    }
    default:
      return mayAdmit(access, caller);
  }
}

/** True when the predicate is true on every row. */
function isMetByEvery(predicate: RowPredicate, caller: Principal): boolean {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.length === 0;
    case "all":
      return predicate.of.every((part) => isMetByEvery(part, caller));
    case "any":
      return predicate.of.some((part) => isMetByEvery(part, caller));
    case "holders": {
      const { roles, exceptRoles } = predicate;
      return !exceptRoles.some((role) => isHeld(role, caller)) &&
        (roles.length === 0 || roles.some((role) => isHeld(role, caller)));
    }
    default:
      return false;
  }
}

function gatedEntry(
  route: GatedRoute,
  principal: string,
  { caller, places }: EntryContext,
): ConformanceEntry {
  const { operationId, method, path, gate } = route;
  const place = gate.setting === null ? null : settingPlace(gate.setting, places);
  const code = gate.refusalOf(caller);
  return {
    operationId,
    method,
    path,
    principal,
    outcome: code === null ? "admitted" : "refused",
    status: code === null ? null : RUNTIME_CODES[code].status,
    code,
    rule: {
      path: gate.setting,
      text: gate.text,
      file: place?.file ?? null,
      line: place?.line ?? null,
    },
  };
}
