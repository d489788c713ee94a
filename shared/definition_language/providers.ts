/** `providers` of the configuration: the platform, database and accounts that an API stands on (definitions 2). */
import { ID_STRATEGIES, type PlatformName, SESSION_DAYS } from "../contract/mod.ts";
import * as s from "./shape.ts";

const on = s.byDefault(s.boolean, true);
const off = s.byDefault(s.boolean, false);

const KEPT = {
  /** They are kept. */
  enabled: s.boolean,
  /** Share of the requests of which they are kept. */
  headSamplingRate: s.fraction,
  /** The platform keeps them itself. */
  persist: s.boolean,
  /** Names of the places that they are sent to. */
  destinations: s.list(s.text),
};

/** Settings of an edge worker, into `wrangler.toml`: each key may also be spelled as it is there, `custom_domain`. */
export const WORKER_OPTIONS = s.eitherCase({
  /** Version of the worker's platform. */
  compatibilityDate: s.matching(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31"),
  /** What is kept of the worker's work. */
  observability: s.either([
    s.boolean,
    s.eitherCase({
      /** Logs and traces are kept; on where the object says nothing of either. */
      enabled: s.boolean,
      /** Share of the requests of which they are kept. */
      headSamplingRate: s.fraction,
      /** Logs of the worker. */
      logs: s.eitherCase({
        ...KEPT,
        /** Each call of the worker has a line. */
        invocationLogs: s.boolean,
      }),
      /** Traces of the worker. */
      traces: s.eitherCase(KEPT),
    }),
  ]),
  /** Addresses that the worker answers at. */
  routes: s.list(s.either([
    s.text,
    s.eitherCase({
      /** Address, such as `api.example.com/*`. */
      pattern: s.required(s.text),
      /** Zone that the address belongs to. */
      zoneName: s.text,
      /** The same zone, by its id. */
      zoneId: s.text,
      /** The pattern is a domain of the worker's own. */
      customDomain: s.boolean,
    }),
  ])),
  /** The worker runs near its database. */
  placement: s.either([
    s.oneOf(["smart", "off"]),
    s.eitherCase({
      /** The worker runs near its database. */
      mode: s.required(s.oneOf(["smart", "off"])),
      /** Region that `smart` begins with. */
      hint: s.text,
    }),
  ]),
});

/** Options of `defineDatabase("libsql", { … })`. */
export const DATABASE_OPTIONS = s.object({
  /** Look of new ids; `serial` counts up, `false` leaves them to clients. */
  generateId: s.byDefault(s.oneOf(ID_STRATEGIES), "prefixed"),
  /** A create may bring its own id. */
  allowClientIds: off,
  /** Spelling of tables and columns in SQL. */
  namingConvention: s.byDefault(s.oneOf(["snake_case", "camelCase"]), "snake_case"),
  /** Webhooks may go to `http` addresses; private networks stay closed. */
  webhookAllowInsecure: off,
  /** Rows of all organizations stand in one database, or each organization's in one of its own. */
  tenancy: s.byDefault(s.oneOf(["shared", "perOrganization"]), "shared"),
});

/** Options of `defineDatabase("cloudflare-d1", { … })`: those of `libsql`, and bindings for `wrangler.toml`. */
export const EDGE_DATABASE_OPTIONS = s.object({
  ...DATABASE_OPTIONS.members,
  /** Binding of the database. */
  binding: s.text,
  /** Binding of the database of accounts. */
  authBinding: s.text,
  /** Binding of the database of features. */
  featuresBinding: s.text,
  /** Binding of the database of webhooks. */
  webhooksBinding: s.text,
  /** Id of the database. */
  databaseId: s.text,
  /** Id of the database of accounts. */
  authDatabaseId: s.text,
  /** Id of the database of features. */
  featuresDatabaseId: s.text,
  /** Id of the database of webhooks. */
  webhooksDatabaseId: s.text,
  /** Id of the key-value namespace. */
  kvNamespaceId: s.text,
  /** Accounts, features and webhooks have a database each. */
  splitDatabases: s.boolean,
});

const OIDC_ID = /^[a-z][a-z0-9-]{0,30}$/;
/** Plain http is for a provider of this machine. */
const ISSUER = /^(https:\/\/[^\s?#@\\]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/[^\s?#@\\]*)?)$/;

/** Options of `defineAuth("better-auth", { … })`. */
export const AUTH_OPTIONS = s.object({
  /** Sign-in with an address and a password. */
  emailAndPassword: s.either([
    s.object({
      /** Sign-in with an address and a password. */
      enabled: on,
      /** Accounts sign in only once their address is confirmed. */
      requireEmailVerification: off,
      /** Accounts are made by `sysadmin` alone. */
      disableSignUp: off,
    }),
    s.boolean,
  ]),
  /** Sign-in by a link in a message. */
  magicLink: off,
  /** Sign-in by a code in a message. */
  emailCode: off,
  /** Accounts may ask for a second factor: a code of an authenticator app. */
  twoFactor: off,
  /** Sign-in by a key of a device. */
  passkeys: off,
  /** Sign-in through providers, with `<PROVIDER>_CLIENT_ID` and `<PROVIDER>_CLIENT_SECRET` set where the API runs. */
  social: s.map("providers", s.boolean),
  /** The same through any provider of OpenID Connect. */
  oidc: s.list(s.object({
    /** Name of the provider, in addresses and variables. */
    id: s.required(s.matching(OIDC_ID, "a name in small letters, digits and -")),
    /** Address that the provider calls itself by. */
    issuer: s.required(s.matching(ISSUER, "an https address without ? and #")),
  })),
  /** A `sysadmin` may act in another account's place for an hour, marked wherever it leaves a trace. */
  impersonation: off,
  /** Account plugins that the project relies on: each is checked to be one that is served. */
  plugins: s.words("account plugins"),
  /** Life of a session. */
  session: s.object({
    /** Days after which a session ends. */
    expiresInDays: s.byDefault(s.integer(1, 365), SESSION_DAYS),
    /** Days after which a session in use is prolonged. */
    updateAgeInDays: s.byDefault(s.integer(0, 365), 1),
  }),
  /** Limit of an address on account routes; by default on in production. */
  rateLimit: s.either([
    s.object({
      /** The limit holds. */
      enabled: on,
      /** Seconds that it spans. */
      window: s.integer(1, 86_400),
      /** Requests within them. */
      max: s.integer(1),
      /** Of older projects; passed over with a warning. */
      customRules: s.ruled<Readonly<Record<string, unknown>>>("anything"),
    }),
    s.boolean,
  ]),
});

/** A provider as a plain object, in place of a `define*` call; its options may also stand beside the name. */
export const PLAIN_PROVIDER = s.object({
  /** Name of the provider. */
  name: s.required(s.ruled<string>("a provider's name")),
  /** Its options. */
  config: s.ruled<object>("the provider's options"),
});

export interface PlainProvider extends s.Written<typeof PLAIN_PROVIDER> {}

export interface RuntimeProvider {
  readonly kind: "runtime";
  readonly name: PlatformName;
  readonly options: s.Written<typeof WORKER_OPTIONS>;
}

export interface DatabaseProvider {
  readonly kind: "database";
  readonly name: "libsql" | "cloudflare-d1";
  readonly options: s.Written<typeof DATABASE_OPTIONS> | s.Written<typeof EDGE_DATABASE_OPTIONS>;
}

export interface AuthProvider {
  readonly kind: "auth";
  readonly name: "better-auth";
  readonly options: s.Written<typeof AUTH_OPTIONS>;
}

/** Of older projects: the store of files is what `STORAGE_URL` says where the API runs. */
export interface FileStorageProvider {
  readonly kind: "fileStorage";
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}
