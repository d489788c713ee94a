/**
 * Pages by cursor (contract 2.5, 4.3): opens the cursor of a request, and makes the cursors of the neighbouring pages. Refuses
 * a cursor of another tenant, resource, view or sort with `VALIDATION_INVALID_INPUT`.
 */
import type { SortKey } from "../../model/mod.ts";
import type { SealedCursor } from "../../surface/mod.ts";
import type { Call } from "./call.ts";
import type { Firewall, Page, PageQuery, Place } from "../data/types.ts";
import { refuse } from "../refusal.ts";
import type { CursorSeal, Position } from "../request/cursor_seal.ts";

/** The list that a cursor belongs to. */
interface CursorScope {
  readonly firewall: Firewall;
  readonly sort: readonly SortKey[];
  readonly binding: string;
}

/** Place at which a page begins or ends. */
export interface Anchor {
  readonly from: NonNullable<PageQuery["from"]>;
  /** Index of the record that the cursor names. */
  readonly index: number;
}

/** Maximum characters of sort values in a cursor; a cursor with more names its record instead. */
const PLACE_MAX_LENGTH = 1024;

/** Opens the cursor of a request; null: the request has none. */
export async function openCursor(
  call: Call,
  scope: CursorScope,
  cursor: SealedCursor | null,
): Promise<Anchor | null> {
  if (cursor === null) return null;
  const { direction, parameter, text } = cursor;
  const position = await call.request.app.cursors.open(scope.binding, text);
  const values = position && await placeOf(call, scope, position);
  if (!position || !values) return refuseCursor(parameter);
  return { from: { direction, values }, index: position.index };
}

export function refuseCursor(parameter: string): never {
  return refuse("VALIDATION_INVALID_INPUT", {
    detail: `Parameter "${parameter}" needs a cursor of this list in this sort`,
    details: { parameter },
    hint: "Take 'nextCursor' or 'prevCursor' from a page in the same sort, or begin without one",
  });
}

async function placeOf(
  { request: { app, database } }: Call,
  { firewall, sort }: CursorScope,
  { place }: Position,
): Promise<Place | null> {
  if (place.kind === "values") return place.values;
  return await app.data.selectPlace(database, { firewall, sort, id: place.id });
}

export interface PageCursors {
  readonly next: string | null;
  readonly previous: string | null;
}

interface AnsweredPage {
  readonly page: Pick<Page, "hasMore" | "first" | "last"> & {
    readonly records: readonly unknown[];
  };
  readonly anchor: Anchor | null;
  readonly offset: number;
  /** True: places are given by their values alone, as for groups and ranks; absent: the rows have ids. */
  readonly isGroup?: boolean;
}

/** Counts the records before the page, as far as its cursor or offset tells the number. */
export function startOf({ page, anchor, offset }: AnsweredPage): number {
  if (anchor === null) return offset;
  if (anchor.from.direction === "after") return anchor.index + 1;
  return Math.max(0, anchor.index - page.records.length);
}

/**
 * Seals cursors to the neighbouring pages under this binding: a next one if the probe found more, a previous one if the page
 * did not begin at the start.
 */
export async function sealedCursors(
  seal: CursorSeal,
  binding: string,
  answered: AnsweredPage,
): Promise<PageCursors> {
  const { page, anchor, offset, isGroup = false } = answered;
  const start = startOf(answered);
  const isBackward = anchor?.from.direction === "before";
  const hasNext = isBackward || page.hasMore;
  const hasPrevious = isBackward ? page.hasMore : anchor !== null || offset > 0;
  const sealed = (place: Place | null, index: number) =>
    place === null ? null : seal.seal(binding, positionOf(place, index, isGroup));
  const [next, previous] = await Promise.all([
    hasNext ? sealed(page.last, start + page.records.length - 1) : null,
    hasPrevious ? sealed(page.first, start) : null,
  ]);
  return { next, previous };
}

/** Returns the position of a place. A record's place ends in its primary key; a group's has its values alone. */
function positionOf(place: Place, index: number, isGroup: boolean): Position {
  const length = place.map((value) => String(value).length).reduce((sum, one) => sum + one, 0);
  return isGroup || length <= PLACE_MAX_LENGTH
    ? { index, place: { kind: "values", values: place } }
    : { index, place: { kind: "id", id: place.at(-1) ?? null } };
}

/**
 * Returns the context that a cursor is bound to. `rankedBy` is the text of the search by whose rank the list is in order, null
 * where it is in order of its sort. Filters are not part of it, because a place in an order is the same under any filter.
 */
export function bindingOf(
  { plan: { operation } }: Call,
  { firewall, sort }: Omit<CursorScope, "binding">,
  rankedBy: string | null,
): string {
  return JSON.stringify([
    "cursor 1",
    firewall.organizationId,
    operation.resource.name,
    operation.view?.name ?? null,
    sort.map(({ column, descending }) => [column, descending]),
    // A place by rank is valid in the same search only.
    ...(rankedBy === null ? [] : [rankedBy]),
  ]);
}
