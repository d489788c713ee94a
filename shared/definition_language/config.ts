/** `quickback.config.ts`: the objects of the configuration, those of its providers apart (definitions 2). */
import * as limits from "../contract/limits.ts";
import type { ContractVersion } from "../contract/mod.ts";
import * as webhooks from "../contract/webhooks.ts";
import type * as providers from "./providers.ts";
import * as s from "./shape.ts";

const on = s.byDefault(s.boolean, true);
const off = s.byDefault(s.boolean, false);

/** One limit: so many requests of a caller in so many seconds (contract 8.1). */
export const RATE_LIMIT = s.object({
  /** Requests. */
  limit: s.required(s.integer(1)),
  /** Seconds. */
  period: s.required(s.oneOf(limits.RATE_PERIODS)),
});

/** Limits per operation; `false`: none. */
export const RATE_LIMITS = s.ruled<
  | false
  | { readonly [Operation in limits.RateOperation]?: s.Written<typeof RATE_LIMIT> | false }
>("`false`, or `{ limit, period }` for `read`, `create`, `update`, `delete`");

/** An authenticator of the project's own (contract 5.6). */
export const PRINCIPAL = s.object({
  /** Scheme of the `Authorization` header. */
  scheme: s.required(s.ruled<string>("a scheme of its own, such as `Device`")),
  /** File that exports `verify`. */
  verify: s.required(s.word("a path such as `services/devices`")),
  /** Variants that its callers come in; `<name>/<variant>` is a role. */
  variants: s.required(s.words("names")),
});

/** Bearer tokens and the route that mints them. */
export const JWT = s.object({
  /** Seconds for which a token is good. */
  expiresIn: s.byDefault(
    s.integer(1, limits.TOKEN_LIFETIME_MAX_SECONDS),
    limits.TOKEN_LIFETIME_SECONDS,
  ),
  /** Claim `iss`; by default `BASE_URL`. */
  issuer: s.text,
  /** Claim `aud`. */
  audience: s.text,
  /** `EdDSA` publishes its key; `HS256` signs with `AUTH_SECRET`. */
  algorithm: s.byDefault(s.oneOf(["HS256", "EdDSA"]), "HS256"),
  /** A token can be taken back before it expires. */
  revocationCheck: off,
});

