/**
 * Pages of the webhook lists by cursor (extension answers, 37), and by `offset`. A cursor is good for its caller's scope and
 * its list; any other is refused with `VALIDATION_INVALID_INPUT`.
 */
import type { Page, PageRows } from "../data/webhooks/page.ts";
import { type Anchor, refuseCursor, sealedCursors, startOf } from "../operations/cursors.ts";
import type { WebhookCall } from "./webhook_call.ts";
import { type Json, pageAnswer } from "./webhook_response.ts";

export async function answerPage<Row>(
  call: WebhookCall,
  { select, recordOf }: {
    readonly select: (page: Page) => Promise<PageRows<Row>>;
    readonly recordOf: (row: Row) => Json;
  },
): Promise<Response> {
  const { request, scope, query: { limit, offset } } = call;
  const binding = JSON.stringify(["webhook cursor 1", scope.kind, scope.id, request.path]);
  const anchor = await anchorOf(call, binding);
  const { rows, ...found } = await select({ limit, offset, from: anchor?.from ?? null });
  const records = rows.map(recordOf);
  const answered = { page: { ...found, records }, anchor, offset };
  return pageAnswer(records, {
    request,
    limit,
    start: startOf(answered),
    hasMore: found.hasMore,
    cursors: await sealedCursors(request.app.cursors, binding, answered),
  });
}

async function anchorOf(
  { request, query: { cursor } }: WebhookCall,
  binding: string,
): Promise<Anchor | null> {
  if (cursor === null) return null;
  const { direction, parameter, text } = cursor;
  const position = await request.app.cursors.open(binding, text);
  if (position?.place.kind !== "values") return refuseCursor(parameter);
  return { from: { direction, values: position.place.values }, index: position.index };
}
