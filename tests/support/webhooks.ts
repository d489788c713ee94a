/** An API that sends and receives webhooks, with a resolver and endpoints that do as a test says. */
import { systemTimer } from "../../library/platform/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import {
  type BackgroundWorker,
  createBackgroundWorker,
  createSecretBox,
  type Database,
  databaseQueue,
  type Dialer,
  type DialOutcome,
  type DialRequest,
  type Embeddings,
  type PushSealer,
  type RateLimiter,
  type Resolution,
  type Resolver,
  type Timer,
} from "../../shared/runtime/mod.ts";
import { type AuthoredCode, NO_CODE } from "../../shared/surface/authored_code.ts";
import {
  type Answer,
  type ApiOptions,
  type ApiUnderTest,
  AUTH_SECRET,
  type Claims,
  withApi,
} from "./api.ts";
import type { CompiledCode } from "./compiled_actions.ts";
import { project as sample } from "./sample_project.ts";

export const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
export const OWNER: Claims = { sub: "user_o", orgId: "org_a", roles: ["owner"] };
export const MEMBER: Claims = { sub: "user_m", orgId: "org_a", roles: ["member"] };
export const STRANGER: Claims = { sub: "user_s", orgId: "org_b", roles: ["admin"] };
/** Without an organization. */
export const LONER: Claims = { sub: "user_l" };

export const ENDPOINTS = "/webhooks/v1/endpoints";
export const URL = "https://hooks.example.com/in";

export interface WebhooksUnderTest extends ApiUnderTest {
  readonly worker: BackgroundWorker;
  /** Every call of the dialer. */
  readonly dialled: readonly DialRequest[];
  /** What the endpoint of a URL answers; without it: 200. */
  answers(url: string, outcome: (call: DialRequest) => DialOutcome | Promise<DialOutcome>): void;
  /** What a name resolves to; without it: one public address. */
  resolves(name: string, resolution: Partial<Resolution>): void;
  /** Lets the worker do all that is due. */
  work(): Promise<void>;
  /** Registers an endpoint and gives its record. */
  register(options?: Registration): Promise<Answer["body"]>;
}

export interface Registration {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly as?: Claims;
}

export interface WebhooksOptions {
  readonly project?: Partial<ProjectModel>;
  readonly handlers?: AuthoredCode["webhookHandlers"];
  readonly env?: Readonly<Record<string, string>>;
  readonly push?: PushSealer;
  /** Makes vectors of texts. */
  readonly embeddings?: Embeddings;
  readonly limiter?: RateLimiter;
  readonly realtime?: ApiOptions["realtime"];
  /** Stands between the API and its database. */
  readonly wrap?: (database: Database) => Database;
  /** For jobs; without it this machine's. */
  readonly timer?: Timer;
  /** Of a project that was really compiled. */
  readonly code?: CompiledCode;
  readonly driver?: ApiOptions["driver"];
  readonly files?: ApiOptions["files"];
}

/** The sample project with endpoints, and with both built-in providers. */
export const webhooksProject: ProjectModel = {
  ...sample,
  webhooks: { ...sample.webhooks, outbound: true, inbound: ["stripe", "standard"] },
};

export function withWebhooks(
  body: (api: WebhooksUnderTest) => Promise<void>,
  options: WebhooksOptions = {},
): Promise<void> {
  const project = { ...webhooksProject, ...options.project };
  const dialled: DialRequest[] = [];
  const answers = new Map<string, (call: DialRequest) => DialOutcome | Promise<DialOutcome>>();
  const resolutions = new Map<string, Partial<Resolution>>();
  const resolver: Resolver = {
    resolve: (name) =>
      Promise.resolve({
        addresses: ["8.8.8.8"],
        exists: true,
        failure: null,
        ...resolutions.get(name),
      }),
  };
  const dialer: Dialer = {
    async post(call) {
      dialled.push(call);
      return await answers.get(call.url)?.(call) ?? answered(200);
    },
  };
  return withApi(project, async (api) => {
    const { webhooks } = api.ports;
    if (!webhooks) throw new Error("The API has no ports for webhooks");
    const authored = options.code?.authored ??
      { ...NO_CODE, webhookHandlers: options.handlers ?? [] };
    const schema = options.code?.schema ?? {};
    const worker = createBackgroundWorker(
      project,
      { ...api.ports, webhooks, timer: options.timer ?? systemTimer },
      { authored, schema },
    );
    const register = async ({ url = URL, events = ["*"], as = ADMIN }: Registration = {}) => {
      const answer = await api.ask(ENDPOINTS, { as, body: { name: "Hook", url, events } });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body;
    };
    await body({
      ...api,
      worker,
      dialled,
      register,
      answers: (url, outcome) => void answers.set(url, outcome),
      resolves: (name, resolution) => void resolutions.set(name, resolution),
      async work() {
        while (await worker.tick() > 0) await worker.settled();
      },
    });
  }, {
    ...(options.code
      ? { actions: { ...options.code, ...(options.env ? { env: options.env } : {}) } }
      : {}),
    ...(options.driver ? { driver: options.driver } : {}),
    ...(options.files ? { files: options.files } : {}),
    webhooks: (ports) => ({
      queue: databaseQueue(ports),
      secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
      resolver,
      dialer,
      ...(options.push ? { push: options.push } : {}),
      ...(options.embeddings ? { embeddings: options.embeddings } : {}),
      env: options.env ?? {},
    }),
    ...(options.wrap ? { wrap: options.wrap } : {}),
    ...(options.limiter ? { limiter: options.limiter } : {}),
    ...(options.realtime ? { realtime: options.realtime } : {}),
  });
}

export function answered(
  status: number,
  body = "",
  headers: { readonly location?: string; readonly retryAfter?: string } = {},
): DialOutcome {
  const { location = null, retryAfter = null } = headers;
  return { kind: "answered", status, location, retryAfter, body };
}

/** The records of a page. */
export function dataOf({ body }: Answer): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body["data"]) ? body["data"] : [];
}
