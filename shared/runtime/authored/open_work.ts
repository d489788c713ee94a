/** Databases, services and `env` of one scope in one transaction, for authored code (contract 2.11, definitions 6). */
import { EMIT_WEBHOOK_EVENT, type HandlerEnv, SEND_PUSH } from "../../model/handler_env.ts";
import type { HandlerHome } from "./handler_home.ts";
import type { ReadOrigins } from "../data/scoped_db/read_origins.ts";
import type { ScopedDbOptions } from "../data/scoped_db/open_scoped_db.ts";
import { boundEnv } from "./bound_env.ts";
import { type EmissionMeans, type EmissionScope, emitWithin } from "./emission.ts";
import { pushWithin } from "./push.ts";
import { servicesOf } from "./services.ts";

interface WorkOptions extends ScopedDbOptions {
  readonly home: HandlerHome;
  readonly means: EmissionMeans;
}

export interface Work {
  readonly db: unknown;
  /** Null: the action declares no `unsafe`. */
  readonly unsafeDb: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly env: HandlerEnv;
  /** Origins of the values in the rows that it read. */
  readonly origins: ReadOrigins;
  /** Lets what was begun finish, and refuses what comes later. To be called before the commit. */
  close(): Promise<void>;
}

export function openWork({ home, means, ...options }: WorkOptions): Work {
  const opened = home.openDb(options);
  const scope = emissionScope(options);
  const inTurn = (send: typeof emitWithin, failure: string) => (given: unknown): Promise<void> => {
    const sent = opened.inTurn((transaction) => send(transaction, given, { scope, means }));
    // One that its author does not wait for must not end the process.
    sent.catch((error) => means.ports.logger.log({ level: "warn", message: failure, error }));
    return sent;
  };
  const env = boundEnv(home.env, {
    [EMIT_WEBHOOK_EVENT]: inTurn(emitWithin, "A webhook event was not emitted"),
    [SEND_PUSH]: inTurn(pushWithin, "A push message was not sent"),
  });
  return {
    db: opened.db,
    unsafeDb: opened.unsafeDb,
    // A service answers for every action, so the leave that one of them has to write SQL is not its own.
    services: servicesOf(home.code.services, { env, db: opened.plainDb() }),
    env,
    origins: opened.origins,
    close: () => opened.close(),
  };
}

function emissionScope(
  { principal, organizationId, unsafe }: Pick<
    ScopedDbOptions,
    "principal" | "organizationId" | "unsafe"
  >,
): EmissionScope {
  const reachesAll = unsafe?.crossTenant === true && unsafe.targetScope !== "organization";
  return { organizationId, userId: principal.userId, reachesAll };
}
