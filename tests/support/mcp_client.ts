/** Language models' hosts, as the API under test sees them: the protocol's own client, without a network between. */
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import { CallToolResultSchema } from "../../shared/runtime/mcp/sdk.ts";
import { type ApiUnderTest, BASE_URL, type Claims, tokenFor } from "./api.ts";

/** What a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** Of all text content. */
  readonly text: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly status: number | null;
  readonly data: unknown;
  readonly problem: Readonly<Record<string, unknown>>;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface McpClientUnderTest {
  readonly client: Client;
  names(): Promise<readonly string[]>;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
}

export type McpHeaders = Readonly<Record<string, string>>;

export async function bearing(claims: Claims): Promise<McpHeaders> {
  return { authorization: `Bearer ${await tokenFor(claims)}` };
}

/** Connects as whoever the headers name. */
export async function connected(
  api: ApiUnderTest,
  headers: McpHeaders,
): Promise<McpClientUnderTest> {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(transportTo(api, headers));
  // Listing is what makes the client hold results against output schemas.
  await client.listTools();
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) =>
      answerIn(await client.callTool({ name, arguments: { ...args } })),
  };
}

export function transportTo(api: ApiUnderTest, headers: McpHeaders): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
    requestInit: { headers: { host: new URL(BASE_URL).host, ...headers } },
    fetch: (url, init) => api.fetch(new Request(url, init), { clientIp: null }),
  });
}

const RECORD = z.record(z.string(), z.unknown());

export function answerIn(result: unknown): ToolAnswer {
  const { isError = false, content, structuredContent = {} } = CallToolResultSchema.parse(result);
  const { status, data, problem } = structuredContent;
  return {
    isError,
    text: content.flatMap((one) => one.type === "text" ? [one.text] : []).join("\n"),
    content,
    status: typeof status === "number" ? status : null,
    data,
    problem: RECORD.catch({}).parse(problem),
    structured: structuredContent,
  };
}
