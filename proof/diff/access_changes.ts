/** Compares access in two versions, by caller: routes, rows, and the rules of each (contract 5.4, 7.2). */
import { accountOf } from "../../shared/column_types/mod.ts";
import type { Principal, ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { firewallText } from "../../shared/surface/mod.ts";
import { bindingPredicates } from "../../shared/oracle/judge.ts";
import { conformanceEntries, type ConformanceEntry } from "../../shared/oracle/manifest.ts";
import { modelFor } from "../../shared/oracle/narrowed.ts";
import { type PrincipalClass, principalClassesOf } from "../../shared/oracle/principal_class.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { accessTerm, firewallTerm } from "../../shared/oracle/rule_terms.ts";
import { OWN, type Turn, turnBetween, turnChanges } from "./admitted_rows.ts";
import { type Change, grouped } from "./change.ts";

/** Ranks an outcome: refused before any record is read, decided by each record, or every visible record. */
const REACH: Readonly<Record<ConformanceEntry["outcome"], number>> = {
  refused: 0,
  conditional: 1,
  admitted: 2,
};

export function accessChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const classes = principalClassesOf(after, OWN);
  return grouped([
    ...routeChanges(before, after),
    ...deletionChanges(before, after),
    ...memberChanges(before, after),
    ...after.tables.flatMap((table) => {
      const old = before.tables.find(({ name }) => name === table.name);
      return old ? classes.flatMap((one) => tableChanges(old, table, one)) : [];
    }),
  ]);
}

function routeChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const old = routesOf(before);
  const now = routesOf(after);
  const turnOf = routeTurns(before, after);
  const routes = new Set([...old.keys(), ...now.keys()]);
  return [...routes].sort().flatMap((route) => {
    const [entries, nowEntries] = [old.get(route) ?? NO_ENTRIES, now.get(route) ?? NO_ENTRIES];
    const principals = new Set([...entries.keys(), ...nowEntries.keys()]);
    return [...principals].flatMap((principal) => {
      // A new route or kind of caller had no access before; a removed one has none afterwards.
      const old = { entry: entryFor(principal, entries), isRoute: entries.size > 0 };
      const now = { entry: entryFor(principal, nowEntries), isRoute: nowEntries.size > 0 };
      const entry = now.entry ?? old.entry;
      if (entry === undefined) return [];
      const [reachBefore, reachNow] = [reachOf(old), reachOf(now)];
      const common = { subject: `${entry.method} ${entry.path}`, principals: [principal] };
      if (reachBefore !== reachNow) {
        const kind = reachNow > reachBefore ? "gain" : "loss";
        return [{ kind, ...common, text: `${outcomeText(old)} → ${outcomeText(now)}` }];
      }
      const [rule, ruleNow] = [old.entry?.rule.text, now.entry?.rule.text];
      return reachNow === REACH.conditional
        ? turnChanges(turnOf(route, principal), `which records: ${rule} → ${ruleNow}`)
          .map((change) => ({ ...change, ...common }))
        : [];
    });
  });
}

/** Compares the records to which a route admits a class of callers, where each record decides. */
function routeTurns(
  before: ProjectModel,
  after: ProjectModel,
): (route: string, principal: string) => Turn {
  const callers = new Map(
    principalClassesOf(after, OWN).map(({ name, caller }) => [name, caller]),
  );
  const routes = (model: ProjectModel, caller: Principal) =>
    new Map(ruledRoutesOf(modelFor(caller, model)).map((one) => [routeKey(one), one]));
  const known = new Map<string, readonly ReadonlyMap<string, RuledRoute>[]>();
  return (key, principal) => {
    const caller = callers.get(principal) ?? callers.get("member");
    if (!caller) return "both";
    const all = known.get(principal) ?? [routes(before, caller), routes(after, caller)];
    known.set(principal, all);
    const [old, now] = all.map((one) => one.get(key)).map((route) =>
      route && accessTerm(route.access, route.table, { caller, withDeleted: false })
    );
    return old && now ? turnBetween(old, now) : "both";
  };
}

function routeKey({ path, method }: Pick<RuledRoute, "path" | "method">): string {
  return `${path} ${method}`;
}

