/**
 * Reads the body of an upload as a stream, and judges it as it arrives: its form, its type, its leading bytes, its size and its
 * pace. Refuses with `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT` and `VALIDATION_ERROR`.
 */
import type { FileType } from "../../column_types/mod.ts";
import * as files from "../../contract/files.ts";
import { uriDecoded } from "../../lib/texts.ts";
import type { RequestContext } from "../context.ts";
import { type FilePorts, FormError, type Timer } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** A file on its way into the store. */
export interface IncomingFile {
  readonly name: string;
  readonly type: string;
  /** Yields the bytes; throws the refusal when they break a rule of the column. */
  readonly body: AsyncIterable<Uint8Array>;
}

type FileRequest = Pick<RequestContext, "headers" | "app"> & {
  readonly body: Pick<RequestContext["body"], "stream">;
};

/** Maximum bytes of a form's parts and boundaries, beside its file. */
const FORM_EXTRA_BYTES = 64 * 1024;

export async function receiveFile(
  request: FileRequest,
  { type: rule, name: column }: { readonly type: FileType; readonly name: string },
  { readForm }: Pick<FilePorts, "readForm">,
): Promise<IncomingFile> {
  const { headers, app } = request;
  const contentType = headers.get("content-type") ?? "";
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") refuseType("The body must not be encoded");
  const isForm = mediaTypeOf(contentType) === "multipart/form-data";
  const announced = Number(headers.get("content-length") ?? 0);
  if (announced > rule.maxSize + (isForm ? FORM_EXTRA_BYTES : 0)) refuseSize(rule);
  if (!isForm) requireType(mediaTypeOf(contentType), rule);
  const chunks = chunksOf(request, app.ports.timer);
  const sent = isForm ? await readForm(contentType, chunks).catch(refuseForm) : {
    name: dispositionName(headers.get("content-disposition")),
    type: contentType,
    body: chunks,
  };
  const type = requireType(mediaTypeOf(sent.type ?? ""), rule);
  const name = cleanName(sent.name) || `${column}.${files.extensionOf(type)}`;
  return { name, type, body: judgedBytes(sent.body, type, rule) };
}

/** Judges the announcement of a later upload. Refuses with `PAYLOAD_TOO_LARGE` and `UNSUPPORTED_MEDIA_TYPE`. */
export function requireAnnounced(
  { name = "", size, type: said }: {
    readonly name?: string | undefined;
    readonly size: number;
    readonly type: string;
  },
  { type: rule, name: column }: { readonly type: FileType; readonly name: string },
): Pick<files.FileValue, "name" | "type"> {
  const type = requireType(mediaTypeOf(said), rule);
  if (size > rule.maxSize) refuseSize(rule);
  return { name: cleanName(name) || `${column}.${files.extensionOf(type)}`, type };
}

export function mediaTypeOf(contentType: string): string {
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

function requireType(type: string, { types }: FileType): string {
  if (!files.MEDIA_TYPE.test(type)) refuseType("The file must say its media type", types);
  if (!files.isTypeAccepted(type, types)) {
    refuseType(`Files of type '${type}' are not taken`, types);
  }
  return type;
}

function refuseType(detail: string, types: readonly string[] | null = null): never {
  const taken = types === null ? "the file's media type" : types.join(", ");
  return refuse("UNSUPPORTED_MEDIA_TYPE", { detail, hint: `Send 'Content-Type': ${taken}` });
}

function refuseSize({ maxSize }: Pick<FileType, "maxSize">): never {
  return refuse("PAYLOAD_TOO_LARGE", {
    detail: `The file is larger than ${maxSize} bytes`,
    hint: `Send a file of at most ${maxSize} bytes`,
  });
}

function refuseForm(error: unknown): never {
  if (!(error instanceof FormError)) throw error;
  return refuse("VALIDATION_ERROR", {
    detail: error.message,
    details: { fields: { "": error.message } },
    pointer: "",
    hint: "Send exactly one part, which has a file name",
    cause: error,
  });
}

/** Yields the same bytes. None is passed on before the first ones were judged, and none beyond the limit. */
export async function* judgedBytes(
  body: AsyncIterable<Uint8Array>,
  type: string,
  rule: Pick<FileType, "maxSize">,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let begun: Uint8Array | null = new Uint8Array();
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > rule.maxSize) refuseSize(rule);
      if (begun === null) {
        yield chunk;
        continue;
      }
      begun = joined(begun, chunk);
      if (begun.length < files.SNIFFED_BYTES) continue;
      requireContent(begun, type);
      yield begun;
      begun = null;
    }
  } catch (error) {
    refuseForm(error);
  }
  if (begun === null) return;
  requireContent(begun, type);
  yield begun;
}

function requireContent(bytes: Uint8Array, type: string): void {
  if (!files.bytesFitType(bytes, type)) refuseType(`The file does not begin as one of '${type}'`);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Yields the body as it arrives; each stretch of time must bring its minimum of bytes. */
async function* chunksOf({ body }: FileRequest, timer?: Timer): AsyncGenerator<Uint8Array> {
  const stream = body.stream();
  if (stream === null) return;
  const reader = stream.getReader();
  let isLate = false;
  const pace = paceOf(timer, () => {
    isLate = true;
    // The cancel ends the pending read. It is not awaited: a sender that stalls would delay the answer.
    reader.cancel().catch(() => {});
  });
  let isEnded = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(refuseBroken);
      if (isLate) refuseLate();
      isEnded = done;
      if (value === undefined) return;
      pace.arrived(value.length);
      yield value;
    }
  } finally {
    pace.stop();
    if (!isEnded) reader.cancel().catch(() => {});
  }
}

/** Refuses a body that breaks off: it is the sender's fault and not a failure of the service. */
function refuseBroken(cause: unknown): never {
  const detail = "The body broke off before its end";
  const details = { fields: { "": detail } };
  return refuse("VALIDATION_ERROR", { detail, details, pointer: "", cause });
}

function refuseLate(): never {
  const { windowMs, bytesMin } = files.FILE_RECEIVING;
  return refuse("REQUEST_TIMEOUT", {
    detail: `Less than ${bytesMin} bytes arrived within ${windowMs / 1000} seconds`,
    headers: { connection: "close" },
  });
}

/** Watches the pace of a body. Half-sent bodies are closed, though a large file may take its time (contract 8). */
function paceOf(timer: Timer | undefined, late: () => void) {
  const { windowMs, bytesMin } = files.FILE_RECEIVING;
  let bytes = 0;
  let stop: (() => void) | undefined;
  const begin = () => {
    bytes = 0;
    stop = timer?.after(windowMs, () => bytes >= bytesMin ? begin() : late());
  };
  begin();
  return { arrived: (count: number) => void (bytes += count), stop: () => stop?.() };
}

/** Reads `filename*` before `filename` (RFC 6266, 4.3); empty: there is neither. */
function dispositionName(header: string | null): string {
  if (header === null) return "";
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const decoded = encoded === undefined ? null : uriDecoded(encoded);
  if (decoded !== null) return decoded;
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ??
    [];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "";
}

/** Matches control characters, and characters that change the direction of the text after them. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the last part of a path, without invisible characters, in at most 255 bytes; it may be empty. */
export function cleanName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  let clean = "";
  let bytes = 0;
  for (const letter of last.replaceAll(HIDDEN, "").trim()) {
    bytes += new TextEncoder().encode(letter).length;
    if (bytes > files.FILE_NAME_MAX_BYTES) break;
    clean += letter;
  }
  return clean === "." || clean === ".." ? "" : clean;
}
