/** `quickback.config.ts`: the objects of the configuration, without those of its providers (definitions 2). */
import * as limits from "../contract/limits.ts";
import type { ContractVersion } from "../contract/mod.ts";
import * as webhooks from "../contract/webhooks.ts";
import { ACCOUNT_MAILS, type LinkedMail } from "../model/mod.ts";
import type * as providers from "./providers.ts";
import * as s from "./shape.ts";

const on = s.byDefault(s.boolean, true);
const off = s.byDefault(s.boolean, false);

/** A rate limit: the number of requests that one caller may send in a period (contract 8.1). */
export const RATE_LIMIT = s.object({
  /** Number of requests. */
  limit: s.required(s.integer(1)),
  /** Period in seconds. */
  period: s.required(s.oneOf(limits.RATE_PERIODS)),
});

/** Rate limits by operation; `false`: no limit. */
export const RATE_LIMITS = s.ruled<
  | false
  | { readonly [Operation in limits.RateOperation]?: s.Written<typeof RATE_LIMIT> | false }
>("`false`, or `{ limit, period }` for `read`, `create`, `update`, `delete`");

/** An authenticator of the project's own (contract 5.6). */
export const PRINCIPAL = s.object({
  /** Scheme in the `Authorization` header. */
  scheme: s.required(s.ruled<string>("a scheme of its own, such as `Device`")),
  /** File that exports `verify`. */
  verify: s.required(s.word("a path such as `services/devices`")),
  /** Variants of its callers. `<name>/<variant>` is a role. */
  variants: s.required(s.words("names")),
});

/** Bearer tokens and the route that issues them. */
export const JWT = s.object({
  /** Lifetime of a token in seconds. */
  expiresIn: s.byDefault(
    s.integer(1, limits.TOKEN_LIFETIME_MAX_SECONDS),
    limits.TOKEN_LIFETIME_SECONDS,
  ),
  /** Claim `iss`. Default: `BASE_URL`. */
  issuer: s.text,
  /** Claim `aud`. */
  audience: s.text,
  /** `EdDSA` publishes its key; `HS256` signs with `AUTH_SECRET`. */
  algorithm: s.byDefault(s.oneOf(["HS256", "EdDSA"]), "HS256"),
  /** Tokens can be revoked before they expire. */
  revocationCheck: off,
});

