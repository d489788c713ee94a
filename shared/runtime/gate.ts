/**
 * Admits every request to the API (contract 1.3): identifies the caller, runs the project's middlewares around the rest, counts
 * a token of the caller's rate limit, then runs the endpoint. Only this file makes an `Admitted`, as only `firewall.ts` makes a
 * `Firewall`, and no operation runs without one. Refuses with `AUTH_MISSING`, `RATE_LIMITED` and the codes of
 * `layers/1-authentication/identify.ts`.
 */
import { HEADERS } from "../contract/mod.ts";
import { type Soon, soon } from "../lib/soon.ts";
import { actorOf, ANONYMOUS, type Home, type Principal } from "../model/mod.ts";
import { type Route, SCOPE_PARAMETER, type Who } from "../surface/mod.ts";
import type { Middlewares } from "./authored/middlewares.ts";
import type { HandlerHome } from "./authored/work.ts";
import {
  type AppContext,
  type KeyedRequest,
  type NewId,
  type PurgedOrganizations,
  type RateGate,
  type RequestContext,
} from "./context.ts";
import { HookTime } from "./authored/hook_time.ts";
import type { Auditing } from "./data/changes/auditing.ts";
import { type Elsewhere, elsewhereIn } from "./data/scoped_db/open_scoped_db.ts";
import type { DataLayer } from "./data/types.ts";
import type { MintToken } from "./layers/1-authentication/token_mint.ts";
import type { Identify } from "./layers/1-authentication/identify.ts";
import type { RightsWatch, Watched } from "./layers/1-authentication/rights_watch.ts";
import { limitRate } from "./layers/2-rate-limit/limit_rate.ts";
import type { Database, TenantDatabases } from "./ports.ts";
import { Refusal, type RefusalOptions, refuse } from "./refusal.ts";
import type { CursorSeal } from "./request/cursor_seal.ts";
import { refusedResponse } from "./response/refused.ts";

/** The application as operations see it. */
export interface OperationContext extends AppContext {
  /** Mints tokens; null: the project has no tokens. */
  readonly mintToken: MintToken | null;
  readonly newId: NewId;
  readonly data: DataLayer;
  readonly cursors: CursorSeal;
  /** The keyed writes that run in this process, by the digest of their key. */
  readonly inFlight: Map<string, KeyedRequest>;
  /** Organizations that were deleted, whose tokens are no longer valid. */
  readonly purged: PurgedOrganizations;
  /** Removes the database of a deleted organization; null: it has none of its own. */
  readonly removeTenant: ((organizationId: string) => Promise<void>) | null;
  /** Disables the webhook endpoints of an organization that end with a taking over; null: they end in the same transaction. */
  readonly endEndpoints: ((organizationId: string) => Promise<void>) | null;
  /** Shared parts of authored code. */
  readonly handlers: HandlerHome;
}

/** Conditions that a request meets before its endpoint sees it. */
export interface Gate {
  readonly who: Who;
  /** Rate limit of the call; null: calls are not counted here. */
  readonly rate: RateGate | null;
  /** True when the project's own middlewares run around it (definitions 6). */
  readonly hasMiddlewares: boolean;
  /**
   * Database of the call, if each organization has its own. `tenant`: that of the caller's organization. `either`: the same, or
   * the directory for callers without one. Absent: the directory.
   */
  readonly home?: Home | "either";
  /**
   * Returns the organization whose database the call uses, where that is not the caller's own; null: the directory's database.
   */
  readonly organizationOf?: (principal: Principal, search: string) => string | null;
  /** True when calls may change records with a history. */
  readonly isAudited?: boolean;
}

export interface Endpoint {
  /** Name for logs and `details.operation`. */
  readonly id: string;
  readonly method: string;
  /** Path with its parameters as `:id`. */
  readonly path: string;
  readonly gate: Gate;
  /** Refuses requests without a destination or from a forbidden origin, whichever caller sends them. */
  before?(request: RequestContext, id: string): void;
  handle(request: Admitted, id: string): Promise<Response>;
}

/** Returns the gate of a route that is no operation of the project: it has none of the project's middlewares. */
export function serviceGate({ who, rateGate = null }: Pick<Route, "who"> & Partial<Route>): Gate {
  return { who, rate: rateGate, hasMiddlewares: false };
}

interface GateMeans {
  readonly app: OperationContext;
  readonly database: Database;
  /** The same database for requests that change nothing: reads from a copy where there is one. */
  readonly reading: Database;
  /** The databases of organizations; null: all rows are in the one database. */
  readonly tenants: Pick<TenantDatabases, "of" | "organizations"> | null;
  readonly identify: Identify;
  /** Watches callers' rights; null: the host has no timer. */
  readonly rights: RightsWatch | null;
  /** Writes the history of records; null: the project keeps none. */
  readonly auditing: Auditing | null;
  /** The project's middlewares; null: it has none. */
  readonly middlewares: Middlewares | null;
}

/** Answers a request to an endpoint; never throws. */
export type Enter = (request: RequestContext, endpoint: Endpoint, id: string) => Promise<Response>;

