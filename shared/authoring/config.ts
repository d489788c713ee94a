/** The project's configuration (definitions 2). Literals only: the compiler reads it without running it. */
import type { IdStrategy } from "../contract/ids.ts";
import type { PlatformName } from "../contract/platforms.ts";
import type { ContractVersion } from "../contract/versions.ts";
import type { RateLimitsDefinition } from "./resource.ts";

/** Into `wrangler.toml`. */
export interface WorkerOptions {
  /** `2026-01-31`. */
  readonly compatibilityDate?: string;
  readonly observability?: boolean | { readonly enabled?: boolean };
  readonly routes?: readonly (string | {
    readonly pattern: string;
    readonly zoneName?: string;
    readonly customDomain?: boolean;
  })[];
  readonly placement?: "smart" | "off" | { readonly mode: "smart" | "off" };
}

export interface RuntimeProvider {
  readonly kind: "runtime";
  readonly name: PlatformName;
  readonly options: WorkerOptions;
}

/** Of older projects: the store of files is what `STORAGE_URL` says where the API runs. */
export interface FileStorageProvider {
  readonly kind: "fileStorage";
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface DatabaseOptions {
  readonly generateId?: IdStrategy;
  readonly allowClientIds?: boolean;
  readonly namingConvention?: "snake_case" | "camelCase";
  readonly webhookAllowInsecure?: boolean;
}

/** Bindings of the edge platform, into `wrangler.toml`. */
export interface EdgeDatabaseOptions extends DatabaseOptions {
  readonly binding?: string;
  readonly databaseId?: string;
  readonly authBinding?: string;
  readonly authDatabaseId?: string;
  readonly featuresBinding?: string;
  readonly featuresDatabaseId?: string;
  readonly webhooksBinding?: string;
  readonly webhooksDatabaseId?: string;
  readonly kvNamespaceId?: string;
  readonly splitDatabases?: boolean;
}

export interface DatabaseProvider {
  readonly kind: "database";
  readonly name: "libsql" | "cloudflare-d1";
  readonly options: DatabaseOptions | EdgeDatabaseOptions;
}

export interface AuthOptions {
  readonly emailAndPassword?: boolean | {
    readonly enabled?: boolean;
    /** Accounts sign in only once their address is confirmed. */
    readonly requireEmailVerification?: boolean;
    /** Accounts are made by `sysadmin` alone. */
    readonly disableSignUp?: boolean;
  };
  readonly plugins?: readonly string[];
  readonly session?: { readonly expiresInDays?: number; readonly updateAgeInDays?: number };
  readonly rateLimit?:
    | boolean
    | {
      readonly enabled?: boolean;
      readonly window?: number;
      readonly max?: number;
      /** Of older projects; passed over with a warning. */
      readonly customRules?: Readonly<Record<string, unknown>>;
    };
}

export interface AuthProvider {
  readonly kind: "auth";
  readonly name: "better-auth";
  readonly options: AuthOptions;
}

export interface ConfigDefinition {
  /** Letters a–z, digits and hyphens. */
  readonly name: string;
  readonly template?: "hono";
  readonly features?: { readonly organizations?: boolean } | readonly "organizations"[];
  readonly contract?: { readonly version?: ContractVersion; readonly changeset?: boolean };
  readonly providers?: {
    readonly runtime?: RuntimeProvider;
    readonly database?: DatabaseProvider;
    readonly auth?: AuthProvider;
    readonly fileStorage?: FileStorageProvider;
  };
  readonly auth?: {
    /** Lowest first. */
    readonly roleHierarchy?: readonly string[];
    readonly jwt?: {
      /** Seconds. */
      readonly expiresIn?: number;
      readonly issuer?: string;
      readonly audience?: string;
      readonly algorithm?: "HS256" | "EdDSA";
      readonly revocationCheck?: boolean;
    };
    readonly principals?: {
      readonly [name: string]: {
        readonly scheme: string;
        readonly verify: string;
        readonly variants: readonly string[];
      };
    };
  };
  readonly openapi?: {
    readonly generate?: boolean;
    readonly publish?: "authenticated" | "admin" | "public" | boolean;
    readonly docs?: "browser_modern" | "scalar" | "browser_classic" | "swagger" | false;
    readonly types?: boolean | string | readonly string[];
  };
  readonly rateLimit?: RateLimitsDefinition;
  readonly webhooks?: {
    readonly outbound?: boolean;
    readonly inbound?: readonly string[];
    readonly events?: readonly string[];
    readonly maxEndpoints?: number;
    /** `standard`: three attempts within seconds. `extended`: eight within a day and a half. */
    readonly schedule?: "standard" | "extended";
    /** Settled deliveries and events are kept for so many days, 90 by default; false: for ever. */
    readonly retentionDays?: number | false;
  };
  readonly realtime?: {
    readonly enabled?: boolean;
    readonly emitFromActions?: boolean;
    readonly push?: boolean;
  };
  readonly trustedOrigins?: readonly string[];
  readonly schemaRegistry?: { readonly generate?: boolean };
  readonly etag?: { readonly enabled?: boolean };
  readonly agents?: boolean | {
    readonly mcp?: boolean;
    readonly llmsTxt?: boolean;
    readonly robotsTxt?: boolean;
  };
  readonly email?: {
    readonly provider?: "log" | "smtp";
    readonly from?: string;
    readonly fromName?: string;
    /** Of the application whose pages the links of messages lead to; a trusted origin. */
    readonly appUrl?: string;
    /** Below `appUrl`, with `{id}` or `{token}`. */
    readonly paths?: {
      readonly invitation?: string;
      readonly verifyEmail?: string;
      readonly resetPassword?: string;
      readonly changeEmail?: string;
      readonly deleteAccount?: string;
    };
  };
  readonly dev?: { readonly port?: number };
  readonly build?: {
    readonly outputDir?: string;
    readonly dependencies?: { readonly [npmName: string]: string };
  };
  readonly compiler?: {
    readonly migrations?: {
      readonly renames?: {
        readonly tables?: { readonly [oldName: string]: string };
        readonly columns?: { readonly [tableAndColumn: string]: string };
      };
      /** A foreign key, an id, or "delete". */
      readonly backfills?: { readonly [tableAndColumn: string]: string };
      /** Tables and columns that are no longer defined are dropped, with what they hold. */
      readonly allowDestructive?: boolean;
    };
  };
}

export function defineConfig(config: ConfigDefinition): ConfigDefinition {
  return config;
}

export function defineRuntime(
  name: RuntimeProvider["name"],
  options: RuntimeProvider["options"] = {},
): RuntimeProvider {
  return { kind: "runtime", name, options };
}

export function defineFileStorage(
  name: string,
  options: FileStorageProvider["options"] = {},
): FileStorageProvider {
  return { kind: "fileStorage", name, options };
}

export function defineDatabase(name: "libsql", options?: DatabaseOptions): DatabaseProvider;
export function defineDatabase(
  name: "cloudflare-d1",
  options?: EdgeDatabaseOptions,
): DatabaseProvider;
export function defineDatabase(
  name: DatabaseProvider["name"],
  options: DatabaseProvider["options"] = {},
): DatabaseProvider {
  return { kind: "database", name, options };
}

export function defineAuth(
  name: AuthProvider["name"],
  options: AuthOptions = {},
): AuthProvider {
  return { kind: "auth", name, options };
}
