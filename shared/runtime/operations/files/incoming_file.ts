/**
 * Reads the content of a file's `PUT`: its bytes, or a confirmation that they are in the store already (contract 4.7,
 * definitions 3).
 */
import { type FileValue, isTypeAccepted } from "../../../contract/mod.ts";
import { joinedBytes, streamChunks, utf8Text } from "../../../lib/bytes.ts";
import { parsedJson } from "../../../lib/json.ts";
import { uploadBody } from "../../../surface/mod.ts";
import type { PendingUpload } from "../../ports.ts";
import { refuseMember } from "../../refusal.ts";
import { requireFields } from "../../request/body.ts";
import {
  type IncomingFile,
  judgedBytes,
  mediaTypeOf,
  receiveFile,
  requireAnnounced,
} from "../../request/file_body.ts";
import { type FileCall, filePortsOf, uploadHolder } from "./file_call.ts";

export interface Incoming extends IncomingFile {
  /** Maximum size in bytes. */
  readonly size: number;
  /** The upload from which it is copied; null: its bytes are in this request. */
  readonly pending: PendingUpload | null;
  /**
   * Refuses with `VALIDATION_ERROR` a content that differs from the announced one; call it with the size and digest that the
   * store has kept.
   */
  requireKept(kept: Pick<FileValue, "size" | "sha256">): void;
}

const JSON_TYPE = "application/json";
/** Maximum bytes of a confirmation. */
const CONFIRMATION_MAX_BYTES = 16 * 1024;

export async function incomingFile(call: FileCall): Promise<Incoming> {
  const { request, plan: { operation: { column } } } = call;
  const ports = filePortsOf(request);
  const pendingOf = (upload: string) => ports.addresses.openUpload(upload, uploadHolder(call));
  if (mediaTypeOf(request.headers.get("content-type") ?? "") !== JSON_TYPE) {
    return sentNow(call, await receiveFile(request, column, ports));
  }
  const { maxSize, types } = column.type;
  if (!isTypeAccepted(JSON_TYPE, types)) {
    const { upload } = requireFields(uploadBody, await request.body.object());
    const pending = await pendingOf(upload);
    return await sentBefore(call, pending ?? refuseUpload(NOT_GOOD));
  }
  // The column takes JSON files, too: one is a confirmation if it has the form of one.
  const taken = { ...column.type, maxSize: Math.max(maxSize, CONFIRMATION_MAX_BYTES) };
  const file = await receiveFile(request, { ...column, type: taken }, ports);
  const { whole, body } = await peeked(file.body);
  const { data } = uploadBody.safeParse(parsedJson(utf8Text(whole ?? new Uint8Array()) ?? ""));
  if (!data) return sentNow(call, { ...file, body: judgedBytes(body, file.type, column.type) });
  // An invalid confirmation is refused and never stored as the file: it would replace the present one.
  return await sentBefore(call, await pendingOf(data.upload) ?? refuseUpload(NOT_GOOD));
}

const NOT_GOOD = "Is none of this caller and record";

function sentNow({ request: { headers }, plan }: FileCall, file: IncomingFile): Incoming {
  const { maxSize } = plan.operation.column.type;
  const size = Math.min(Number(headers.get("content-length") ?? maxSize), maxSize);
  return { ...file, size, pending: null, requireKept() {} };
}

/**
 * Reads the first bytes without consuming them: returns the same bytes, and all of them if they are no longer than a
 * confirmation.
 */
async function peeked(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let size = 0;
  for (let isWhole = false;;) {
    const { done, value } = await chunks.next();
    isWhole = done === true;
    if (value !== undefined) begun.push(value);
    size += value?.length ?? 0;
    if (!isWhole && size <= CONFIRMATION_MAX_BYTES) continue;
    const rest = async function* () {
      yield* begun;
      yield* { [Symbol.asyncIterator]: () => chunks };
    };
    return { whole: isWhole ? joinedBytes(begun) : null, body: rest() };
  }
}

/**
 * Takes the bytes that came by an address. They are copied: the address may be valid for longer, and the file of a row must
 * remain as it was judged.
 */
async function sentBefore(call: FileCall, pending: PendingUpload): Promise<Incoming> {
  const { column } = call.plan.operation;
  const { size, sha256 } = pending;
  // The column may have changed since the announcement.
  const announced = requireAnnounced(pending, column);
  const stream = await filePortsOf(call.request).store.get(pending.key);
  if (stream === null) {
    return refuseUpload("Nothing was sent to its address, or it is kept no more");
  }
  return {
    ...announced,
    size,
    pending,
    body: judgedBytes(streamChunks(stream), announced.type, { maxSize: size }),
    requireKept(kept) {
      if (kept.size !== size) refuseUpload(`Has ${kept.size} bytes, and ${size} were announced`);
      if (sha256 !== null && kept.sha256 !== sha256) {
        refuseUpload("Has another digest than was announced");
      }
    },
  };
}

function refuseUpload(message: string): never {
  return refuseMember(["upload"], message);
}
