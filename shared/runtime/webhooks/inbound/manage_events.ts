/** The list of inbound events and their retry, for admins (contract 4.6, definitions 7). */
import {
  EVENT_STATUSES,
  renewEvent,
  selectEvent,
  selectEvents,
} from "../../data/webhooks/events.ts";
import { refuse } from "../../refusal.ts";
import type { Effect } from "../managed_write.ts";
import type { WebhookCall } from "../webhook_call.ts";
import { answerPage } from "../webhook_pages.ts";
import { eventRecord, recordAnswer } from "../webhook_response.ts";

export async function listInboundEvents(call: WebhookCall): Promise<Response> {
  const { request, query } = call;
  const status = EVENT_STATUSES.find((known) => known === query.status) ?? null;
  return await answerPage(call, {
    select: (page) => selectEvents(request.database, status, page),
    recordOf: (row) => eventRecord(row, readerOf(call)),
  });
}

/** Refuses with `FIREWALL_NOT_FOUND` and `WEBHOOK_EVENT_NOT_FAILED`. */
export function retryInboundEvent(call: WebhookCall): Promise<Effect> {
  const { id } = call;
  return Promise.resolve(async (database) => {
    const row = await database.write(async (transaction) => {
      const isRenewed = await renewEvent(transaction, id);
      const event = await selectEvent(transaction, id) ?? refuse("FIREWALL_NOT_FOUND");
      return isRenewed
        ? event
        : refuse("WEBHOOK_EVENT_NOT_FAILED", { details: { status: event.status } });
    });
    return recordAnswer(eventRecord(row, readerOf(call)));
  });
}

function readerOf({ request: { app, principal } }: WebhookCall) {
  return { multiTenant: app.project.multiTenant, principal };
}