/** Compares the columns that name accounts: which accounts they may name, and what happens to rows when a member is removed. */
function memberChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  return after.tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, type }): readonly Change[] => {
      const old = before.tables.find((one) => one.name === table)
        ?.columns.find((one) => one.name === name);
      if (!old) return [];
      const [was, is] = [accountOf(old.type), accountOf(type)];
      const change = (kind: Change["kind"], text: string): Change => ({
        kind,
        subject: `${table}.${name}`,
        principals: [],
        text,
      });
      if (is !== null && was === null) return [change("breaking", "takes ids of members alone")];
      if (is === null && was !== null) {
        return [change("addition", "takes more than ids of members")];
      }
      const [removed, removedNow] = [was, is].map((one) => one?.onMemberRemoved ?? "keep");
      if (removed === removedNow) return [];
      return [change("breaking", `onMemberRemoved ${removed} → ${removedNow}`)];
    })
  );
}

/** Compares whether living rows prevent the deletion of the rows that they refer to. */
function deletionChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  return after.resources.flatMap(({ name, delete: now }): readonly Change[] => {
    const old = before.resources.find((one) => one.name === name)?.delete;
    if (!old || !now || old.children === now.children) return [];
    const text = now.children === "refuse"
      ? "refused while living rows refer to the record, and no longer deletes these along with it"
      : "deletes living rows that refer to the record along with it, and is no longer refused";
    return [{ kind: "breaking", subject: `deletions of ${name}`, principals: [], text }];
  });
}

/** Answers of one route, by class of callers. */
type Entries = ReadonlyMap<string, ConformanceEntry>;
const NO_ENTRIES: Entries = new Map();

function routesOf(model: ProjectModel): ReadonlyMap<string, Entries> {
  const routes = new Map<string, Map<string, ConformanceEntry>>();
  for (const entry of conformanceEntries(model)) {
    const route = routeKey(entry);
    const entries = routes.get(route) ?? new Map<string, ConformanceEntry>();
    routes.set(route, entries.set(entry.principal, entry));
  }
  return routes;
}

/** Returns the entry of a class of callers. A role that no rule names gives its owner the same access as membership. */
function entryFor(principal: string, entries: Entries): ConformanceEntry | undefined {
  return entries.get(principal) ??
    (principal.startsWith("role:") ? entries.get("member") : undefined);
}

interface RouteVersion {
  readonly entry: ConformanceEntry | undefined;
  /** True when the version has the route. */
  readonly isRoute: boolean;
}

function reachOf({ entry }: RouteVersion): number {
  return entry === undefined ? REACH.refused : REACH[entry.outcome];
}

function outcomeText({ entry, isRoute }: RouteVersion): string {
  if (entry === undefined) return isRoute ? "no such caller" : "no such route";
  switch (entry.outcome) {
    case "refused":
      return `refused (${entry.code})`;
    case "conditional":
      return "let in, depending on the record";
    case "admitted":
      return "let in";
  }
}

function tableChanges(
  before: TableModel,
  after: TableModel,
  { name, caller }: PrincipalClass,
): readonly Change[] {
  const old = predicateTexts(before, caller);
  const now = predicateTexts(after, caller);
  const lifted = old.filter((text) => !now.includes(text));
  const added = now.filter((text) => !old.includes(text));
  const isRuled = [before, after].some(({ firewall }) =>
    firewall.some(({ kind }) => kind === "rule")
  );
  const changes = isRuled
    ? turnChanges(firewallTurn(before, after, caller), movedText(lifted, added))
    : [
      ...lifted.map((text) => ({ kind: "gain" as const, text: `${LIFTED} ${text}` })),
      ...added.map((text) => ({ kind: "loss" as const, text: `${ADDED} ${text}` })),
    ];
  const subject = `rows of ${after.name}`;
  return changes.map((change) => ({ ...change, subject, principals: [name] }));
}

const LIFTED = "no longer held back by:";
const ADDED = "now only where:";

/** Describes a changed predicate. If one was replaced by another, both are described together. */
function movedText(lifted: readonly string[], added: readonly string[]): string {
  const [before, after] = [lifted.join(" and "), added.join(" and ")];
  if (before === "" && after === "") return "by other related rows under the same names";
  if (after === "") return `${LIFTED} ${before}`;
  return before === "" ? `${ADDED} ${after}` : `only where: ${before} → ${after}`;
}

/** Compares the firewalls for one caller. An anonymous caller names the organization. */
function firewallTurn(before: TableModel, after: TableModel, caller: Principal): Turn {
  const named = caller.credential === "none"
    ? { ...caller, organizationId: OWN.organizationId }
    : caller;
  const holding = { caller: named, withDeleted: false };
  return turnBetween(firewallTerm(before, holding), firewallTerm(after, holding));
}

function predicateTexts(table: TableModel, caller: Principal): readonly string[] {
  return bindingPredicates(table, caller).map(firewallText);
}
