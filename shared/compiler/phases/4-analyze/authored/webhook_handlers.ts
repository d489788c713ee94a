/** Every `onWebhookEvent(…)` of the project (contract 6.2, definitions 6). */
import type { WebhookHandlerModel } from "../../../../model/authored.ts";
import type { CodeFile, WebhookEventCall } from "../../values.ts";
import { described } from "../read/reader.ts";
import type { AuthoredInput } from "./read_authored.ts";

const SERVICES = "quickback/services/";
/** A provider's name, and whatever it calls its events. */
const EVENT_TYPE = /^[a-z][a-z0-9_-]*:[^\s:].*$/;

export function readWebhookHandlers(input: AuthoredInput): readonly WebhookHandlerModel[] {
  const files = [...input.definitions.code.values()]
    .filter(({ webhookEvents }) => webhookEvents.length > 0)
    .sort((a, b) => a.file < b.file ? -1 : 1);
  return files.flatMap((file) =>
    file.webhookEvents.flatMap((call, index) => handlerOf({ file, call, index }, input))
  );
}

interface Registration {
  readonly file: CodeFile;
  readonly call: WebhookEventCall;
  readonly index: number;
}

function handlerOf(
  { file: { file }, call: { place, on, binding }, index }: Registration,
  { report }: AuthoredInput,
): readonly WebhookHandlerModel[] {
  if (!file.startsWith(SERVICES) || binding.kind === "elsewhere") {
    report.add("WEBHOOK_EVENT_PLACE", place, {});
    return [];
  }
  if (on?.kind === "string" && EVENT_TYPE.test(on.value)) {
    return [{ on: on.value, module: file, index }];
  }
  const found = on === null ? "an unnamed type" : described(on);
  report.add("WEBHOOK_EVENT_TYPE", on?.place ?? place, { found });
  return [];
}