/** Lower-case letters, digits and hyphens: the name of the project. */
const PROJECT_NAME = s.matching(/^[a-z0-9-]+$/, "lower-case letters, digits and -");
/** Version ranges only: no addresses, no paths. */
const RANGE = s.matching(/^[\^~<>=|*xX0-9A-Za-z.+ -]{1,100}$/, "a version range");
const FOLDER = s.matching(
  /^(?:\.|(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*)$/,
  "a folder inside the project",
);
const ADDRESS = s.matching(/^[^\s@<>"]+@[^\s@<>"]+$/, "an email address");
/** A line break would start a header of its own. */
const ONE_LINE = s.matching(/^[^\r\n]+$/, "a name on one line");
/** It stands in subjects and headings. */
const SHOWN_NAME = s.matching(
  /^(?!.*:\/\/)(?!\s)[^\p{Cc}\p{Cf}\u2028\u2029]{1,80}(?<!\s)$/u,
  "a name of at most 80 characters on one line, without ://",
);
const COLOR = s.matching(/^#[0-9A-Fa-f]{6}$/, "a colour such as #0a5bd3");
const PAGE = s.ruled<string>("a path with `{id}` or `{token}`");
const RENAMED = s.matching(/^\w+$/, "the new name");
/** Ten years. */
const RETENTION_DAYS_MAX = 3650;

/** `export default defineConfig({ … })` of `quickback.config.ts`. */
export const CONFIG = s.object({
  /** Name of the project. */
  name: s.required(PROJECT_NAME),
  /** Kind of project to make. */
  template: s.oneOf(["hono"]),
  /** Parts of the API; the older list of names is taken too. */
  features: s.either([
    s.words<"organizations">("names"),
    s.object({
      /** Several tenants: accounts belong to organizations, and rows to one of them. */
      organizations: on,
    }),
  ]),
  /** Contract that the API keeps to. */
  contract: s.object({
    /** `v2` is strict: see [http.md](http.md). */
    version: s.byDefault(s.oneOf<ContractVersion>(["v1", "v2"]), "v1"),
    /** `POST /changeset`: several writes in one request, all or nothing. */
    changeset: off,
  }),
  /** Libraries and services that the API stands on. */
  providers: s.object({
    /** Platform that the output runs on. */
    runtime: s.ruled<providers.RuntimeProvider | providers.PlainProvider>(
      "`defineRuntime(name, options)`",
    ),
    /** Database, and how ids and names look in it. */
    database: s.ruled<providers.DatabaseProvider | providers.PlainProvider>(
      "`defineDatabase(name, options)`",
    ),
    /** Accounts: sign-in, sessions, limits. */
    auth: s.ruled<providers.AuthProvider | providers.PlainProvider>("`defineAuth(name, options)`"),
    /** Of older projects; passed over with a warning. */
    fileStorage: s.ruled<providers.FileStorageProvider>("`defineFileStorage(name, options)`"),
  }),
  /** Roles and credentials. */
  auth: s.object({
    /** Roles of an organization, lowest first: `"agent+"` in a rule means that role and every later one. */
    roleHierarchy: s.words("roles"),
    /** The project's other roles. With it or `roleHierarchy`, a rule that names any other role is an error. */
    roles: s.words("roles"),
    /** Bearer tokens. In `v1` they are on without it. */
    jwt: JWT,
    /** Authenticators of the project's own, by name. */
    principals: s.map("names", PRINCIPAL),
  }),
  /** Description of the API. */
  openapi: s.object({
    /** `openapi.json` is written. */
    generate: on,
    /** Callers who may read it; `true` is `"public"`. */
    publish: s.byDefault(
      s.oneOf(["authenticated", "admin", "public", true, false]),
      "authenticated",
    ),
    /** Browser of the API at `/docs`. */
    docs: s.byDefault(
      s.oneOf(["browser_modern", "scalar", "browser_classic", "swagger", false]),
      false,
    ),
    /** Files of client types that a compile writes; `true` is `client.d.ts`, the default. */
    types: s.ruled<boolean | string | readonly string[]>("a switch, a path or a list of paths"),
  }),
  /** Limits of a caller, by operation. */
  rateLimit: RATE_LIMITS,
  /** Events that leave the API and that come in (contract 6). */
  webhooks: s.object({
    /** Events are sent to the endpoints that organizations register. */
    outbound: off,
    /** Providers whose events come in: `stripe`, `standard`, or the project's own. */
    inbound: s.list(s.ruled<string>("a provider's name")),
    /** Names of events that endpoints may ask for; by default the recommended ones. */
    events: s.byDefault(
      s.list(s.matching(new RegExp(webhooks.EVENT_NAME, "u"), "an event name")),
      webhooks.RECOMMENDED_EVENTS,
    ),
    /** Endpoints of one organization. */
    maxEndpoints: s.byDefault(s.integer(1), webhooks.MAX_ENDPOINTS_DEFAULT),
    /** `standard`: three attempts within seconds. `extended`: eight within a day and a half. */
    schedule: s.byDefault(s.oneOf(webhooks.SCHEDULES), "standard"),
    /** Settled deliveries and events are kept for so many days; `false`: for ever. */
    retentionDays: s.byDefault(
      s.either(
        [s.oneOf([false]), s.integer(1, RETENTION_DAYS_MAX)],
        `an integer from 1 to ${RETENTION_DAYS_MAX}, or false`,
      ),
      webhooks.RETENTION_DAYS_DEFAULT,
    ),
  }),
  /** Messages about changed records (contract 6.3). */
  realtime: s.object({
    /** `/broadcast/v1/events` streams changes and signals. */
    enabled: off,
    /** Writes of handlers are sent too. */
    emitFromActions: off,
    /** Push messages: the resource `/push-subscriptions`, and `sendPush` for handlers. */
    push: off,
  }),
  /** Origins whose pages may send cookies. */
  trustedOrigins: s.list(s.ruled<string>("an origin such as `https://app.example.com`")),
  /** Registry of the resources for front-ends. */
  schemaRegistry: s.object({
    /** `schema-registry.json` is written. */
    generate: on,
  }),
  /** Entity tags. */
  etag: s.object({
    /** Reads carry an `ETag`, and writes take `If-Match`. */
    enabled: on,
  }),
  /** Descriptions and tools for language models; `false` turns all off. */
  agents: s.either([
    s.boolean,
    s.object({
      /** `/mcp`, for models that call the API. */
      mcp: on,
      /** `/llms.txt`. */
      llmsTxt: on,
      /** `/robots.txt`. */
      robotsTxt: on,
      /** An OAuth 2.1 authorization server: clients register, and users say what they may do. */
      oauth: off,
    }),
  ]),
  /** Messages of accounts: invitations, confirmations, resets. */
  email: s.object({
    /** `log` writes messages to the log, in development alone; `smtp` sends them; `none` sends none, and is the default of a worker. */
    provider: s.byDefault(s.oneOf(["log", "smtp", "none"]), "log"),
    /** Sender. */
    from: ADDRESS,
    /** Name of the sender. */
    fromName: ONE_LINE,
    /** Tell accounts of new keys, grants, passkeys, passwords, addresses and devices; default: with `smtp`. */
    notices: s.boolean,
    /** Application whose pages the links lead to; a trusted origin. */
    appUrl: s.ruled<string>("a URL such as `https://app.example.com`"),
    /** Its pages, below `appUrl`. */
    paths: s.object({
      /** Page that accepts an invitation, with `{token}` and, if it needs it, `{id}`. */
      invitation: PAGE,
      /** Page that confirms an address, with `{token}`. */
      verifyEmail: PAGE,
      /** Page that sets a new password, with `{token}`. */
      resetPassword: PAGE,
      /** Page that confirms another address, with `{token}`. */
      changeEmail: PAGE,
      /** Page that confirms the end of an account, with `{token}`. */
      deleteAccount: PAGE,
      /** Page that signs in, with `{token}`. */
      magicLink: PAGE,
    }),
  }),
  /** Face of the messages and of the pages that the API has itself. */
  branding: s.object({
    /** Name that people read; by default that of the project. */
    name: SHOWN_NAME,
    /** Of buttons, as `#rrggbb`. The text on it is black or white, whichever is easier to read. */
    color: COLOR,
    /** File of `email-templates/`: `.svg`, or `.png` for messages too; at most 32 KiB. */
    logo: s.word("a file of `email-templates/` such as `logo.png`"),
  }),
  /** `quickback dev`. */
  dev: s.object({
    /** Port that it serves on. */
    port: s.byDefault(s.integer(1, 65_535), 8000),
  }),
  /** Output of a compile. */
  build: s.object({
    /** Folder of the output, relative to the project. */
    outputDir: s.byDefault(FOLDER, "."),
    /** The output carries the runtime's sources, also when the installed package makes it. */
    vendor: off,
    /** Packages that the project's own code imports. */
    dependencies: s.map("npm names", RANGE),
  }),
  /** Instructions to the compiler. */
  compiler: s.object({
    /** Facts that no comparison of two schemas can know. */
    migrations: s.object({
      /** Renames since the last compile. */
      renames: s.object({
        /** Old name → new name. */
        tables: s.map("old names", RENAMED),
        /** `table.old` → new name. */
        columns: s.map("`table.column`", RENAMED),
      }),
      /** Source of a new scope column's values, by `table.column`. */
      backfills: s.map(
        "`table.column`",
        s.matching(/^\S{1,128}$/, 'a foreign key, an id or "delete"'),
      ),
      /** `table.column`: rows may stay beyond a length, a bound or a pattern that has become narrower. */
      accept: s.list(s.matching(/^\w+\.\w+$/, "`table.column`")),
      /** Tables and columns that are no longer defined are dropped, with what they hold. */
      allowDestructive: off,
    }),
  }),
}, { foreign: ["account", "domain", "layouts"] });
