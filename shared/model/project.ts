/**
 * The declarations of one project, fully resolved. Plain JSON: the compiler makes it, emitters write it out, the runtime
 * obeys it.
 */
import type { ContractVersion, IdStrategy, PlatformName, RateLimit } from "../contract/mod.ts";
import type { RateOperation } from "../contract/mod.ts";
import type { ActionModel } from "./action.ts";
import type { AuthoredModel } from "./authored.ts";
import type { BrandingModel } from "./branding.ts";
import type { JsonValue, TableModel } from "./table.ts";
import type { EmailModel } from "./email.ts";
import type { RealtimeModel } from "./realtime.ts";
import type { ResourceModel } from "./resource.ts";
import type { SeedModel } from "./seed.ts";
import type { WebhooksModel } from "./webhooks.ts";
import { AuthModel } from "./auth.ts";

export type PublishGate = "authenticated" | "admin" | "public" | false;

export interface OpenApiModel {
  readonly generate: boolean;
  readonly publish: PublishGate;
  readonly docs: "browser_modern" | "browser_classic" | false;
  /** Paths of generated client types; empty: none. */
  readonly types: readonly string[];
}

/** Descriptions for crawlers and language models, and the tools that models may call. */
export interface AgentsModel {
  /** True when `/mcp` exists. */
  readonly mcp: boolean;
  readonly llmsTxt: boolean;
  readonly robotsTxt: boolean;
  /** True when the API is an OAuth 2.1 authorization server for clients of its users. Absent: it is not. */
  readonly oauth?: true;
}

export interface DatabaseModel {
  readonly provider: "libsql" | "cloudflare-d1";
  readonly generateId: IdStrategy;
  readonly allowClientIds: boolean;
  readonly namingConvention: "snake_case" | "camelCase";
  readonly webhookAllowInsecure: boolean;
  /** Set when each organization's rows are in a database of their own. Absent: all rows are in one database. */
  readonly tenancy?: "perOrganization";
}

/** Renames since the last compile, as the author declares them: old name to new name (definitions 2, `compiler.migrations`). */
interface RenamesModel {
  /** API names of tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** Maps `table.old` to the new column name. The table has its present name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Settings of an edge worker, spelled as in `wrangler.toml`; null: not set (definitions 2). */
export interface WorkerModel {
  readonly compatibilityDate: string | null;
  readonly observability: JsonValue;
  readonly routes: readonly JsonValue[] | null;
  readonly placement: JsonValue;
}

export interface ProjectModel {
  readonly name: string;
  readonly contract: ContractVersion;
  /** True when one request may carry several writes, in one transaction (definitions 7). */
  readonly changeset: boolean;
  readonly multiTenant: boolean;
  readonly runtime: PlatformName;
  /** Settings of the worker on an edge platform. Absent: there are none. */
  readonly worker?: WorkerModel;
  readonly database: DatabaseModel;
  readonly auth: AuthModel;
  readonly openapi: OpenApiModel;
  readonly agents: AgentsModel;
  readonly schemaRegistry: boolean;
  readonly etag: boolean;
  readonly trustedOrigins: readonly string[];
  readonly email: EmailModel;
  /** Absent: messages and pages show the project's name, without a colour. */
  readonly branding?: BrandingModel;
  readonly webhooks: WebhooksModel;
  readonly realtime: RealtimeModel;
  readonly devPort: number;
  /** Folder that an output is written to, relative to the project. */
  readonly outputDir: string;
  readonly renames: RenamesModel;
  /**
   * Maps `table.column` of a new scope column to the source of its values: a foreign key, `delete`, or a literal
   * (`compiler.migrations`).
   */
  readonly backfills: Readonly<Record<string, string>>;
  /**
   * True when tables and columns that the definitions no longer have may be dropped with their data (`compiler.migrations`).
   */
  readonly allowDestructive: boolean;
  /**
   * Columns as `table.column` whose existing rows may violate a length, a bound or a pattern (`compiler.migrations`). Absent:
   * there are none.
   */
  readonly accepted?: readonly string[];
  /** True when every output contains the runtime's sources. Absent: whoever makes the output decides. */
  readonly vendor?: true;
  /** Maps npm packages that authored code uses to their version ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Defaults of the project for operations that belong to no resource. */
  readonly rateLimits: Readonly<Record<RateOperation, RateLimit | null>>;
  /** All tables, those without routes included, sorted by name. */
  readonly tables: readonly TableModel[];
  /** Sorted by name. */
  readonly resources: readonly ResourceModel[];
  /** Sorted by key. */
  readonly actions: readonly ActionModel[];
  /** Code outside of features. */
  readonly authored: AuthoredModel;
  /** Absent: there is no seed. It is a file of its own in the output, because serving the API does not need it. */
  readonly seed?: SeedModel;
}
