/**
 * Reads JSON bodies, once and bounded. Refuses with `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` (contract 8),
 * `REQUEST_TIMEOUT`, `INVALID_JSON`, and with `VALIDATION_ERROR` a body that no operation may take.
 */
import type { z } from "zod";
import { BODY_MAX_BYTES, BODY_RECEIVED_MAX_MS } from "../../contract/mod.ts";
import { MERGE_PATCH_MEDIA_TYPE } from "../../contract/mod.ts";
import { JSON_MEDIA_TYPE } from "../../lib/http.ts";
import {
  hasMoreMembers,
  isJsonObject,
  jsonFaultOf,
  type JsonObject,
  markedJson,
  parsedJson,
  pointerTo,
} from "../../lib/json.ts";
import { readCapped, utf8Text } from "../../lib/bytes.ts";
import { FORM_MEDIA_TYPE } from "../../surface/mod.ts";
import type { BodySource } from "../context.ts";
import type { Timer } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";

export interface BodyReading {
  /** Timer of the body's limit; absent: the body may take as long as the host lets it. */
  readonly timer?: Timer;
  /** Returns the names of columns that store any double; called only for bodies with long numbers. */
  readonly reals?: () => ReadonlySet<string>;
}

/** Returns the body of this request, not yet read. */
export function bodyOf(request: Request, reading: BodyReading = {}): BodySource {
  return new RequestBody(request, reading);
}

/** The body of a request. Nothing is made for the many requests whose body is never read. */
class RequestBody implements BodySource {
  #received: Promise<Uint8Array<ArrayBuffer>> | null = null;
  #reading: Promise<JsonObject> | null = null;
  #parsed: unknown = undefined;

  constructor(private readonly request: Request, private readonly reading: BodyReading) {}

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#received ??= readBytes(this.request, this.reading.timer);
  }

  stream(): ReadableStream<Uint8Array> | null {
    return this.request.body;
  }

  async object(): Promise<JsonObject> {
    return await this.#objectOf(PLAIN_JSON);
  }

  async patch() {
    return {
      fields: await this.#objectOf(JSON_MEDIA_TYPE),
      isMerged: mediaTypeOf(this.request) === MERGE_PATCH_MEDIA_TYPE,
    };
  }

  parsed(): unknown {
    return this.#parsed;
  }

  async settle(): Promise<void> {
    try {
      await this.#objectOf(JSON_MEDIA_TYPE);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #objectOf(mediaTypes: RegExp): Promise<JsonObject> {
    requireJson(this.request, mediaTypes);
    return this.#reading ??= this.#read();
  }

  async #read(): Promise<JsonObject> {
    const text = utf8Text(await this.bytes());
    if (text === null) throw invalidJson("The body is not valid UTF-8");
    // Members are counted before the parse, because parsing them costs more than all else.
    if (hasMoreMembers(text, BODY_MEMBERS_MAX)) {
      const message = `Must not have more than ${BODY_MEMBERS_MAX} members in all`;
      refuse("VALIDATION_ERROR", { details: { fields: { "": message } }, pointer: "" });
    }
    const parsed = this.#parsed = parsedJson(text);
    if (parsed === undefined) throw invalidJson("The body is not valid JSON");
    if (!isJsonObject(parsed)) {
      throw new Refusal("VALIDATION_ERROR", {
        detail: "The body must be a JSON object",
        pointer: "",
        ...(Array.isArray(parsed) ? { hint: LIST_HINT } : {}),
      });
    }
    requireSafeJson(parsed);
    // A number that was written out in full has become another number.
    requireSafeJson(markedJson(text, this.reading.reals));
    return parsed;
  }
}

/** Matches JSON media types but merge patch: a merge patch changes a record, and is no other body. */
const PLAIN_JSON = /^application\/(?!merge-patch\+)(?:json|[a-z0-9!#$&^_.-]+\+json)$/;

export function mediaTypeOf({ headers }: Pick<Request, "headers">): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Refuses a body whose `Content-Type` is absent or not JSON. */
function requireJson(request: Request, mediaTypes: RegExp): void {
  const accepted = mediaTypes === JSON_MEDIA_TYPE
    ? ["application/json", MERGE_PATCH_MEDIA_TYPE]
    : ["application/json"];
  // RFC 5789, 2.2.
  const headers = request.method === "PATCH" ? { "accept-patch": accepted.join(", ") } : {};
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (!mediaTypes.test(mediaTypeOf(request))) {
    const detail = `The body must be sent as ${accepted.map((type) => `'${type}'`).join(" or ")}`;
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { detail, headers });
  }
  if (encoding !== "identity") {
    const detail = "The body must not be encoded";
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { detail, headers });
  }
}

