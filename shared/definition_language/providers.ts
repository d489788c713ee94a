/** `providers` of the configuration: the platform, the database and the accounts of an API (definitions 2). */
import { ID_STRATEGIES, type PlatformName, SESSION_DAYS } from "../contract/mod.ts";
import * as s from "./shape.ts";

const on = s.byDefault(s.boolean, true);
const off = s.byDefault(s.boolean, false);

const KEPT = {
  /** Turns them on. */
  enabled: s.boolean,
  /** Share of requests that are recorded. */
  headSamplingRate: s.fraction,
  /** The platform stores them. */
  persist: s.boolean,
  /** Names of destinations that they are sent to. */
  destinations: s.list(s.text),
};

/**
 * Settings of an edge worker, written into `wrangler.toml`. Each key may also be spelled as in that file, such as
 * `custom_domain`.
 */
export const WORKER_OPTIONS = s.eitherCase({
  /** Compatibility date of the worker's platform. */
  compatibilityDate: s.matching(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31"),
  /** Records of the worker's requests. */
  observability: s.either([
    s.boolean,
    s.eitherCase({
      /** Turns logs and traces on, unless one of them is set by itself. */
      enabled: s.boolean,
      /** Share of requests that are recorded. */
      headSamplingRate: s.fraction,
      /** Logs of the worker. */
      logs: s.eitherCase({
        ...KEPT,
        /** Writes one line for each call of the worker. */
        invocationLogs: s.boolean,
      }),
      /** Traces of the worker. */
      traces: s.eitherCase(KEPT),
    }),
  ]),
  /** URLs at which the worker answers. */
  routes: s.list(s.either([
    s.text,
    s.eitherCase({
      /** URL pattern, such as `api.example.com/*`. */
      pattern: s.required(s.text),
      /** Name of the zone of the URL. */
      zoneName: s.text,
      /** Id of the zone, in place of its name. */
      zoneId: s.text,
      /** The pattern is a custom domain of the worker. */
      customDomain: s.boolean,
    }),
  ])),
  /** Place where the worker runs. `smart` is near its database. */
  placement: s.either([
    s.oneOf(["smart", "off"]),
    s.eitherCase({
      /** Place where the worker runs. `smart` is near its database. */
      mode: s.required(s.oneOf(["smart", "off"])),
      /** Region in which `smart` starts. */
      hint: s.text,
    }),
  ]),
});

/** Options of `defineDatabase("libsql", { … })`. */
export const DATABASE_OPTIONS = s.object({
  /** Form of new ids. `serial` counts up; with `false` clients choose them. */
  generateId: s.byDefault(s.oneOf(ID_STRATEGIES), "prefixed"),
  /** A create may contain an id. */
  allowClientIds: off,
  /** Spelling of table and column names in SQL. */
  namingConvention: s.byDefault(s.oneOf(["snake_case", "camelCase"]), "snake_case"),
  /** Webhooks may go to `http` URLs. Private networks remain closed. */
  webhookAllowInsecure: off,
  /**
   * `shared`: the rows of all organizations are in one database. `perOrganization`: each organization has a database of its
   * own.
   */
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
  /** Uses separate databases for accounts, features and webhooks. */
  splitDatabases: s.boolean,
});

const OIDC_ID = /^[a-z][a-z0-9-]{0,30}$/;
/** Pattern of an issuer. Plain http is allowed only for a provider on this machine. */
const ISSUER = /^(https:\/\/[^\s?#@\\]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/[^\s?#@\\]*)?)$/;

/** Options of `defineAuth("better-auth", { … })`. */
export const AUTH_OPTIONS = s.object({
  /** Sign-in with an address and a password. */
  emailAndPassword: s.either([
    s.object({
      /** Turns sign-in by password on. */
      enabled: on,
      /** An account can sign in only after its address is confirmed. */
      requireEmailVerification: off,
      /** Only `sysadmin` makes accounts. */
      disableSignUp: off,
    }),
    s.boolean,
  ]),
  /** Sign-in by a mailed link. */
  magicLink: off,
  /** Sign-in by a mailed code. */
  emailCode: off,
  /** Accounts may turn on a second factor: a code of an authenticator app. */
  twoFactor: off,
  /** Sign-in by passkeys. */
  passkeys: off,
  /** Sign-in through providers. The API needs `<PROVIDER>_CLIENT_ID` and `<PROVIDER>_CLIENT_SECRET`. */
  social: s.map("providers", s.boolean),
  /** Sign-in through any OpenID Connect provider. */
  oidc: s.list(s.object({
    /** Name of the provider, for URLs and variables. */
    id: s.required(s.matching(OIDC_ID, "a name in small letters, digits and -")),
    /** Issuer URL of the provider. */
    issuer: s.required(s.matching(ISSUER, "an https address without ? and #")),
  })),
  /** A `sysadmin` may act in another account's place for an hour. All that is done then is marked. */
  impersonation: off,
  /** Account plugins that the project relies on. The compiler checks that each is available. */
  plugins: s.words("account plugins"),
  /** Lifetime of sessions. */
  session: s.object({
    /** Days until a session ends. */
    expiresInDays: s.byDefault(s.integer(1, 365), SESSION_DAYS),
    /** Days after which a session in use is extended. */
    updateAgeInDays: s.byDefault(s.integer(0, 365), 1),
  }),
  /** Rate limit of an address on account routes. Default: on in production. */
  rateLimit: s.either([
    s.object({
      /** Turns the limit on. */
      enabled: on,
      /** Period in seconds. */
      window: s.integer(1, 86_400),
      /** Number of requests in a period. */
      max: s.integer(1),
      /** Accepted from older projects with a warning, without effect. */
      customRules: s.ruled<Readonly<Record<string, unknown>>>("anything"),
    }),
    s.boolean,
  ]),
});

/** A provider as a plain object in place of a `define*` call. Its options may also be beside the name. */
export const PLAIN_PROVIDER = s.object({
  /** Name of the provider. */
  name: s.required(s.ruled<string>("a provider's name")),
  /** Options of the provider. */
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

/** Accepted from older projects. `STORAGE_URL` selects the file store where the API runs. */
export interface FileStorageProvider {
  readonly kind: "fileStorage";
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}
