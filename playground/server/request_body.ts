/** Reads request bodies of the page, with limits. */
import type { z } from "zod";
import { PROBLEM_MEDIA_TYPE } from "../../shared/contract/mod.ts";
import { joinedBytes, utf8Text } from "../../shared/lib/bytes.ts";
import { parsedJson } from "../../shared/lib/json.ts";
import { COMPILE_FILE_MAX_BYTES } from "../../shared/service/mod.ts";
import * as protocol from "../protocol.ts";

/** Reads a body as text, up to the size that a compile accepts for one file. */
export async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > COMPILE_FILE_MAX_BYTES) {
      const limit = COMPILE_FILE_MAX_BYTES / 1024;
      throw new PlaygroundRefusal("BODY_TOO_LARGE", `At most ${limit} KiB are taken at once`);
    }
    chunks.push(chunk);
  }
  const text = utf8Text(joinedBytes(chunks), { keepsMark: true });
  if (text !== null) return text;
  throw new PlaygroundRefusal("BODY_REFUSED", "The body is not UTF-8");
}

export async function readRename(request: Request): Promise<z.infer<typeof protocol.RENAME>> {
  return parsed(await readText(request), protocol.RENAME);
}

export async function readEdits(request: Request): Promise<z.infer<typeof protocol.EDITS>> {
  return parsed(await readText(request), protocol.EDITS);
}

export async function readApiRequest(request: Request): Promise<protocol.ApiRequest> {
  return parsed(await readText(request), protocol.API_REQUEST);
}

export async function readFramesRequest(
  request: Request,
): Promise<z.infer<typeof protocol.FRAMES_REQUEST>> {
  return parsed(await readText(request), protocol.FRAMES_REQUEST);
}

export async function readStoredQuestion(
  request: Request,
): Promise<z.infer<typeof protocol.STORED_QUESTION>> {
  return parsed(await readText(request), protocol.STORED_QUESTION);
}

/** Returns the hash of the version that the page has read; null: it creates a file. */
export function readHash({ headers }: Request): string | null {
  const [match, noneMatch] = [headers.get("if-match"), headers.get("if-none-match")];
  if (match === null && noneMatch === "*") return null;
  const hash = /^"([0-9a-f]{64})"$/.exec(match ?? "")?.[1];
  if (hash !== undefined && noneMatch === null) return hash;
  throw new PlaygroundRefusal(
    "HASH_MISSING",
    "'If-Match' names the version that the page has seen, 'If-None-Match: *' a new file",
  );
}

function parsed<Schema extends z.ZodType>(text: string, schema: Schema): z.infer<Schema> {
  const json = parsedJson(text);
  if (json === undefined) throw new PlaygroundRefusal("BODY_REFUSED", "The body is not JSON");
  const value = schema.safeParse(json);
  if (value.success) return value.data;
  const [issue] = value.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new PlaygroundRefusal(
    "BODY_REFUSED",
    `The body is not as expected: ${place} ${issue?.message}`,
  );
}

/** Refusals of the playground's server, as one closed table. */
const REFUSALS = {
  HOST_REFUSED: [421, "Other host"],
  ORIGIN_REFUSED: [403, "Other page"],
  TOKEN_REFUSED: [401, "Other run"],
  ROUTE_NOT_FOUND: [404, "Route not found"],
  BODY_REFUSED: [400, "Body not understood"],
  BODY_TOO_LARGE: [413, "Body too large"],
  PATH_REFUSED: [403, "Path refused"],
  LINK_REFUSED: [403, "Symbolic link"],
  FILE_MISSING: [404, "File not found"],
  FILE_CHANGED: [412, "File changed on disk"],
  HASH_MISSING: [428, "Precondition required"],
  DISK_REFUSED: [403, "Refused by the file system"],
  PROJECT_UNREADABLE: [409, "Project not readable"],
  NO_API: [503, "No API yet"],
  API_UNREACHABLE: [502, "API not reachable"],
  NO_SUCH_PERSON: [400, "Nobody of that name"],
  PERSON_REFUSED: [409, "Person not made"],
  API_REFUSED: [409, "Refused by the API"],
  NO_SUCH_TABLE: [404, "No such table"],
  FAILED: [500, "Failed"],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

type RefusalCode = keyof typeof REFUSALS;

export class PlaygroundRefusal extends Error {
  override readonly name = "PlaygroundRefusal";
  readonly code: RefusalCode;

  /** Takes the code and a text that says what is wrong and what to do. */
  constructor(code: RefusalCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Returns a problem document (RFC 9457) without a type of its own. */
export function refusalResponse({ code, message }: PlaygroundRefusal): Response {
  const [status, title] = REFUSALS[code];
  return new Response(JSON.stringify({ title, status, code, detail: message }), {
    status,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}
