/** What AsyncAPI's own parser reads out of a document; takes it on standard input. */
import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(
  await new Response(Deno.stdin.readable).text(),
);
const reading = {
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
};
console.log(JSON.stringify(reading));
