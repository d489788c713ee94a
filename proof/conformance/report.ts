/** Writes the result of a run, for programs and for people (contract 4.7). */
import { printable } from "../../shared/lib/texts.ts";
import type { UnscopedTable } from "../../shared/oracle/unscoped_tables.ts";

export interface Mismatch {
  /** Operation id, or a path that belongs to no operation. */
  readonly route: string;
  /** Request such as `GET /api/v1/tickets/ticket_1?…`; null: nothing was sent. */
  readonly request: string | null;
  /** Name of the caller's class; null: no particular one. */
  readonly principal: string | null;
  /** Purpose of the request. */
  readonly purpose: string;
  /** Differences, one sentence each. */
  readonly differences: readonly string[];
  /** Rule that decides. */
  readonly rule: string;
  /** Place such as `quickback/features/tickets/tickets.ts:34`; null if no definition contains the rule. */
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
  /** Pairs of a route and a class for which no request was made. */
  readonly uncovered: readonly UntestedRoute[];
  /** Tables without a scope. They are no mismatch: the definitions declare them so. */
  readonly unscoped: readonly UnscopedTable[];
}

/** Returns a line such as `48 routes × 14 principals = 4210 requests, 0 mismatches, 12 uncovered`. */
export function summaryLine(
  { routes, principals, requests, mismatches, uncovered }: ConformanceReport,
): string {
  const pairs = uncovered.reduce((sum, one) => sum + one.principals.length, 0);
  const found = mismatches.length === 1 ? "1 mismatch" : `${mismatches.length} mismatches`;
  return `${routes} routes × ${principals} principals = ${requests} requests, ${found}, ${pairs} uncovered`;
}

/**
 * Writes a mismatch as text. An API may quote anything, so control characters are made printable before they reach a terminal.
 */
export function mismatchText(mismatch: Mismatch): string {
  const { route, principal, purpose, request, differences, rule, place } = mismatch;
  return [
    `${route}${principal === null ? "" : ` as ${principal}`}: ${purpose}`,
    ...(request === null ? [] : [`  ${request}`]),
    ...differences.map((one) => `  ${one}`),
    `  rule: ${rule}${place === null ? "" : ` (${place})`}`,
  ].map(printable).join("\n");
}

/** Writes untested routes as text; routes with the same reason share one line. */
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
