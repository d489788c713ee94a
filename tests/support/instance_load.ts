/**
 * Clients of several instances while those, their copies, their primary and Redis are killed and held still: each notes what it
 * was told, and what of that was wrong.
 */
import { BASE_URL, type Claims, isRecord, tokenFor } from "./api.ts";
import type { Instance } from "./instances.ts";
import type { Random } from "./random.ts";
import { EVENTS, listenerOf } from "./realtime.ts";

/** Those that run at the moment, and the random choice among them. */
export interface Fleet {
  readonly instances: readonly Instance[];
  readonly random: Random;
  /** Ends the clients. */
  readonly isOver: () => boolean;
}

export interface Outcome {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const CLERK: Claims = { sub: "user_c", orgId: "org_a", roles: ["admin"], jti: "clerk" };
export const RIGHTS_MAX_AGE_MS = 500;
const PASSWORD = "correct horse battery";
const PATIENCE_MS = 20_000;

export const passed = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Claims;
}

/** Status 0: the connection broke, or there was no answer for long. */
export async function ask(
  instance: Instance,
  path: string,
  { method, body, headers, as }: Asked = {},
): Promise<Outcome> {
  try {
    const response = await instance.fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        origin: BASE_URL,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(as ? { as } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : {};
    const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
    return {
      status: response.status,
      body: { ...(isRecord(parsed) ? parsed : {}), cookie: cookies.join("; ") },
    };
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException)) {
      return { status: 0, body: {} };
    }
    throw error;
  }
}

/** Asks one after the other until an answer is what is wanted. */
export async function askUntil(
  { instances, random }: Pick<Fleet, "instances" | "random">,
  path: string,
  asked: Asked,
  isWanted: (outcome: Outcome, tries: number) => boolean,
): Promise<Outcome> {
  for (let tries = 1;; tries += 1) {
    const outcome = instances.length === 0
      ? { status: 0, body: {} }
      : await ask(random.pick(instances), path, asked);
    if (isWanted(outcome, tries)) return outcome;
    // Only 503 says that another try may succeed; a write under a key may be under way still.
    if (![0, 200, 409, 503].includes(outcome.status)) {
      throw new Error(`${path}: ${outcome.status} ${JSON.stringify(outcome.body)}`);
    }
    await passed(20);
  }
}

/** Of each row that a client asked for: how often it may be there. */
export interface Written {
  /** Under a key, and answered 201: once, with this id. */
  readonly keyed: Map<string, string>;
  /** Without one: answered 201, refused as undone, or of unknown outcome. */
  readonly plain: Map<string, "once" | "never" | "at most once">;
}

/** Creates under keys, each repeated anywhere until it is answered, and without, each once. */
export async function writeRows(fleet: Fleet, name: string, written: Written): Promise<void> {
  for (let count = 0; !fleet.isOver(); count += 1) {
    const row = `${name}-${count}`;
    if (count % 3 > 0) {
      const headers = { "idempotency-key": row };
      const { body } = await askUntil(
        fleet,
        "/api/v1/projects",
        { as: CLERK, body: { name: row }, headers },
        ({ status }) => status === 201,
      );
      written.keyed.set(row, String(body["id"]));
    } else if (fleet.instances.length > 0) {
      const instance = fleet.random.pick(fleet.instances);
      const asked = { as: CLERK, body: { name: row } };
      written.plain.set(row, timesOf(await ask(instance, "/api/v1/projects", asked)));
    }
    await passed(5);
  }
}

function timesOf({ status, body }: Outcome): "once" | "never" | "at most once" {
  if (status === 201) return "once";
  const isUndone = status === 503 && !/may have taken effect/.test(String(body["hint"]));
  return isUndone ? "never" : "at most once";
}

/** Emits events and notes those that were taken. */
export async function emitEvents(fleet: Fleet, emitted: string[]): Promise<void> {
  for (let count = 0; !fleet.isOver(); count += 1) {
    const body = { type: "user.created", payload: `event-${count}`, organizationId: "org_a" };
    const [instance] = fleet.instances.length > 0 ? [fleet.random.pick(fleet.instances)] : [];
    if (instance && (await ask(instance, "/__emit", { body })).status === 200) {
      emitted.push(body.payload);
    }
    await passed(20);
  }
}

/** Whoever is signed up at once: cookie and id. */
export async function signUp(
  fleet: Pick<Fleet, "instances" | "random">,
  name: string,
): Promise<{ readonly cookie: string; readonly id: string }> {
  const { body } = await askUntil(
    fleet,
    "/auth/v1/sign-up/email",
    { body: { name, email: `${name}@example.com`, password: PASSWORD } },
    ({ status }) => status === 200,
  );
  const user = isRecord(body["user"]) ? body["user"] : {};
  return { cookie: String(body["cookie"]), id: String(user["id"]) };
}