/** Pattern of the project's name: lower-case letters, digits and hyphens. */
const PROJECT_NAME = s.matching(/^[a-z0-9-]+$/, "lower-case letters, digits and -");
/** Pattern of a version range. URLs and paths are refused. */
const RANGE = s.matching(/^[\^~<>=|*xX0-9A-Za-z.+ -]{1,100}$/, "a version range");
const FOLDER = s.matching(
  /^(?:\.|(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*)$/,
  "a folder inside the project",
);
const ADDRESS = s.matching(/^[^\s@<>"]+@[^\s@<>"]+$/, "an email address");
/** Pattern of a single line. A line break would start another mail header. */
const ONE_LINE = s.matching(/^[^\r\n]+$/, "a name on one line");
/** Pattern of a name in mail subjects and headings. */
const SHOWN_NAME = s.matching(
  /^(?!.*:\/\/)(?!\s)[^\p{Cc}\p{Cf}\u2028\u2029]{1,80}(?<!\s)$/u,
  "a name of at most 80 characters on one line, without ://",
);
const COLOR = s.matching(/^#[0-9A-Fa-f]{6}$/, "a colour such as #0a5bd3");
const RENAMED = s.matching(/^\w+$/, "the new name");
/** Longest retention: ten years. */
const RETENTION_DAYS_MAX = 3650;

/** A path below the application's URL, with a placeholder of its message and no other. */
function page(mail: LinkedMail): s.Matching {
  const placeholders = ACCOUNT_MAILS[mail].keys.map((key) => `{${key}}`);
  const either = ACCOUNT_MAILS[mail].keys.map((key) => `\\{${key}\\}`).join("|");
  const pattern = new RegExp(`^/(?=.*(?:${either}))(?:[^\\s\\\\{}]|${either})*$`);
  const example = `/page/${placeholders.at(-1) ?? ""}`;
  return s.matching(pattern, `a path with ${placeholders.join(" or ")}, such as ${example}`);
}

/** `export default defineConfig({ … })` of `quickback.config.ts`. */
export const CONFIG = s.object({
  /** Name of the project. */
  name: s.required(PROJECT_NAME),
  /** Kind of project. */
  template: s.oneOf(["hono"]),
  /** Parts of the API. The older list of names is accepted too. */
  features: s.either([
    s.words<"organizations">("names"),
    s.object({
      /** Several tenants: an account belongs to organizations, a row to one of them. */
      organizations: on,
    }),
  ]),
  /** Version of the HTTP contract. */
  contract: s.object({
    /** `v2` is stricter: see [http.md](http.md). */
    version: s.byDefault(s.oneOf<ContractVersion>(["v1", "v2"]), "v1"),
    /** `POST /changeset`: several writes in one request, all or nothing. */
    changeset: off,
  }),
  /** Libraries and services that the API uses. */
  providers: s.object({
    /** Platform that the output runs on. */
    runtime: s.ruled<providers.RuntimeProvider | providers.PlainProvider>(
      "`defineRuntime(name, options)`",
    ),
    /** Database, and the form of ids and SQL names. */
    database: s.ruled<providers.DatabaseProvider | providers.PlainProvider>(
      "`defineDatabase(name, options)`",
    ),
    /** Accounts: sign-in, sessions, limits. */
    auth: s.ruled<providers.AuthProvider | providers.PlainProvider>("`defineAuth(name, options)`"),
    /** Accepted from older projects with a warning, without effect. */
    fileStorage: s.ruled<providers.FileStorageProvider>("`defineFileStorage(name, options)`"),
  }),
  /** Roles and credentials. */
  auth: s.object({
    /** Roles of an organization from the lowest to the highest: `"agent+"` in a rule means that role and every higher one. */
    roleHierarchy: s.words("roles"),
    /** The project's other roles. With this list or `roleHierarchy` a rule cannot name any other role. */
    roles: s.words("roles"),
    /** Bearer tokens. In `v1` they exist without this key. */
    jwt: JWT,
    /** Authenticators of the project's own, by name. */
    principals: s.map("names", PRINCIPAL),
  }),
  /** Description of the API. */
  openapi: s.object({
    /** Writes `openapi.json`. */
    generate: on,
    /** Callers who may read it; `true` means `"public"`. */
    publish: s.byDefault(
      s.oneOf(["authenticated", "admin", "public", true, false]),
      "authenticated",
    ),
    /** API browser at `/docs`. */
    docs: s.byDefault(
      s.oneOf(["browser_modern", "scalar", "browser_classic", "swagger", false]),
      false,
    ),
    /** Files of client types that a compile writes; `true` means `client.d.ts`, the default. */
    types: s.ruled<boolean | string | readonly string[]>("a switch, a path or a list of paths"),
  }),
  /** Rate limits of a caller, by operation. */
  rateLimit: RATE_LIMITS,
  /** Outgoing and incoming events (contract 6). */
  webhooks: s.object({
    /** Sends events to the endpoints that organizations register. */
    outbound: off,
    /** Providers of incoming events: `stripe`, `standard`, or the project's own. */
    inbound: s.list(s.ruled<string>("a provider's name")),
    /** Event names that endpoints may subscribe to. Default: the recommended ones. */
    events: s.byDefault(
      s.list(s.matching(new RegExp(webhooks.EVENT_NAME, "u"), "an event name")),
      webhooks.RECOMMENDED_EVENTS,
    ),
    /** Most endpoints of one organization. */
    maxEndpoints: s.byDefault(s.integer(1), webhooks.MAX_ENDPOINTS_DEFAULT),
    /** `standard`: three attempts within seconds. `extended`: eight within a day and a half. */
    schedule: s.byDefault(s.oneOf(webhooks.SCHEDULES), "standard"),
    /** Days for which delivered or failed deliveries and processed events are kept; `false`: for ever. */
    retentionDays: s.byDefault(
      s.either(
        [s.oneOf([false]), s.integer(1, RETENTION_DAYS_MAX)],
        `an integer from 1 to ${RETENTION_DAYS_MAX}, or false`,
      ),
      webhooks.RETENTION_DAYS_DEFAULT,
    ),
  }),
  /** Frames about changed records, and signals (contract 6.3). */
  realtime: s.object({
    /** `/broadcast/v1/events` streams changes and signals. */
    enabled: off,
    /** Writes of handlers make frames too. */
    emitFromActions: off,
    /** Push messages: the resource `/push-subscriptions`, and `sendPush` for handlers. */
    push: off,
  }),
  /** Origins whose pages may send cookies. */
  trustedOrigins: s.list(s.origin),
  /** Description of the resources for front-ends. */
  schemaRegistry: s.object({
    /** Writes `schema-registry.json`. */
    generate: on,
  }),
  /** Entity tags for conditional requests. */
  etag: s.object({
    /** Reads have an `ETag`, and writes accept `If-Match`. */
    enabled: on,
  }),
  /** Descriptions and tools for language models; `false` turns all of them off. */
  agents: s.either([
    s.boolean,
    s.object({
      /** `/mcp`, for models that call the API. */
      mcp: on,
      /** `/llms.txt`. */
      llmsTxt: on,
      /** `/robots.txt`. */
      robotsTxt: on,
      /** An OAuth 2.1 authorization server: clients register, and users grant them rights. */
      oauth: off,
    }),
  ]),
  /** Mails to accounts: invitations, confirmations, resets. */
  email: s.object({
    /**
     * `log` writes mails to the log, in development only. `smtp` sends them. `none` sends none, and is the default of a worker.
     */
    provider: s.byDefault(s.oneOf(["log", "smtp", "none"]), "log"),
    /** Address of the sender. */
    from: ADDRESS,
    /** Name of the sender. */
    fromName: ONE_LINE,
    /** Mails accounts about new keys, grants, passkeys, passwords, addresses and devices. Default: on with `smtp`. */
    notices: s.boolean,
    /** URL of the application that links lead to. It must be a trusted origin. */
    appUrl: s.url,
    /** Pages of the application, as paths below `appUrl`. */
    paths: s.object({
      /** Page that accepts an invitation, with `{token}` and optionally `{id}`. */
      invitation: page("invitation"),
      /** Page that confirms an address, with `{token}`. */
      verifyEmail: page("verifyEmail"),
      /** Page that sets a new password, with `{token}`. */
      resetPassword: page("resetPassword"),
      /** Page that confirms the deletion of an account, with `{token}`. */
      changeEmail: page("changeEmail"),
      /** Page that confirms the end of an account, with `{token}`. */
      deleteAccount: page("deleteAccount"),
      /** Page that signs in by a mailed link, with `{token}`. */
      magicLink: page("magicLink"),
    }),
  }),
  /** Look of the mails, and of the API's own pages. */
  branding: s.object({
    /** Name that people read. Default: the project's name. */
    name: SHOWN_NAME,
    /** Colour of buttons as `#rrggbb`. Their text is black or white, whichever has more contrast. */
    color: COLOR,
    /** File in `email-templates/`: `.svg`, or `.png` to show it in mails too; at most 32 KiB. */
    logo: s.word("a file of `email-templates/` such as `logo.png`"),
  }),
  /** Settings of `quickback dev`. */
  dev: s.object({
    /** Port of the development server. */
    port: s.byDefault(s.integer(1, 65_535), 8000),
  }),
  /** Settings of a compile's output. */
  build: s.object({
    /** Folder of the output, relative to the project. */
    outputDir: s.byDefault(FOLDER, "."),
    /** Copies the runtime's sources into the output, even if the installed package could be used. */
    vendor: off,
    /** npm packages that the project's own code imports, with version ranges. */
    dependencies: s.map("npm names", RANGE),
  }),
  /** Instructions to the compiler. */
  compiler: s.object({
    /** Facts that the compiler cannot see by comparing two schemas. */
    migrations: s.object({
      /** Renames since the last compile. */
      renames: s.object({
        /** Old name → new name. */
        tables: s.map("old names", RENAMED),
        /** `table.old` → new name. */
        columns: s.map("`table.column`", RENAMED),
      }),
      /** Source of the values of a new scope column, by `table.column`. */
      backfills: s.map(
        "`table.column`",
        s.matching(/^\S{1,128}$/, 'a foreign key, an id or "delete"'),
      ),
      /** `table.column` whose existing rows may violate a length, a bound or a pattern that became stricter. */
      accept: s.list(s.matching(/^\w+\.\w+$/, "`table.column`")),
      /** Drops tables and columns that are no longer defined, with their data. */
      allowDestructive: off,
    }),
  }),
}, { foreign: ["account", "domain", "layouts"] });