export function createGate(means: GateMeans): Enter {
  return (request, endpoint, id) => entered(request, endpoint, id, means);
}

/** Enters an endpoint. `known` absent: the caller is not identified yet. */
async function entered(
  request: RequestContext,
  endpoint: Endpoint,
  id: string,
  means: GateMeans,
  known?: Principal,
): Promise<Response> {
  const { gate } = endpoint;
  const { middlewares } = means;
  let impersonator: string | undefined;
  const told = (response: Response) => withImpersonator(response, impersonator);
  try {
    endpoint.before?.(request, id);
    const principal = known ?? await identified(request, endpoint, means);
    impersonator = principal.impersonatedBy;
    const run = (variables: Variables) =>
      soon(limitRate(request, principal, gate.rate), () => {
        const { home = "directory", organizationOf } = gate;
        const audits = gate.isAudited ? endpoint.id : null;
        const hookTime = hookTimeOf(means);
        const admission = {
          ...means,
          home,
          organizationOf,
          audits,
          principal,
          variables,
          hookTime,
        };
        return endpoint.handle(new AdmittedRequest(request, admission), id);
      });
    if (middlewares === null || !gate.hasMiddlewares) return told(await run(NO_VARIABLES));
    return told(
      await middlewares(request, principal, async (variables) => {
        try {
          return await run(variables);
        } catch (error) {
          // Middlewares receive refusals as responses.
          return refusedResponse(error, request, endpoint.id);
        }
      }),
    );
  } catch (error) {
    return told(refusedResponse(error, request, endpoint.id));
  }
}

/** Returns the time of the request's hooks. Without hooks, all requests share one that is never used. */
function hookTimeOf({ app: { handlers: { code }, ports, settings } }: GateMeans): HookTime {
  if (code.recordHooks === undefined) return NO_HOOKS;
  return new HookTime({ ...ports, limitMs: settings.hookTimeoutMs });
}

const NO_HOOKS = new HookTime({ clock: { now: () => 0 } });

/** Adds to the answer the account that acts in its caller's place. */
export function withImpersonator(response: Response, impersonator: string | undefined): Response {
  // The headers of a WebSocket cannot be changed any more.
  if (impersonator !== undefined && response.status !== 101) {
    response.headers.set(HEADERS.impersonatedBy, impersonator);
  }
  return response;
}

function identified(
  request: RequestContext,
  { gate: { who } }: Endpoint,
  { identify }: GateMeans,
): Soon<Principal> {
  if (who === "unasked") return ANONYMOUS;
  request.app.trace?.(request.requestId, "authentication");
  return soon(
    identify(request, who),
    (principal) =>
      principal.credential === "none" && who !== "anyone" ? refuseMissing(who) : principal,
  );
}

/** Refuses a request without a valid kind of credential. `about` describes the refusal where the route takes no credential. */
export function refuseMissing(
  who: Who,
  about: RefusalOptions = who === "header" ? { hint: HEADER_HINT } : {},
): never {
  return refuse("AUTH_MISSING", about);
}

const HEADER_HINT =
  "Send 'Authorization: Bearer <token>' or 'x-api-key: <key>'; cookies do not count here";

type Variables = ReadonlyMap<string, unknown>;

const NO_VARIABLES: Variables = new Map();

/** A database, with the kind of rows in it; null: it has all rows. */
interface PlacedDatabase {
  readonly database: Database;
  readonly place: Home | null;
}

interface Admission extends GateMeans {
  readonly home: Home | "either";
  readonly organizationOf: Gate["organizationOf"];
  /** Name of the operation in the history of records; null: it changes no record with a history. */
  readonly audits: string | null;
  /** The database that answers all statements; absent: nothing wraps the request. */
  readonly within?: PlacedDatabase;
  readonly principal: Principal;
  readonly variables: Variables;
  readonly hookTime: HookTime;
}

/** The part of a request that a changeset's operation gives its route. */
export type PartRequest = Pick<RequestContext, "method" | "path" | "search" | "body">;

/** The class is not exported as a value, so that only the gate can make one. The private field excludes look-alikes. */
class AdmittedRequest implements RequestContext {
  readonly #admission: Admission;
  readonly app: OperationContext;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Headers;
  readonly clientIp: string | null;
  readonly upgrade: RequestContext["upgrade"];
  readonly now: string;
  readonly body: RequestContext["body"];
  readonly principal: Principal;
  /** The database of all reads and writes: within a wrapper, its transaction. */
  readonly database: Database;
  /** Kind of the rows in this database; null: it has all rows. */
  readonly place: Home | null;
  /** Variables that middlewares set for handlers. */
  readonly variables: Variables;
  /** The time that all hooks of the request share. */
  readonly hookTime: HookTime;

  constructor(request: RequestContext, admission: Admission) {
    this.#admission = admission;
    this.app = admission.app;
    this.requestId = request.requestId;
    this.method = request.method;
    this.path = request.path;
    this.search = request.search;
    this.headers = request.headers;
    this.clientIp = request.clientIp;
    this.upgrade = request.upgrade;
    this.now = request.now;
    this.body = request.body;
    this.principal = admission.principal;
    const { database, place } = databaseOf(request, admission);
    this.database = audited(database, this, admission);
    this.place = place;
    this.variables = admission.variables;
    this.hookTime = admission.hookTime;
  }

