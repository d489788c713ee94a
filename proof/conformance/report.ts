/** Result of a run, for programs and for people (contract 4.7). */
import { printable } from "../../shared/lib/texts.ts";
import type { UnscopedTable } from "../../shared/oracle/unscoped_tables.ts";

export interface Mismatch {
  /** Operation id, or a path that is no operation's. */
  readonly route: string;
  /** `GET /api/v1/tickets/ticket_1?…`; null: nothing was sent. */
  readonly request: string | null;
  /** Name of the class; null: it is nobody's in particular. */
  readonly principal: string | null;
  /** The purpose of the request. */
  readonly purpose: string;
  /** The differences, a sentence each. */
  readonly differences: readonly string[];
  /** The rule that decides. */
  readonly rule: string;
  /** `quickback/features/tickets/tickets.ts:34`; null: no definition says it. */
  readonly place: string | null;
}

export interface UntestedRoute {
  readonly route: string;
  readonly principals: readonly string[];
  readonly reason: string;
}

export interface ConformanceReport {
  readonly routes: number;
  readonly principals: number;
  readonly requests: number;
  readonly mismatches: readonly Mismatch[];
  /** Pairs of a route and a class that no request was made for. */
  readonly uncovered: readonly UntestedRoute[];
  /** No mismatch: the definitions say so. */
  readonly unscoped: readonly UnscopedTable[];
}

/** `48 routes × 14 principals = 4210 requests, 0 mismatches, 12 uncovered`. */
export function summaryLine(
  { routes, principals, requests, mismatches, uncovered }: ConformanceReport,
): string {
  const pairs = uncovered.reduce((sum, one) => sum + one.principals.length, 0);
  const found = mismatches.length === 1 ? "1 mismatch" : `${mismatches.length} mismatches`;
  return `${routes} routes × ${principals} principals = ${requests} requests, ${found}, ${pairs} uncovered`;
}

/** An API quotes what it likes: none of it reaches a terminal unseen. */
export function mismatchText(mismatch: Mismatch): string {
  const { route, principal, purpose, request, differences, rule, place } = mismatch;
  return [
    `${route}${principal === null ? "" : ` as ${principal}`}: ${purpose}`,
    ...(request === null ? [] : [`  ${request}`]),
    ...differences.map((one) => `  ${one}`),
    `  rule: ${rule}${place === null ? "" : ` (${place})`}`,
  ].map(printable).join("\n");
}

/** Texts of untested routes; routes with the same reason share one. */
export function uncoveredTexts(uncovered: readonly UntestedRoute[]): readonly string[] {
  const reasons = Map.groupBy(uncovered, ({ reason }) => reason);
  return [...reasons].map(([reason, all]) => {
    const pairs = all.reduce((sum, one) => sum + one.principals.length, 0);
    const routes = all.map(({ route }) => route);
    const shown = routes.length > 4
      ? `${routes.slice(0, 3).join(", ")} and ${routes.length - 3} more`
      : routes.join(", ");
    return `${pairs} uncovered: ${reason} (${shown})`;
  });
}
