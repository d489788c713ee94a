/** One of two APIs that get the same requests. A caller's identity is taken as given, and no input comes from outside. */
import type { FrameRecorder, TwinApi } from "../../../proof/leakcheck/leakcheck.ts";
import type { Question, RecordedAnswer } from "../../../proof/questions/question.ts";
import { joinedBytes, sha256Hex } from "../../../shared/lib/bytes.ts";
import { seededBytes } from "../../../shared/lib/seeded_bytes.ts";
import { hasWork, type Principal } from "../../../shared/model/mod.ts";
import type {
  Accounts,
  Database,
  DialRequest,
  Ports,
  Randomness,
  Settings,
  UnaddressedFiles,
} from "../../../shared/runtime/mod.ts";
import { eventsPath } from "../../../shared/surface/mod.ts";
import type { CompiledCode } from "./compiled_code.ts";
import type { SteppingClock } from "./fixed_world.ts";

const BASE_URL = "http://localhost:8000";
const CLIENT_IP = "198.51.100.7";
const RANDOM_SEED = 0x9e3779b9;

const SETTINGS: Settings = {
  baseUrl: BASE_URL,
  authSecret: new TextEncoder().encode("leakcheck keeps this to itself, in both databases"),
  production: true,
  exposeErrorStack: false,
  allowedHosts: null,
};

/** Maps callers to API keys and back. */
interface Keys {
  keyOf(caller: Principal): string;
  callerOf(key: string): Principal | null;
}

export function twinApi(
  code: CompiledCode,
  { database, clock }: { readonly database: Database; readonly clock: SteppingClock },
): TwinApi {
  const callers = new Map<string, Principal>();
  const keys: Keys = {
    keyOf(caller) {
      const name = JSON.stringify(caller);
      callers.set(name, caller);
      return `leakcheck-${[...callers.keys()].indexOf(name)}`;
    },
    callerOf: (key) => [...callers.values()][Number(key.slice("leakcheck-".length))] ?? null,
  };
  const dialled: DialRequest[] = [];
  const ports = portsOver(database, { code, keys, clock, dialled });
  const { runtime, project, actions, authored, schema, openapi, asyncapi } = code;
  const app = runtime.createApp(project, ports, SETTINGS, {
    openapi,
    asyncapi,
    actions,
    authored,
    schema,
    env: Deno.env.toObject(),
  });
  const send = (question: Question, caller: Principal) => {
    clock.step();
    return app.fetch(requestOf(question, caller, keys), { clientIp: CLIENT_IP });
  };
  return {
    ask: async (question, caller) => {
      const response = await send(question, caller);
      const { status, headers } = response;
      const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      const { body, isCut } = isStream
        ? await streamBytes(response)
        : { body: await response.bytes(), isCut: false };
      return { status, headers: headerPairs(Object.fromEntries(headers)), body, isCut };
    },
    listen: (caller) => listen(code, caller, send),
    deliveries: () => deliveries(code, ports, dialled),
    close() {
      app.end();
      return Promise.resolve();
    },
  };
}

/** Storage in which every file that a seeded row refers to exists and is empty. Uploaded files are discarded. */
const EMPTY_FILES: UnaddressedFiles = {
  graceMs: 0,
  readForm: () => Promise.reject(new Error("No question sends a form")),
  store: {
    async put(_key, body) {
      const bytes = await new Response(ReadableStream.from(body)).bytes();
      return { size: bytes.length, sha256: await sha256Hex(bytes) };
    },
    get: () => Promise.resolve(new Blob([]).stream()),
    remove: () => Promise.resolve(),
    async *list() {},
  },
};

function portsOver(
  database: Database,
  { code: { runtime }, keys, clock, dialled }: {
    readonly code: CompiledCode;
    readonly keys: Keys;
    readonly clock: Ports["clock"];
    readonly dialled: DialRequest[];
  },
): Ports {
  // Both APIs draw the same bytes, and no value is drawn twice.
  const random: Randomness = { bytes: seededBytes(RANDOM_SEED) };
  return {
    database,
    clock,
    random,
    logger: { log: () => {} },
    accounts: givenAccounts(keys),
    limiter: null,
    files: runtime.filesWithAddresses(EMPTY_FILES, SETTINGS, clock),
    webhooks: {
      queue: runtime.databaseQueue({ database, clock, random }),
      secrets: runtime.createSecretBox(SETTINGS, random),
      resolver: {
        resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
      },
      dialer: {
        post(request) {
          dialled.push(request);
          return Promise.resolve({
            kind: "answered",
            status: 200,
            location: null,
            retryAfter: null,
            body: "",
          });
        },
      },
      // Push messages stay plain text: their content is compared, not their encryption.
      push: {
        seal: (_target, payload) =>
          Promise.resolve({ headers: {}, body: new TextEncoder().encode(payload) }),
      },
      env: Deno.env.toObject(),
    },
    // No timer fires, so credentials never expire.
    realtime: { pubSub: runtime.memoryPubSub(clock), timer: NO_TIMER },
  };
}

const NO_TIMER = { after: () => () => {} };

