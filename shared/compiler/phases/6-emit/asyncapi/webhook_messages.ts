/** Messages that an API delivers to registered endpoints (contract 5.7, 6.1). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { outboundEvents, SIGNATURE_HEADERS } from "../outbound_events.ts";
import type { AsyncMessage } from "./message.ts";

export function webhookMessages(project: ProjectModel): readonly AsyncMessage[] {
  return outboundEvents(project).map(({ key, title, body }) => ({
    key,
    title,
    summary: "Signed in the Standard Webhooks format.",
    headers: HEADERS,
    payload: body,
  }));
}

const HEADERS: JsonSchema = {
  type: "object",
  properties: SIGNATURE_HEADERS,
  required: Object.keys(SIGNATURE_HEADERS),
};
