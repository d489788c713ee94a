/** Who gains or loses what between two versions: routes, rows, and what the rules of each say (contract 5.4, 7.2). */
import type { Principal } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { TableModel } from "../../model/table.ts";
import { conditionText } from "../explain.ts";
import { bindingPredicates } from "../judge.ts";
import { conformanceEntries, type ConformanceEntry } from "../manifest.ts";
import { type PrincipalClass, principalClassesOf } from "../principal_class.ts";
import { type Change, grouped } from "./change.ts";

/** How far a caller gets: refused at the gate, each record decides, or every visible record. */
const REACH: Readonly<Record<ConformanceEntry["outcome"], number>> = {
  refused: 0,
  conditional: 1,
  admitted: 2,
};

export function accessChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  return grouped([...routeChanges(before, after), ...rowChanges(before, after)]);
}

function routeChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const old = byRoute(conformanceEntries(before));
  const now = byRoute(conformanceEntries(after));
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].sort().flatMap((key) => routeChange(old.get(key), now.get(key)));
}

function byRoute(entries: readonly ConformanceEntry[]): ReadonlyMap<string, ConformanceEntry> {
  return new Map(entries.map((one) => [`${one.path} ${one.method} ${one.principal}`, one]));
}

/** A route or a class of callers that is new starts from nothing; one that is gone ends there. */
function routeChange(
  old: ConformanceEntry | undefined,
  now: ConformanceEntry | undefined,
): readonly Change[] {
  const entry = now ?? old;
  if (entry === undefined) return [];
  const [reachBefore, reachNow] = [reachOf(old), reachOf(now)];
  const subject = `${entry.method} ${entry.path}`;
  const principals = [entry.principal];
  if (reachBefore !== reachNow) {
    const kind = reachNow > reachBefore ? "gain" : "loss";
    return [{ kind, subject, principals, text: `${outcomeText(old)} → ${outcomeText(now)}` }];
  }
  const isReworded = reachNow === 1 && old?.rule.text !== now?.rule.text;
  return isReworded
    ? [{
      kind: "gain",
      subject,
      principals,
      text: `which records: ${old?.rule.text} → ${now?.rule.text}`,
    }]
    : [];
}

function reachOf(entry: ConformanceEntry | undefined): number {
  return entry === undefined ? 0 : REACH[entry.outcome];
}

function outcomeText(entry: ConformanceEntry | undefined): string {
  if (entry === undefined) return "no such route";
  switch (entry.outcome) {
    case "refused":
      return `refused (${entry.code})`;
    case "conditional":
      return "let in, depending on the record";
    case "admitted":
      return "let in";
  }
}

const HOME = { userId: "user", organizationId: "organization", teamId: "team" };

/** Fewer predicates are more rows. */
function rowChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const classes = principalClassesOf(after, HOME);
  return after.tables.flatMap((table) => {
    const old = before.tables.find(({ name }) => name === table.name);
    return old ? classes.flatMap((one) => tableChanges(old, table, one)) : [];
  });
}

function tableChanges(
  before: TableModel,
  after: TableModel,
  { name, caller }: PrincipalClass,
): readonly Change[] {
  const old = predicateTexts(before, caller);
  const now = predicateTexts(after, caller);
  const subject = `rows of ${after.name}`;
  const lifted = old.filter((text) => !now.includes(text));
  const added = now.filter((text) => !old.includes(text));
  return [
    ...lifted.map((text): Change => ({
      kind: "gain",
      subject,
      principals: [name],
      text: `no longer held back by: ${text}`,
    })),
    ...added.map((text): Change => ({
      kind: "loss",
      subject,
      principals: [name],
      text: `now only where: ${text}`,
    })),
  ];
}

function predicateTexts(table: TableModel, caller: Principal): readonly string[] {
  return bindingPredicates(table, caller).map(conditionText);
}