/** A right that is given, taken away at one instance, and asked for at all of them after its bound. */
export interface Right {
  readonly what: string;
  /** Gives it anew; the answer's headers and claims are its holder's. */
  give(turn: number): Promise<Asked>;
  /** Resolves when an instance has said that it is taken away. */
  take(holder: Asked): Promise<void>;
}

export interface Outlived {
  readonly what: string;
  readonly afterMs: number;
}

export interface RightsFigures {
  turns: number;
  refused: number;
  readonly outlived: Outlived[];
}

export async function watchRight(fleet: Fleet, right: Right, figures: RightsFigures) {
  for (let turn = 0; !fleet.isOver(); turn += 1) {
    const holder = await right.give(turn);
    await askUntil(
      fleet,
      "/api/v1/tasks",
      holder,
      // A copy that has not heard of it yet may refuse.
      ({ status }) => status === 200 || status === 401 || status === 403,
    );
    await right.take(holder);
    const since = performance.now();
    await passed(RIGHTS_MAX_AGE_MS);
    figures.turns += 1;
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(fleet.instances.map(async (instance) => {
        const asked = performance.now();
        const { status } = await ask(instance, "/api/v1/tasks", holder);
        if (status === 200) figures.outlived.push({ what: right.what, afterMs: asked - since });
        if (status === 401 || status === 403) figures.refused += 1;
      }));
      await passed(100);
    }
  }
}

/** A token of its own each time, taken back by its holder. */
export function tokenRight(fleet: Fleet): Right {
  return {
    what: "a token that was taken back",
    give: (turn) => Promise.resolve({ as: { ...CLERK, jti: `token-${turn}` } }),
    async take(holder) {
      const asked = { ...holder, method: "POST" };
      await askUntil(
        fleet,
        "/api/v1/token/revoke",
        asked,
        ({ status }, tries) => status === 200 || (tries > 1 && status === 401),
      );
    },
  };
}

/** A key that its owner makes and deletes. */
export function keyRight(fleet: Fleet, cookie: string): Right {
  const headers = { cookie };
  let id = "";
  return {
    what: "a key that was deleted",
    async give() {
      const { body } = await askUntil(
        fleet,
        "/api/auth/api-key/create",
        { headers, body: {} },
        // A copy may not have heard of the session yet.
        ({ status }) => status === 200,
      );
      id = String(body["id"]);
      return { headers: { "x-api-key": String(body["key"]) } };
    },
    async take() {
      await askUntil(
        fleet,
        "/api/auth/api-key/delete",
        { headers, body: { keyId: id } },
        ({ status }, tries) => status === 200 || (tries > 1 && status === 404),
      );
    },
  };
}

interface Membership {
  readonly admin: string;
  readonly member: { readonly cookie: string; readonly id: string };
  /** Writes the membership and returns its id. */
  readonly join: () => Promise<string>;
}

/** A membership that the organization's admin ends. */
export function memberRight(fleet: Fleet, { admin, member, join }: Membership): Right {
  let id = "";
  return {
    what: "a member who was removed",
    async give() {
      id = await join();
      return { headers: { cookie: member.cookie } };
    },
    async take() {
      await askUntil(
        fleet,
        "/auth/v1/organization/remove-member",
        { headers: { cookie: admin }, body: { memberIdOrEmail: id } },
        ({ status }, tries) => status === 200 || (tries > 1 && status === 400),
      );
    },
  };
}

/** What was told to somebody who listens, and comes back anywhere. */
export interface Heard {
  /** Their ids. */
  readonly rows: Set<string>;
  /** Times that they were told that something may be missing. */
  resyncs: number;
  returns: number;
}

export async function listen(fleet: Fleet, heard: Heard): Promise<void> {
  let from: string | null = null;
  while (!fleet.isOver()) {
    await passed(20);
    if (fleet.instances.length === 0) continue;
    const left = new AbortController();
    const watch = setInterval(() => fleet.isOver() ? left.abort() : undefined, 50);
    try {
      const search = from === null ? "" : `?lastEventId=${encodeURIComponent(from)}`;
      const token = await tokenFor(CLERK, Date.now());
      const { url } = fleet.random.pick(fleet.instances);
      const response = await fetch(`${url}${EVENTS}${search}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: left.signal,
      });
      const listener = await listenerOf(response);
      heard.returns += 1;
      from ??= listener.from;
      for (;;) {
        const { event, id, data } = await listener.next();
        from = id ?? from;
        if (event === "resync") heard.resyncs += 1;
        heard.rows.add(String(data["id"]));
      }
    } catch (error) {
      // Whatever ended the stream, it is begun again.
      if (!(error instanceof Error)) throw error;
    } finally {
      clearInterval(watch);
      left.abort();
    }
  }
}
