/** Reads request bodies of the page, with limits. */
import type { z } from "zod";
import { joinedBytes, utf8Text } from "../../shared/lib/bytes.ts";
import { parsedJson } from "../../shared/lib/json.ts";
import { COMPILE_FILE_MAX_BYTES } from "../../shared/service/mod.ts";
import { API_REQUEST, type ApiRequest, RENAME } from "../protocol.ts";
import { PlaygroundRefusal } from "./refusal.ts";

/** A body as text, of the size that a compile would take of one file. */
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

export async function readRename(request: Request): Promise<z.infer<typeof RENAME>> {
  return parsed(await readText(request), RENAME);
}

export async function readApiRequest(request: Request): Promise<ApiRequest> {
  return parsed(await readText(request), API_REQUEST);
}

/** Version that the page has seen; null: it creates a file. */
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
