/** Contexts that every layer takes: the application, made once, and the request, never changed after it was read. */
import type { ContractSwitches, RateLimit, RuntimeCode } from "../contract/mod.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Soon } from "../lib/soon.ts";
import type { Principal, ProjectModel, TableModel } from "../model/mod.ts";
import type { Step } from "../surface/mod.ts";
import type { Ports, Settings, Upgraded } from "./ports.ts";

/** Reports the steps that an operation takes, as it takes them. Null in production: a step then costs one comparison. */
export type Trace = ((requestId: string, step: Step) => void) | null;

/** Facts about the application that hold before a caller is admitted. */
export interface AppContext {
  readonly project: ProjectModel;
  readonly switches: ContractSwitches;
  /** Ports without the databases, which only admitted requests have (`gate.ts`). */
  readonly ports: Omit<Ports, "database" | "tenants">;
  readonly settings: Settings;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly trace: Trace;
  /** Codes of refusals, by their answers; null: nobody asks. */
  readonly refusals: WeakMap<Response, RuntimeCode> | null;
  /** When the log was told last of a column that holds what its type has not, by its name; milliseconds. */
  readonly misfitsTold: Map<string, number>;
}

/** A request under an `Idempotency-Key`, as digests. */
export interface KeyedRequest {
  /** Of the key, within its tenant or user. */
  readonly id: string;
  /** Of all that makes this request what it is. */
  readonly fingerprint: string;
  /** Of the caller with everything that decides what they may do and see. */
  readonly principal: string;
  /** Of the caller, as it is. */
  readonly organizationId: string | null;
}

/** An id for a new row; null when the database numbers the table's rows. */
export type NewId = (table: TableModel) => string | null;

/** The body of one request; read on first use, after the layers that judge without it. */
export interface BodySource {
  /** As they were sent, JSON or not; throws the refusal of a body beyond the limit. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** As it comes; null: none was sent. Nothing else is read of it then. */
  stream(): ReadableStream<Uint8Array> | null;
  /** Throws the refusal of a body that is no JSON object. */
  object(): Promise<JsonObject>;
  /** The same for the change of a record, which may be sent as a merge patch too. */
  patch(): Promise<PatchBody>;
  /** The body for a problem document's echo: parsed when it was read and is JSON, else undefined. */
  parsed(): unknown;
  /** Reads the body if nobody did, for the echo only: its own refusal is not thrown. */
  settle(): Promise<void>;
}

/** The body of a record's PATCH. */
interface PatchBody {
  readonly fields: JsonObject;
  /** Objects in JSON columns are merged into what is stored (RFC 7396), not put in its place. */
  readonly isMerged: boolean;
}

/** Organizations that were deleted: their tokens are over with them. */
export interface PurgedOrganizations {
  has(organizationId: string): Soon<boolean>;
  /** At once in this process. */
  add(organizationId: string): void;
}

export interface RequestContext {
  readonly app: AppContext;
  readonly requestId: string;
  readonly method: string;
  /** The one canonical path: for routing, rate keys and `instance`. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly headers: Headers;
  /** The client by its address (`request/read_request.ts`); null: nobody knows it. */
  readonly clientIp: string | null;
  /** Null: the host makes no WebSockets. */
  readonly upgrade: (() => Upgraded) | null;
  /** One timestamp for all that the request does, ISO 8601. */
  readonly now: string;
  readonly body: BodySource;
}

/** Rate limits of a call, with the tokens that it costs (contract 8.1). */
export interface RateGate {
  /** Null: no limit. */
  readonly limit: RateLimit | null;
  bucketOf(caller: string): string;
}

/** The caller, and the organization that scopes the request: theirs, or the one that a PUBLIC caller named. */
export interface Caller {
  readonly principal: Principal;
  readonly organizationId: string | null;
}