/** Reads all bytes of a body; keeps no more than the limit in memory. */
async function readBytes(request: Request, timer?: Timer): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > BODY_MAX_BYTES) throw tooLarge();
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  // The rest may still come, so the connection cannot serve another request.
  const stop = timer?.after(BODY_RECEIVED_MAX_MS, () =>
    late.reject(
      new Refusal("REQUEST_TIMEOUT", {
        detail: `The body did not arrive within ${BODY_RECEIVED_MAX_MS / 1000} seconds`,
        headers: { connection: "close" },
      }),
    ));
  try {
    // The body cannot be longer than announced, and the platform reads it faster whole than by chunks.
    const bytes = announced === null
      ? await readCapped(chunksOf(request, late.promise), BODY_MAX_BYTES)
      : await Promise.race([request.bytes(), late.promise]);
    if (bytes === null || bytes.byteLength > BODY_MAX_BYTES) throw tooLarge();
    return bytes;
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    // A body that breaks off, or whose transfer coding breaks, is the sender's fault and not a failure of the service.
    throw new Refusal("INVALID_JSON", { detail: "The body broke off before its end", cause });
  } finally {
    stop?.();
  }
}

async function* chunksOf({ body }: Request, late: Promise<never>): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let isEnded = false;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      isEnded = done;
      if (done) return;
      yield value;
    }
  } finally {
    // The cancel is not awaited: a sender that stalls would delay the answer.
    if (!isEnded) reader.cancel().catch(() => {});
  }
}

function tooLarge(): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", {
    detail: `The body is larger than ${BODY_MAX_BYTES} bytes`,
  });
}

function invalidJson(detail: string): Refusal {
  return new Refusal("INVALID_JSON", { detail });
}

const LIST_HINT =
  'Send one object; a batch of a resource takes { "records": [ … ] }, or { "ids": [ … ] } to delete';

/**
 * Reads the body of a route by its schema; an absent body counts as an empty one. Refuses with `VALIDATION_ERROR` and as any
 * body is refused.
 */
export async function requireBody<T>(
  schema: z.ZodType<T>,
  body: Pick<BodySource, "bytes" | "object">,
): Promise<T> {
  return requireFields(schema, (await body.bytes()).byteLength === 0 ? {} : await body.object());
}

/** Reads the values of a form; null: the body is not a form. */
export async function formIn(
  { headers, body }: Pick<Request, "headers"> & { readonly body: Pick<BodySource, "bytes"> },
): Promise<URLSearchParams | null> {
  if (mediaTypeOf({ headers }) !== FORM_MEDIA_TYPE) return null;
  return new URLSearchParams(utf8Text(await body.bytes()) ?? "");
}

/** Maximum members that a refusal lists: the body may have any number of unknown ones. */
const FIELDS_MAX = 20;

/** Validates the members of a body by their schema. Refuses with `VALIDATION_ERROR`, which names every offending member. */
export function requireFields<T>(schema: z.ZodType<T>, body: JsonObject): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") {
      return [[String(issue.path[0] ?? ""), issue.message] as const];
    }
    return issue.keys.slice(0, FIELDS_MAX).map((key) => [key, "Unknown field"] as const);
  }).slice(0, FIELDS_MAX);
  const [first] = faults;
  return refuse("VALIDATION_ERROR", {
    details: { fields: Object.fromEntries(faults) },
    pointer: first ? pointerTo(first[0]) : "",
  });
}

export const BODY_MEMBERS_MAX = 50_000;

const MEMBERS_SHOWN_MAX = 8;
const MEMBER_SHOWN_LENGTH = 64;

/**
 * Refuses JSON that no operation may take (definitions 7, traps 12): keys that reach prototypes, numbers that no double
 * represents, and shapes too deep or too large to walk. Refuses with `VALIDATION_ERROR`.
 */
export function requireSafeJson(value: unknown): void {
  const fault = jsonFaultOf(value, { membersMax: BODY_MEMBERS_MAX });
  if (fault === null) return;
  const shown = fault.path.slice(0, MEMBERS_SHOWN_MAX)
    .map((member) => member.slice(0, MEMBER_SHOWN_LENGTH).toWellFormed());
  refuse("VALIDATION_ERROR", {
    details: { fields: { [shown[0] ?? ""]: fault.message } },
    pointer: pointerTo(...shown),
  });
}
