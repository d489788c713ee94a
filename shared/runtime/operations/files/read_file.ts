/** `GET /{resource}/:id/{column}`: the file of a record, through the layers of a single read (contract 4.1 rule 4, 4.7). */
import { type FileValue, isShownInline } from "../../../contract/files.ts";
import { HEADERS } from "../../../contract/headers.ts";
import { sightOf } from "../../../surface/column_sight.ts";
import { isPublicFile } from "../../../surface/file_operations.ts";
import { fileKey } from "../../data/file_keys.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";
import { callerIn, firewallFor, requireOrganization } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import type { ByteRange } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { holdsTag } from "../../request/read_request.ts";
import { enter } from "../call.ts";
import { recordKey, refuseMiss, requireRow } from "../judge_record.ts";
import { type FileCall, fileIn, filePortsOf } from "./file_call.ts";

export async function readFile(call: FileCall): Promise<Response> {
  const { request, plan, id } = call;
  const { principal } = request;
  // Before any row is read: a foreign row and a missing one cannot be told apart.
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "validation");
  const { scope } = requireWriteQuery(plan.query, request);

  enter(call, "firewall");
  const key = recordKey(firewallFor(plan.table, callerIn(plan, principal, scope)), id);
  const row = await selectRow(call, key);

  enter(call, "access");
  if (rule) requireRow(rule, { row, firewall: key.firewall });

  enter(call, "operation");
  enter(call, "masking");
  requirePlain(call, row);
  return await fileResponse(call, row, key);
}

async function selectRow({ request, plan }: FileCall, key: RowKey): Promise<StoredRow> {
  const row = await request.app.data.selectStored(request.database, key);
  return row ?? await refuseMiss(request, plan.resource, key);
}

/** Refuses with `FIELD_MASKED`, with or without a file. */
function requirePlain({ request: { principal }, plan }: FileCall, row: StoredRow): void {
  const { resource, table, operation: { column } } = plan;
  const sight = sightOf(resource, column.name, principal);
  const isOwn = sight.kind === "ownerOnly" && principal.userId !== null &&
    row.get(table.ownerColumn) === principal.userId;
  if (sight.kind !== "plain" && !isOwn) refuse("FIELD_MASKED");
}

async function fileResponse(call: FileCall, row: StoredRow, key: RowKey): Promise<Response> {
  const { request, plan: { table, operation } } = call;
  const { column } = operation;
  const file = fileIn(row, column.name) ?? refuse("FILE_NOT_FOUND");
  const tag = `"${file.sha256}"`;
  const headers = headersOf(call, file, tag);
  if (holdsTag(request.headers, tag)) {
    const held = { [HEADERS.etag]: tag, "cache-control": headers.get("cache-control") ?? "" };
    return new Response(null, { status: 304, headers: held });
  }
  const range = rangeOf(request.headers, file, tag);
  const length = range === null ? file.size : range.end - range.start + 1;
  headers.set("content-length", String(length));
  if (range !== null) {
    headers.set("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
  }
  const status = range === null ? 200 : 206;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const { store } = filePortsOf(request);
  const body = await store.get(await fileKey(table, row, file.id), range ?? undefined);
  if (body !== null) return new Response(body, { status, headers });
  // It may have been replaced, and its bytes collected, since the row was read.
  const now = await selectRow(call, key);
  if (now.get(column.name) !== row.get(column.name)) return await fileResponse(call, now, key);
  throw new Error(`File "${file.id}" of ${table.name}.${column.name} is not in the store`);
}

function headersOf(call: FileCall, file: FileValue, tag: string): Headers {
  const { request: { search, principal }, plan: { operation } } = call;
  const isSaved = operation.column.type.types === null || !isShownInline(file.type) ||
    new URLSearchParams(search).has("download");
  // Everybody's: no cache keeps what a credential was needed for.
  const isPublic = isPublicFile(operation) && principal.credential === "none";
  return new Headers({
    "accept-ranges": "bytes",
    "cache-control": isPublic ? "public, max-age=300" : "private, no-cache",
    "content-disposition": dispositionOf(isSaved ? "attachment" : "inline", file.name),
    "content-security-policy": "sandbox; default-src 'none'",
    "content-type": file.type,
    [HEADERS.etag]: tag,
  });
}

/** RFC 6266, with a plain name for readers that know no other. */
function dispositionOf(kind: "attachment" | "inline", name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * The one range that is asked for (RFC 9110, 14.2); null: the whole file, also for several ranges, for what is none, and where
 * `If-Range` names another file. Refuses with `RANGE_NOT_SATISFIABLE`.
 */
function rangeOf(headers: Headers, { size }: FileValue, tag: string): ByteRange | null {
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== tag) return null;
  const [, first, last, suffix] = RANGE.exec(headers.get("range")?.replaceAll(" ", "") ?? "") ?? [];
  if (first === undefined && suffix === undefined) return null;
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return null;
  if (start >= size || Number(suffix) === 0) {
    refuse("RANGE_NOT_SATISFIABLE", {
      detail: `The file has ${size} bytes`,
      headers: { "content-range": `bytes */${size}` },
    });
  }
  return { start, end };
}
