/** What every layer is given: the application, made once, and the request, never changed after it was read. */
import type { RateLimit } from "../contract/rate_limits.ts";
import type { ContractSwitches } from "../contract/versions.ts";
import type { JsonObject } from "../lib/json_object.ts";
import type { HandlerEnv } from "../model/handler_env.ts";
import type { Principal } from "../model/principal.ts";
import type { ProjectModel } from "../model/project.ts";
import type { TableModel } from "../model/table.ts";
import type { AuthOperation } from "../surface/accounts/operation.ts";
import type { AuthoredCode } from "../surface/authored_code.ts";
import type { Step } from "../surface/layer_order.ts";
import type { MaskSource } from "../surface/mask_sources.ts";
import type { Operation } from "../surface/operations.ts";
import type { QueryPlan } from "../surface/query_plan.ts";
import type { BodyChecker } from "../surface/schema/body.ts";
import type { Middlewares } from "./authored/middlewares.ts";
import type { DrizzleSchema, OpenScopedDb } from "./data/scoped_db/open_scoped_db.ts";
import type { DataLayer } from "./data/types.ts";
import type { Revocations } from "./layers/1-authentication/revocation.ts";
import type { MintToken } from "./layers/1-authentication/token_mint.ts";
import type { Accounts, Ports, Settings, Upgraded } from "./ports.ts";
import type { CursorSeal } from "./request/cursor_seal.ts";
import type { Trace } from "./trace.ts";
import type { DestinationVerdict } from "./webhooks/destination/check_destination.ts";

export interface AppContext {
  readonly project: ProjectModel;
  readonly switches: ContractSwitches;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Who calls; throws the refusal of credentials that prove nothing. */
  readonly identify: (request: RequestContext) => Promise<Principal>;
  /** Null: the project has no tokens. */
  readonly mintToken: MintToken | null;
  readonly newId: NewId;
  readonly data: DataLayer;
  /** Null: the project's tokens cannot be taken back. */
  readonly revocations: Revocations | null;
  readonly cursors: CursorSeal;
  /** The keyed writes that this process is about, by the digest of their key. */
  readonly inFlight: Map<string, KeyedRequest>;
  /** Organizations that were deleted, whose tokens are over. */
  readonly purged: PurgedOrganizations;
  /** The account routes that are served. */
  readonly accountRoutes: (path: string) => ReadonlyMap<string, AuthOperation>;
  /** The one account route that the account library does not answer. */
  readonly deleteOrganization: (
    request: RequestContext,
    accounts: Accounts,
    body: JsonObject,
  ) => Promise<Response>;
  readonly trace: Trace;
  /** What authored code is given. */
  readonly handlers: HandlerHome;
  /** Null: the project has none. */
  readonly middlewares: Middlewares | null;
}

/** What handlers share in one application. */
export interface HandlerHome {
  readonly openDb: OpenScopedDb<DrizzleSchema>;
  readonly env: HandlerEnv;
  /** Of the project, outside of features. */
  readonly code: AuthoredCode;
  /** What results of theirs may hold that some callers may not see. */
  readonly maskSources: readonly MaskSource[];
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
  /** Throws the refusal of a body that is no JSON object. */
  object(): Promise<JsonObject>;
  /** The same for the change of a record, which may be sent as a merge patch too. */
  patch(): Promise<PatchBody>;
  /** What a problem document may echo: the parsed body when it was read and is JSON, else undefined. */
  parsed(): unknown;
  /** Reads the body if nobody did, for the echo only: its own refusal is not thrown. */
  settle(): Promise<void>;
}

/** The body of a record's PATCH. */
export interface PatchBody {
  readonly fields: JsonObject;
  /** Objects in JSON columns are merged into what is stored (RFC 7396), not put in its place. */
  readonly isMerged: boolean;
}

/** Organizations that were deleted: their tokens are over with them. */
export interface PurgedOrganizations {
  has(organizationId: string): Promise<boolean>;
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
  /** The client by its address (`request/client_address.ts`); null: nobody knows it. */
  readonly clientIp: string | null;
  /** Null: the host makes no WebSockets. */
  readonly upgrade: (() => Upgraded) | null;
  /** One timestamp for all that the request does, ISO 8601. */
  readonly now: string;
  readonly body: BodySource;
  /** A write of records is taken back when it is done; no request over HTTP asks for this. */
  readonly rehearses: boolean;
  /** Leads an authenticated caller through the project's middlewares; resolves when the last of them lets it on. */
  readonly pass: (principal: Principal) => Promise<void>;
  /** What middlewares set for handlers. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Which tokens a call costs (contract 8.1). */
export interface RateGate {
  /** Null: no limit. */
  readonly limit: RateLimit | null;
  bucketOf(caller: string): string;
}

/** What is asked before anything of the operation's own: who calls, and how often. */
export interface GatedCall {
  readonly request: RequestContext;
  readonly plan: { readonly isPublic: boolean; readonly rate: RateGate };
  /** Who calls, where authentication and rate limit were passed before: they are not passed twice. */
  readonly admitted?: Principal;
}

/** What is known of an operation before any request, put together once. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly table: TableModel;
  readonly isPublic: boolean;
  readonly rate: RateGate;
  readonly query: QueryPlan;
  readonly takesBody: boolean;
  /** Of one record's fields; null for operations that take none. */
  readonly checkBody: BodyChecker | null;
}

/** One call of an operation. */
export interface Call extends GatedCall {
  readonly plan: OperationPlan;
  /** Of the path; empty on collections. */
  readonly id: string;
  /** What was found of the body's destination before the call's transaction; absent: the call is in none of its own. */
  readonly foreseen?: DestinationVerdict | null;
}

/** The caller, and the organization that scopes the request: theirs, or the one that a PUBLIC caller named. */
export interface Caller {
  readonly principal: Principal;
  readonly organizationId: string | null;
}

/** Reports a step to whoever traces. */
export function enter({ request }: Pick<Call, "request">, step: Step): void {
  request.app.trace?.(request.requestId, step);
}
