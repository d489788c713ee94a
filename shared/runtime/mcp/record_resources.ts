/**
 * Records as resources of the protocol, by one template: what people attach to a conversation by themselves. Reading one
 * is the call of the tool that reads records, through the same layers.
 */
import { z } from "zod";
import type { Admitted } from "../gate.ts";
import type { InnerApi } from "./inner_api.ts";
import { McpError, type ReadResourceResult, type ResourceTemplate } from "./sdk.ts";
import { untrustedText } from "./tool_result.ts";
import type { Toolbox } from "./toolbox.ts";

export const RECORD_TEMPLATE = "quickback://{resource}/{id}";

const RECORD_URI = /^quickback:\/\/([^/?#]+)\/([^/?#]+)$/;
const TOOL = "get_record";
const MEDIA_TYPE = "text/plain";

export function recordTemplates(toolbox: Toolbox): readonly ResourceTemplate[] {
  if (!toolbox.has(TOOL)) return [];
  return [{
    uriTemplate: RECORD_TEMPLATE,
    name: "record",
    title: "A record",
    description: "One record as you may see it, by the name of its resource and its id.",
    mimeType: MEDIA_TYPE,
  }];
}

/** The protocol's code for a missing resource. */
export const RESOURCE_NOT_FOUND = -32002;

export function isRecordUri(uri: string): boolean {
  return RECORD_URI.test(uri);
}

export async function readRecord(
  uri: string,
  { caller, api, toolbox }: {
    readonly caller: Admitted;
    readonly api: InnerApi;
    readonly toolbox: Toolbox;
  },
): Promise<ReadResourceResult> {
  const meaning = meaningOf(uri, toolbox);
  if (meaning === undefined) throw unreadable(uri);
  const response = await api(meaning.call, caller);
  const text = await response.text();
  if (!response.ok) throw unreadable(uri, CODE.parse(JSON.parse(text)));
  const { random } = caller.app.ports;
  return { contents: [{ uri, mimeType: MEDIA_TYPE, text: untrustedText(text, random) }] };
}

/** A URI cannot say whether an id is a text or, where the database counts, a number. */
function meaningOf(uri: string, toolbox: Toolbox) {
  const { resource, id } = argumentsIn(uri);
  return [id, Number(id)].map((one) => toolbox.get(TOOL)?.mean({ resource, id: one }))
    .find((meaning) => meaning?.kind === "call");
}

const CODE = z.object({ code: z.string() });

function unreadable(uri: string, why: z.infer<typeof CODE> | null = null): McpError {
  return new McpError(RESOURCE_NOT_FOUND, "The record cannot be read", { uri, ...why });
}

/** Percent signs that say nothing name no record. */
function argumentsIn(uri: string) {
  const [, resource = "", id = ""] = RECORD_URI.exec(uri) ?? [];
  try {
    return { resource: decodeURIComponent(resource), id: decodeURIComponent(id) };
  } catch (error) {
    if (error instanceof URIError) return { resource: "", id: "" };
    throw error;
  }
}
