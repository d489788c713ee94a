/** What AsyncAPI's own parser reads out of documents; takes a list of their texts as JSON on standard input. */
import { Parser } from "@asyncapi/parser";

const texts: readonly string[] = JSON.parse(await new Response(Deno.stdin.readable).text());
const readings = [];
for (const text of texts) {
  const { document, diagnostics } = await new Parser().parse(text);
  readings.push({
    diagnostics: diagnostics.map(({ code, message }) => ({
      code: String(code),
      message,
    })),
    version: document?.version() ?? null,
    channels: document?.channels().all().map((channel) => ({
      id: channel.id(),
      address: channel.address() ?? null,
    })) ?? [],
    messages: document?.messages().all().map((message) => message.name() ?? null) ?? [],
  });
}
console.log(JSON.stringify(readings));
