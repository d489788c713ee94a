/** Events that endpoints may ask for: those that the configuration lists, and those that code emits by name. */
import { assertEquals } from "@std/assert";
import { TEST_EVENT } from "../../../shared/contract/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";

const HELPER = `import { emitWebhookEvent } from "quickback";
import * as library from "quickback";
const SENT = "letter.sent";
export async function tell(env: unknown, isFirst: boolean, name: string) {
  await emitWebhookEvent("letter.written", {}, {}, env);
  await emitWebhookEvent(\`letter.read\`, {}, {}, env);
  await emitWebhookEvent(SENT, {}, {}, env);
  await emitWebhookEvent(isFirst ? "letter.first" : "letter.next", {}, {}, env);
  await library.emitWebhookEvent("letter.burnt", {}, {}, env);
  await emitWebhookEvent(name, {}, {}, env);
  other("letter.ignored");
}
function other(_name: string) {}
`;

function endpointEvents(webhooks: string): readonly string[] | undefined {
  const result = validate({
    "quickback/quickback.config.ts":
      `export default { name: "x", webhooks: { outbound: true, ${webhooks} } };\n`,
    "quickback/lib/letters.ts": HELPER,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.model.webhooks.endpointEvents;
}

Deno.test("a project that lists its events knows those that its code names, too", () => {
  assertEquals(
    endpointEvents('events: ["order.made"]'),
    [
      "letter.burnt",
      "letter.first",
      "letter.next",
      "letter.read",
      "letter.sent",
      "letter.written",
      "order.made",
      TEST_EVENT,
    ].toSorted(),
  );
  assertEquals(endpointEvents(""), undefined);
});