/** Accounts that accept a key for its caller: proofs of identity are not part of the comparison. */
function givenAccounts({ callerOf }: Keys): Accounts {
  return {
    session: () => Promise.resolve(null),
    accountOf: () => Promise.resolve(null),
    challenged: () => Promise.resolve(null),
    hasSessionCookie: () => false,
    apiKey(key) {
      const principal = callerOf(key);
      return Promise.resolve(
        principal
          ? { kind: "principal", principal }
          : { kind: "refused", code: "AUTH_INVALID_TOKEN" },
      );
    },
    rolesIn: () => Promise.resolve(null),
    clientGrant: () => Promise.resolve(null),
    standing: {
      sessionId: () => Promise.resolve(null),
      apiKeyId: (key) => Promise.resolve(key),
      among: ({ apiKeys }) => Promise.resolve({ ...NONE, apiKeys: known(apiKeys, callerOf) }),
    },
    signedIn: () => Promise.resolve(null),
    isOwnPassword: () => Promise.resolve(false),
    mailedLink: () => Promise.resolve(null),
    followLink: () => Promise.resolve("LINK_INVALID"),
    endOrganization: () => Promise.resolve(),
    organizationDeleted: () => Promise.resolve(),
    handle: () => Promise.resolve(new Response(null, { status: 404 })),
  };
}

const NONE = { sessions: new Map(), grants: new Map() };

function known(
  keys: readonly string[],
  callerOf: Keys["callerOf"],
): ReadonlyMap<string, Principal> {
  return new Map(keys.flatMap((key) => {
    const principal = callerOf(key);
    return principal ? [[key, principal] as const] : [];
  }));
}

function requestOf(
  { method, path, headers, body }: Question,
  caller: Principal,
  { keyOf }: Keys,
): Request {
  return new Request(BASE_URL + path, {
    method,
    headers: {
      host: new URL(BASE_URL).host,
      ...(caller.credential === "none" ? {} : { "x-api-key": keyOf(caller) }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

async function listen(
  { project }: CompiledCode,
  caller: Principal,
  send: (question: Question, caller: Principal) => Promise<Response>,
): Promise<FrameRecorder | null> {
  if (!project.realtime.enabled) return null;
  const question = { channel: "realtime", method: "GET", path: eventsPath(project) } as const;
  const response = await send(question, caller);
  if (response.status === 200) return followed(response);
  await response.body?.cancel();
  return null;
}

async function deliveries(
  { runtime, project, authored, schema }: CompiledCode,
  { webhooks, ...ports }: Ports,
  dialled: readonly DialRequest[],
): Promise<readonly RecordedAnswer[]> {
  if (!hasWork(project) || !webhooks) return [];
  const worker = runtime.createBackgroundWorker(
    project,
    // Files are left out: their cleanup reads every tenant's files, and sends nothing to any caller.
    { ...ports, files: null, webhooks, timer: NO_TIMER },
    // Jobs run one after the other, so that an audit can assign statements to them.
    { authored, schema, jobSlots: 1 },
  );
  while (await worker.tick() > 0) await worker.settled();
  // A worker delivers several at a time, in any order.
  const idOf = ({ headers, url }: DialRequest) => headers["webhook-id"] ?? url;
  const sorted = dialled.toSorted((a, b) => idOf(a) < idOf(b) ? -1 : 1);
  return sorted.map(({ url, headers, body }) => ({
    status: 0,
    headers: headerPairs({ ...headers, url }),
    body: typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body),
    isCut: false,
  }));
}

/** Maximum number of bytes that are read of an endless answer. */
const STREAM_MAX_BYTES = 64 * 1024;
const STREAM_IDLE_MILLISECONDS = 500;
/** Number of event loop turns without a new frame after which no frame is expected. */
const QUIET_TURNS = 12;

function headerPairs(
  headers: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(headers).sort(([a], [b]) => a < b ? -1 : 1);
}

async function streamBytes(response: Response): Promise<Pick<RecordedAnswer, "body" | "isCut">> {
  const reader = response.body?.getReader();
  if (!reader) return { body: new Uint8Array(), isCut: false };
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < STREAM_MAX_BYTES) {
    const turn = await nextOrIdle(reader);
    if (turn === "ended" || turn === "broken") return { body: joinedBytes(chunks), isCut: false };
    if (turn === "idle") break;
    chunks.push(turn);
    length += turn.length;
  }
  await reader.cancel();
  return { body: joinedBytes(chunks), isCut: true };
}

async function nextOrIdle(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array | "ended" | "broken" | "idle"> {
  const { promise: idle, resolve } = Promise.withResolvers<"idle">();
  const timer = setTimeout(() => resolve("idle"), STREAM_IDLE_MILLISECONDS);
  try {
    const turn = await Promise.race([reader.read(), idle]);
    if (turn === "idle") return turn;
    return turn.done ? "ended" : turn.value;
  } catch {
    // The author's stream failed after its first byte: the part that arrived is compared.
    return "broken";
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an event stream while it continues. */
function followed(response: Response): FrameRecorder {
  const chunks: Uint8Array[] = [];
  const ended = (async () => {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  })();
  return {
    async heard() {
      for (let quiet = 0, known = chunks.length; quiet < QUIET_TURNS; quiet += 1) {
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 0))]);
        if (chunks.length !== known) [quiet, known] = [0, chunks.length];
      }
      return { status: 200, headers: [], body: joinedBytes(chunks), isCut: false };
    },
  };
}
