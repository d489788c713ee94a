/** A project whose actions are what the conformance package asks of a server: its fixtures, as far as actions can be them. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const FOLDER = "quickback/features/fixtures";

function action(name: string, rest: string): RawFiles {
  const text = `import { ActionError, defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "A fixture of the conformance package",
  access: { roles: ["member"] },
  path: "/fixtures/${name}",
  ${rest}
});
void ActionError;
`;
  return { [`${FOLDER}/actions/${name}.ts`]: text };
}

/** One red pixel, and one sample of silence. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

function file(type: string, bytes: string): string {
  return `responseType: "file", input: z.object({}),
  execute: () => new Response(${bytes}, { headers: { "content-type": "${type}" } }),`;
}

function stream(...events: readonly string[]): string {
  const text = events.map((event) => `data: ${event}\\n\\n`).join("");
  return `responseType: "stream", input: z.object({}),
  execute: () => new Response(${JSON.stringify(text).replaceAll("\\\\n", "\\n")}).body,`;
}

export const MCP_FIXTURES: RawFiles = {
  "quickback/quickback.config.ts":
    'export default { name: "fixtures", contract: { version: "v2" }, auth: { jwt: {} } };\n',
  [`${FOLDER}/fixtures.ts`]: `import { feature, q } from "quickback";
export default feature("fixtures", {
  columns: { id: q.id(), organizationId: q.scope("organization"), name: q.text() },
  read: { access: { roles: ["member"] } },
});
`,
  ...action("test-simple-text", 'input: z.object({}), execute: () => "Simple text",'),
  ...action("test-image-content", file("image/png", `Uint8Array.fromBase64("${PNG}")`)),
  ...action("test-audio-content", file("audio/wav", `Uint8Array.fromBase64("${WAV}")`)),
  ...action("test-embedded-resource", file("text/plain", '"Embedded"')),
  ...action(
    "test-error-handling",
    'input: z.object({}), execute: () => { throw new ActionError("It always fails", "FIXTURE_FAILS"); },',
  ),
  ...action("test-tool-with-logging", stream("started", "processing", "completed")),
  ...action("test-tool-with-progress", stream("0 of 100", "50 of 100", "100 of 100")),
  // Beyond what the package asks for: streams that do not end.
  ...action(
    "test-endless",
    `responseType: "stream", input: z.object({}),
  execute: () => {
    const event = new TextEncoder().encode("data: " + "x".repeat(8192) + "\\n\\n");
    return new ReadableStream({ pull: (controller) => controller.enqueue(event) });
  },`,
  ),
  ...action(
    "test-stalled",
    `responseType: "stream", input: z.object({}),
  execute: () => {
    const event = new TextEncoder().encode("data: first\\n\\n");
    return new ReadableStream({
      start(controller) {
        controller.enqueue(event);
        Reflect.get(globalThis, "onStalledStreamBegun")?.();
      },
      cancel: () => Reflect.get(globalThis, "onStalledStreamEnded")(),
    });
  },`,
  ),
  // What Zod transforms cannot be read: the schema that was sent stands for it.
  ...action(
    "json-schema-2020-12-tool",
    "input: z.looseObject({}).transform((value) => value), execute: () => ({}),",
  ),
};

const EMPTY = { type: "object", properties: {}, additionalProperties: false };

/** What contract v2 asks of every action: its input as JSON Schema (contract 4.8). */
export const MCP_FIXTURE_SCHEMAS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.keys(MCP_FIXTURES).flatMap((path) => {
    const [, name] = /actions\/([a-z0-9-]+)\.ts$/.exec(path) ?? [];
    if (name === undefined) return [];
    const schema = name === "json-schema-2020-12-tool"
      ? {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        additionalProperties: false,
      }
      : EMPTY;
    return [[`fixtures.${name}`, schema]];
  }),
);
