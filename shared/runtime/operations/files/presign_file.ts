/**
 * Serves `POST /{resource}/:id/{column}/presign`: an address for the bytes, for a caller who may read or send the file
 * (contract 4.7, definitions 3). An upload changes its row when it is confirmed, through all layers again (`write_file.ts`).
 */
import { HEADERS, isSavedFile, PRESIGN_EXPIRES } from "../../../contract/mod.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import type { FileOperation, PresignBody, PresignedMethod } from "../../../surface/mod.ts";
import { presignBody, presignedMethodsOf } from "../../../surface/mod.ts";
import { fileIdsOf, fileKey, newFileId, uploadKey } from "../../data/file_keys.ts";
import { columnPool } from "../../data/unreferred_pools.ts";
import type { Admitted } from "../../gate.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import type { AddressedUse, FileAddresses } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import { requireFields } from "../../request/body.ts";
import { requireAnnounced } from "../../request/file_body.ts";
import { jsonResponse } from "../../response/record.ts";
import { enter } from "../call.ts";
import { refuseCondition } from "../write_record.ts";
import { type FileCall, filePortsOf, uploadHolder } from "./file_call.ts";
import { requireReadableFile } from "./read_file.ts";
import { requireWritableFile } from "./write_file.ts";

/** The body before it is validated: its method decides which layers the call passes. */
export interface PresignDraft {
  readonly method: PresignedMethod;
  /** Validates the body; refuses a malformed one. */
  body(): PresignBody;
}

export async function presignDraft(
  request: Admitted,
  operation: FileOperation,
): Promise<PresignDraft> {
  const methods = presignedMethodsOf(operation.resource);
  const [first = "GET"] = methods;
  const body = await request.body.object().catch((error: unknown): JsonObject | Refusal => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  return {
    method: methods.find((method) => isJsonObject(body) && body["method"] === method) ?? first,
    body() {
      if (body instanceof Refusal) throw body;
      return requireFields(presignBody(methods, operation.column.type), body);
    },
  };
}

export async function presignFile(call: FileCall, draft: PresignDraft): Promise<Response> {
  return draft.method === "GET" ? await forReading(call, draft) : await forWriting(call, draft);
}

async function forReading(call: FileCall, draft: PresignDraft): Promise<Response> {
  const { request, plan: { table, operation: { column } } } = call;
  if (request.headers.has(HEADERS.idempotencyKey)) {
    refuseCondition("Each address is a new one, and none is kept for an 'Idempotency-Key'");
  }
  let expiresIn: number | undefined;
  const { row, file } = await requireReadableFile(call, () => {
    const body = draft.body();
    if (body.method !== "GET") throw new Error("The draft is of another method");
    expiresIn = body.expiresIn;
    return (files) => files.find(({ id }) => id === (body.id ?? id)) ?? null;
  });
  return await addressed(request, expiresIn, {
    method: "GET",
    key: await fileKey(table, row, file.id),
    file,
    isSaved: isSavedFile(column.type.types, file),
  });
}

async function forWriting(call: FileCall, draft: PresignDraft): Promise<Response> {
  const { request, plan: { table, operation: { column }, query } } = call;
  const { row } = await requireWritableFile(call, request.principal, request.database);

  enter(call, "validation");
  requireWriteQuery(query, request);
  const body = draft.body();
  if (body.method !== "PUT") throw new Error("The draft is of another method");
  const { name, type } = requireAnnounced(body, column);

  enter(call, "operation");
  const { size, expiresIn = PRESIGN_EXPIRES.default, sha256 = null } = body;
  const { uploads } = await fileIdsOf(table.name, column.name);
  const key = await uploadKey(table, row, newFileId(uploads, request.app.ports.random));
  const upload = { key, name, size, type, sha256 };
  const confirming = (addresses: FileAddresses, until: number) =>
    addresses.signUpload(upload, uploadHolder(call), until);
  const pool = await columnPool(request.database, { table, row, column });
  const until = request.app.ports.clock.now() + expiresIn * 1000;
  await filePortsOf(request).unreferred.give(pool, { key, size, until });
  return await addressed(request, expiresIn, { method: "PUT", key, type, size }, confirming);
}

/** Makes the addresses of a file. `confirming` makes the text that confirms an upload. */
async function addressed(
  request: Admitted,
  expiresIn: number = PRESIGN_EXPIRES.default,
  use: AddressedUse,
  confirming?: (addresses: FileAddresses, until: number) => Promise<string>,
): Promise<Response> {
  const { addresses, graceMs } = filePortsOf(request);
  const { url, headers } = await addresses.presign(use, expiresIn);
  const until = request.app.ports.clock.now() + expiresIn * 1000;
  const answer = {
    url,
    method: use.method,
    headers,
    expiresAt: new Date(until).toISOString(),
    // An upload that was sent in time is kept that much longer.
    ...(confirming && { upload: await confirming(addresses, until + graceMs) }),
  };
  const response = jsonResponse(JSON.stringify(answer), 200);
  response.headers.set("cache-control", "no-store");
  return response;
}
