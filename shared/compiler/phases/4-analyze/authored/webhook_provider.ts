/** `defineWebhookProvider({ name, signatureHeader?, verifySignature, parseEvent })` (contract 4.6, definitions 6). */
import { BUILT_IN_PROVIDERS } from "../../../../contract/webhooks.ts";
import { WEBHOOK_PROVIDER } from "../../../../definition_language/services.ts";
import type { AuthoredModel } from "../../../../model/authored.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { AuthoredExport, Definitions, Value } from "../../values.ts";
import { readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, type Reader, wrongType } from "../read/reader.ts";

/** The names of all providers that the project defines; null: one of them was reported, so names may be missing. */
export function providerNames(
  { providers }: AuthoredModel,
  { authored }: Definitions,
): readonly string[] | null {
  const defined = authored.filter(({ isParsed, exported }) =>
    !isParsed || (exported?.kind === "defined" && exported.callee === "defineWebhookProvider")
  );
  return defined.length === providers.length ? providers.map(({ name }) => name) : null;
}

/** Its name; null: reported. */
export function readProvider(
  { value, place }: AuthoredExport & { readonly kind: "defined" },
  report: Report,
): string | null {
  const at: At = { path: "defineWebhookProvider", report };
  const definition = value?.kind === "call" ? value.args[0] : undefined;
  if (!definition) {
    report.add("ARGUMENTS", place, { callee: at.path, expected: `${at.path}({ name, … })` });
    return null;
  }
  const fields = readFields(definition, WEBHOOK_PROVIDER, at);
  if (!fields) return null;
  const name = read(fields, "name") ?? null;
  read(fields, "signatureHeader");
  requireField(fields, "verifySignature", readCode);
  requireField(fields, "parseEvent", readCode);
  const builtIn: readonly string[] = BUILT_IN_PROVIDERS;
  const entry = fields.entries.get("name");
  if (name === null || !builtIn.includes(name) || !entry) return name;
  report.add("WEBHOOK_PROVIDER_NAME", entry.value.place, { name });
  return null;
}

/** Any function, however it is made: it only ever runs in the generated API. */
const readCode: Reader<true> = (value: Value, at: At) => {
  const isCode = ["function", "thunk", "unreadable", "call", "reference"].includes(value.kind);
  return isCode ? true : wrongType(value, "a function", at);
};