  /** Returns the same request with another database, and with other ports if waiting for them would keep a transaction open. */
  on(database: Database, app: OperationContext = this.app): Admitted {
    const within = { database, place: this.place };
    return new AdmittedRequest(this, { ...this.#admission, app, within });
  }

  /** Returns the same request in the database of these rows. */
  at(home: Home): Admitted {
    return new AdmittedRequest(this, { ...this.#admission, home });
  }

  /** Database for audit rows, which are written whatever the call's result: a write to it founds no new database. */
  get trail(): Database {
    const { tenants, database, within } = this.#admission;
    const organizationId = organizationOf(this, this.#admission);
    if (tenants === null || within) return this.database;
    if (this.place !== "tenant" || organizationId === null) return database;
    return tenants.of(organizationId, "never");
  }

  /** The databases of other organizations, for unsafe actions; null: this one has all rows. */
  get elsewhere(): Elsewhere | null {
    const { tenants } = this.#admission;
    return tenants && elsewhereIn(tenants);
  }

  /** Returns the same request by an anonymous caller. */
  asNobody(): Admitted {
    return new AdmittedRequest(this, { ...this.#admission, principal: ANONYMOUS });
  }

  /**
   * Admits one of several operations of this request to the tables that it will use, and counts its own token of the rate
   * limit.
   */
  async part(rate: RateGate | null): Promise<(asked: PartRequest) => Admitted> {
    await limitRate(this, this.principal, rate);
    return (asked) => new AdmittedRequest({ ...this, ...asked }, this.#admission);
  }

  /**
   * Admits another request of the same caller without identifying the caller again, which would count a limited API key twice.
   */
  enter(request: RequestContext, endpoint: Endpoint, id: string): Promise<Response> {
    return entered(request, endpoint, id, this.#admission, this.principal);
  }

  /** Identifies the caller again, for requests that take long. */
  identifyAgain(): Soon<Principal> {
    return this.#admission.identify(this, "caller");
  }

  /**
   * Reports rights that the caller loses from now on, until the returned function is called. Without a timer nothing is
   * reported.
   */
  async watchRights(watched: Watched): Promise<() => void> {
    const { rights, principal } = this.#admission;
    if (rights === null || principal.credential === "none") return () => {};
    return await rights.watch({ request: this, principal }, watched);
  }
}

/** Wraps the database so that the history of records names the caller for its writes; a wrapper's database does so already. */
function audited(
  database: Database,
  request: RequestContext,
  admission: Admission,
): Database {
  const { auditing, audits, within, principal } = admission;
  if (auditing === null || audits === null || within) return database;
  return auditing(database, {
    operation: audits,
    requestId: request.requestId,
    actorUserId: actorOf(principal),
    impersonatorUserId: principal.impersonatedBy ?? null,
    organizationId: organizationOf(request, admission),
    now: request.now,
  });
}

/** Returns the organization in whose database a request runs: the caller's, or the one that an anonymous caller names. */
function organizationOf(
  { search }: Pick<RequestContext, "search">,
  { principal, organizationOf }: Pick<Admission, "principal" | "organizationOf">,
): string | null {
  if (organizationOf) return organizationOf(principal, search);
  return principal.credential === "none"
    ? new URLSearchParams(search).get(SCOPE_PARAMETER) || null
    : principal.organizationId;
}

/**
 * Returns the database of a request. With databases of organizations it is always the caller's; a caller without an
 * organization finds no row of any.
 */
function databaseOf(request: RequestContext, admission: Admission): PlacedDatabase {
  const { tenants, home, principal, within, organizationOf: named } = admission;
  if (within) return within;
  // Requests that may change something decide by the state in the database that they write (contract 4.1).
  const shared = request.method === "GET" || request.method === "HEAD"
    ? admission.reading
    : admission.database;
  if (tenants === null) return { database: shared, place: null };
  const organizationId = home === "directory" ? null : organizationOf(request, admission);
  if (organizationId !== null) {
    const own = principal.credential === "none" ? "known" : "claimed";
    const founding = named ? "never" : own;
    return { database: tenants.of(organizationId, founding), place: "tenant" };
  }
  const isOutside = home === "tenant" && principal.credential !== "none";
  return isOutside
    ? { database: NO_DATABASE, place: "tenant" }
    : { database: shared, place: "directory" };
}

/**
 * Database for a caller without an organization whom a role admits past the firewall: it has no rows, because a request sees
 * one organization at a time.
 */
const NO_DATABASE: Database = {
  run: refuseOutside,
  runAll: refuseOutside,
  write: refuseOutside,
  migrate: refuseOutside,
  close: refuseOutside,
};

function refuseOutside(): Promise<never> {
  return Promise.reject(
    new Refusal("ACCESS_NO_ORG", {
      detail: "Each organization's records stand in a database of its own",
      hint: "Choose an active organization first",
    }),
  );
}

/** An admitted request, with its caller. */
export type Admitted = AdmittedRequest;
