/** `quickback.config.ts`: every object of the project's configuration (definitions 2). */
import { ID_STRATEGIES } from "../contract/fields.ts";
import {
  RATE_PERIODS,
  type RateOperation,
  SESSION_DAYS,
  TOKEN_LIFETIME_MAX_SECONDS,
  TOKEN_LIFETIME_SECONDS,
} from "../contract/limits.ts";
import type { ContractVersion, PlatformName } from "../contract/versions.ts";
import {
  EVENT_NAME,
  MAX_ENDPOINTS_DEFAULT,
  RECOMMENDED_EVENTS,
  RETENTION_DAYS_DEFAULT,
  SCHEDULES,
} from "../contract/webhooks.ts";
import {
  boolean,
  byDefault,
  either,
  integer,
  list,
  map,
  matching,
  object,
  oneOf,
  required,
  ruled,
  type Shape,
  text,
  word,
  words,
  type Written,
} from "./shape.ts";

const on = byDefault(boolean, true);
const off = byDefault(boolean, false);

/** Settings of an edge worker, into `wrangler.toml`. */
export const WORKER_OPTIONS = object({
  /** Version of the worker's platform. */
  compatibilityDate: matching(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31"),
  /** Logs of the worker are kept. */
  observability: either([
    boolean,
    object({
      /** Logs of the worker are kept. */
      enabled: on,
    }),
  ]),
  /** Addresses that the worker answers at. */
  routes: list(either([
    text,
    object({
      /** Address, such as `api.example.com/*`. */
      pattern: required(text),
      /** Zone that the address belongs to. */
      zoneName: text,
      /** The pattern is a domain of the worker's own. */
      customDomain: boolean,
    }),
  ])),
  /** The worker runs near its database. */
  placement: either([
    oneOf(["smart", "off"]),
    object({
      /** The worker runs near its database. */
      mode: required(oneOf(["smart", "off"])),
    }),
  ]),
});

/** Options of `defineRuntime`, by platform. */
export const RUNTIME_OPTIONS: Readonly<Record<PlatformName, Shape>> = {
  deno: object({}),
  cloudflare: WORKER_OPTIONS,
};

/** Options of `defineDatabase("libsql", { … })`. */
export const DATABASE_OPTIONS = object({
  /** Look of new ids; `serial` counts up, `false` leaves them to clients. */
  generateId: byDefault(oneOf(ID_STRATEGIES), "prefixed"),
  /** A create may bring its own id. */
  allowClientIds: off,
  /** Spelling of tables and columns in SQL. */
  namingConvention: byDefault(oneOf(["snake_case", "camelCase"]), "snake_case"),
  /** Webhooks may go to `http` addresses and private networks: for development. */
  webhookAllowInsecure: off,
});

/** Options of `defineDatabase("cloudflare-d1", { … })`: those of `libsql`, and bindings for `wrangler.toml`. */
export const EDGE_DATABASE_OPTIONS = object({
  ...DATABASE_OPTIONS.members,
  /** Binding of the database. */
  binding: text,
  /** Binding of the database of accounts. */
  authBinding: text,
  /** Binding of the database of features. */
  featuresBinding: text,
  /** Binding of the database of webhooks. */
  webhooksBinding: text,
  /** Id of the database. */
  databaseId: text,
  /** Id of the database of accounts. */
  authDatabaseId: text,
  /** Id of the database of features. */
  featuresDatabaseId: text,
  /** Id of the database of webhooks. */
  webhooksDatabaseId: text,
  /** Id of the key-value namespace. */
  kvNamespaceId: text,
  /** Accounts, features and webhooks have a database each. */
  splitDatabases: boolean,
});

/** Options of `defineAuth("better-auth", { … })`. */
export const AUTH_OPTIONS = object({
  /** Sign-in with an address and a password. */
  emailAndPassword: either([
    object({
      /** Sign-in with an address and a password. */
      enabled: on,
      /** Accounts sign in only once their address is confirmed. */
      requireEmailVerification: off,
      /** Accounts are made by `sysadmin` alone. */
      disableSignUp: off,
    }),
    boolean,
  ]),
  /** Account plugins that the project relies on: each is checked to be one that is served. */
  plugins: words("account plugins"),
  /** Life of a session. */
  session: object({
    /** Days after which a session ends. */
    expiresInDays: byDefault(integer(1, 365), SESSION_DAYS),
    /** Days after which a session in use is prolonged. */
    updateAgeInDays: byDefault(integer(0, 365), 1),
  }),
  /** Limit of an address on account routes; by default on in production. */
  rateLimit: either([
    object({
      /** The limit holds. */
      enabled: on,
      /** Seconds that it spans. */
      window: integer(1, 86_400),
      /** Requests within them. */
      max: integer(1),
      /** Of older projects; passed over with a warning. */
      customRules: ruled<Readonly<Record<string, unknown>>>("anything"),
    }),
    boolean,
  ]),
});

/** A provider as a plain object, in place of a `define*` call; its options may also stand beside the name. */
export const PLAIN_PROVIDER = object({
  /** Name of the provider. */
  name: required(ruled<string>("a provider's name")),
  /** Its options. */
  config: ruled<object>("the provider's options"),
});

interface PlainProvider extends Written<typeof PLAIN_PROVIDER> {}

export interface RuntimeProvider {
  readonly kind: "runtime";
  readonly name: PlatformName;
  readonly options: Written<typeof WORKER_OPTIONS>;
}

export interface DatabaseProvider {
  readonly kind: "database";
  readonly name: "libsql" | "cloudflare-d1";
  readonly options: Written<typeof DATABASE_OPTIONS> | Written<typeof EDGE_DATABASE_OPTIONS>;
}

export interface AuthProvider {
  readonly kind: "auth";
  readonly name: "better-auth";
  readonly options: Written<typeof AUTH_OPTIONS>;
}

/** Of older projects: the store of files is what `STORAGE_URL` says where the API runs. */
export interface FileStorageProvider {
  readonly kind: "fileStorage";
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One limit: so many requests of a caller in so many seconds (contract 8.1). */
export const RATE_LIMIT = object({
  /** Requests. */
  limit: required(integer(1)),
  /** Seconds. */
  period: required(oneOf(RATE_PERIODS)),
});

/** Limits per operation; `false`: none. */
export const RATE_LIMITS = ruled<
  | false
  | { readonly [Operation in RateOperation]?: Written<typeof RATE_LIMIT> | false }
>("`false`, or `{ limit, period }` for `read`, `create`, `update`, `delete`");

/** An authenticator of the project's own (contract 5.6). */
export const PRINCIPAL = object({
  /** Scheme of the `Authorization` header. */
  scheme: required(ruled<string>("a scheme of its own, such as `Device`")),
  /** File that exports `verify`. */
  verify: required(word("a path such as `services/devices`")),
  /** Variants that its callers come in; `<name>/<variant>` is a role. */
  variants: required(words("names")),
});

/** Bearer tokens and the route that mints them. */
export const JWT = object({
  /** Seconds for which a token is good. */
  expiresIn: byDefault(integer(1, TOKEN_LIFETIME_MAX_SECONDS), TOKEN_LIFETIME_SECONDS),
  /** Claim `iss`; by default `BASE_URL`. */
  issuer: text,
  /** Claim `aud`. */
  audience: text,
  /** `EdDSA` publishes its key; `HS256` signs with `AUTH_SECRET`. */
  algorithm: byDefault(oneOf(["HS256", "EdDSA"]), "HS256"),
  /** A token can be taken back before it expires. */
  revocationCheck: off,
});

/** Lower-case letters, digits and hyphens: the name of the project. */
const PROJECT_NAME = matching(/^[a-z0-9-]+$/, "lower-case letters, digits and -");
/** Version ranges only: no addresses, no paths. */
const RANGE = matching(/^[\^~<>=|*xX0-9A-Za-z.+ -]{1,100}$/, "a version range");
const FOLDER = matching(
  /^(?:\.|(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*)$/,
  "a folder inside the project",
);
const ADDRESS = matching(/^[^\s@<>"]+@[^\s@<>"]+$/, "an email address");
/** A line break would start a header of its own. */
const ONE_LINE = matching(/^[^\r\n]+$/, "a name on one line");
const PAGE = ruled<string>("a path with `{id}` or `{token}`");
const RENAMED = matching(/^\w+$/, "the new name");
/** Ten years. */
const RETENTION_DAYS_MAX = 3650;

/** `export default defineConfig({ … })` of `quickback.config.ts`. */
export const CONFIG = object({
  /** Name of the project. */
  name: required(PROJECT_NAME),
  /** Kind of project to make. */
  template: oneOf(["hono"]),
  /** Parts of the API; the older list of names is taken too. */
  features: either([
    words<"organizations">("names"),
    object({
      /** Several tenants: accounts belong to organizations, and rows to one of them. */
      organizations: on,
    }),
  ]),
  /** Contract that the API keeps to. */
  contract: object({
    /** `v2` is strict: see [http.md](http.md). */
    version: byDefault(oneOf<ContractVersion>(["v1", "v2"]), "v1"),
    /** `POST /changeset`: several writes in one request, all or nothing. */
    changeset: off,
  }),
  /** Libraries and services that the API stands on. */
  providers: object({
    /** Platform that the output runs on. */
    runtime: ruled<RuntimeProvider | PlainProvider>("`defineRuntime(name, options)`"),
    /** Database, and how ids and names look in it. */
    database: ruled<DatabaseProvider | PlainProvider>("`defineDatabase(name, options)`"),
    /** Accounts: sign-in, sessions, limits. */
    auth: ruled<AuthProvider | PlainProvider>("`defineAuth(name, options)`"),
    /** Of older projects; passed over with a warning. */
    fileStorage: ruled<FileStorageProvider>("`defineFileStorage(name, options)`"),
  }),
  /** Roles and credentials. */
  auth: object({
    /** Roles of an organization, lowest first: `"agent+"` in a rule means that role and every later one. */
    roleHierarchy: words("roles"),
    /** Bearer tokens. In `v1` they are on without it. */
    jwt: JWT,
    /** Authenticators of the project's own, by name. */
    principals: map("names", PRINCIPAL),
  }),
  /** Description of the API. */
  openapi: object({
    /** `openapi.json` is written. */
    generate: on,
    /** Callers who may read it; `true` is `"public"`. */
    publish: byDefault(oneOf(["authenticated", "admin", "public", true, false]), "authenticated"),
    /** Browser of the API at `/docs`. */
    docs: byDefault(
      oneOf(["browser_modern", "scalar", "browser_classic", "swagger", false]),
      false,
    ),
    /** Files of client types that a compile writes; `true` is `client.d.ts`, the default. */
    types: ruled<boolean | string | readonly string[]>("a switch, a path or a list of paths"),
  }),
  /** Limits of a caller, by operation. */
  rateLimit: RATE_LIMITS,
  /** Events that leave the API and that come in (contract 6). */
  webhooks: object({
    /** Events are sent to the endpoints that organizations register. */
    outbound: off,
    /** Providers whose events come in: `stripe`, `standard`, or the project's own. */
    inbound: list(ruled<string>("a provider's name")),
    /** Names of events that endpoints may ask for; by default the recommended ones. */
    events: byDefault(
      list(matching(new RegExp(EVENT_NAME, "u"), "an event name")),
      RECOMMENDED_EVENTS,
    ),
    /** Endpoints of one organization. */
    maxEndpoints: byDefault(integer(1), MAX_ENDPOINTS_DEFAULT),
    /** `standard`: three attempts within seconds. `extended`: eight within a day and a half. */
    schedule: byDefault(oneOf(SCHEDULES), "standard"),
    /** Settled deliveries and events are kept for so many days; `false`: for ever. */
    retentionDays: byDefault(
      either(
        [oneOf([false]), integer(1, RETENTION_DAYS_MAX)],
        `an integer from 1 to ${RETENTION_DAYS_MAX}, or false`,
      ),
      RETENTION_DAYS_DEFAULT,
    ),
  }),
  /** Messages about changed records (contract 6.3). */
  realtime: object({
    /** `/broadcast/v1/events` streams changes and signals. */
    enabled: off,
    /** Writes of handlers are sent too. */
    emitFromActions: off,
    /** Push messages: the resource `/push-subscriptions`, and `sendPush` for handlers. */
    push: off,
  }),
  /** Origins whose pages may send cookies. */
  trustedOrigins: list(ruled<string>("an origin such as `https://app.example.com`")),
  /** Registry of the resources for front-ends. */
  schemaRegistry: object({
    /** `schema-registry.json` is written. */
    generate: on,
  }),
  /** Entity tags. */
  etag: object({
    /** Reads carry an `ETag`, and writes take `If-Match`. */
    enabled: on,
  }),
  /** Descriptions and tools for language models; `false` turns all off. */
  agents: either([
    boolean,
    object({
      /** `/mcp`, for models that call the API. */
      mcp: on,
      /** `/llms.txt`. */
      llmsTxt: on,
      /** `/robots.txt`. */
      robotsTxt: on,
    }),
  ]),
  /** Messages of accounts: invitations, confirmations, resets. */
  email: object({
    /** `log` writes messages to the log, `smtp` sends them. */
    provider: byDefault(oneOf(["log", "smtp"]), "log"),
    /** Sender. */
    from: ADDRESS,
    /** Name of the sender. */
    fromName: ONE_LINE,
    /** Application whose pages the links lead to; a trusted origin. */
    appUrl: ruled<string>("a URL such as `https://app.example.com`"),
    /** Its pages, below `appUrl`. */
    paths: object({
      /** Page that accepts an invitation, with `{id}`. */
      invitation: PAGE,
      /** Page that confirms an address, with `{token}`. */
      verifyEmail: PAGE,
      /** Page that sets a new password, with `{token}`. */
      resetPassword: PAGE,
      /** Page that confirms another address, with `{token}`. */
      changeEmail: PAGE,
      /** Page that confirms the end of an account, with `{token}`. */
      deleteAccount: PAGE,
    }),
  }),
  /** `quickback dev`. */
  dev: object({
    /** Port that it serves on. */
    port: byDefault(integer(1, 65_535), 8000),
  }),
  /** Output of a compile. */
  build: object({
    /** Folder of the output, relative to the project. */
    outputDir: byDefault(FOLDER, "."),
    /** Packages that the project's own code imports. */
    dependencies: map("npm names", RANGE),
  }),
  /** Instructions to the compiler. */
  compiler: object({
    /** Facts that no comparison of two schemas can know. */
    migrations: object({
      /** Renames since the last compile. */
      renames: object({
        /** Old name → new name. */
        tables: map("old names", RENAMED),
        /** `table.old` → new name. */
        columns: map("`table.column`", RENAMED),
      }),
      /** Source of a new scope column's values, by `table.column`. */
      backfills: map("`table.column`", matching(/^\S{1,128}$/, 'a foreign key, an id or "delete"')),
      /** Tables and columns that are no longer defined are dropped, with what they hold. */
      allowDestructive: off,
    }),
  }),
}, { foreign: ["account", "domain", "layouts"] });
