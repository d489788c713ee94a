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
  /** `/mcp` exists. */
  readonly mcp: boolean;
  readonly llmsTxt: boolean;
  readonly robotsTxt: boolean;
  /** The API is an OAuth 2.1 authorization server for clients of its users. Absent: it is none. */
  readonly oauth?: true;
}

export interface DatabaseModel {
  readonly provider: "libsql" | "cloudflare-d1";
  readonly generateId: IdStrategy;
  readonly allowClientIds: boolean;
  readonly namingConvention: "snake_case" | "camelCase";
  readonly webhookAllowInsecure: boolean;
  /** Each organization's rows stand in a database of its own. Absent: all stand in one. */
  readonly tenancy?: "perOrganization";
}

/** Renames since the last compile as the author states them, old name → new name (definitions 2, `compiler.migrations`). */
interface RenamesModel {
  /** API names of tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** `table.old` → `new`, the table by its present name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Settings of an edge worker, as `wrangler.toml` spells them; null: not said (definitions 2). */
export interface WorkerModel {
  readonly compatibilityDate: string | null;
  readonly observability: JsonValue;
  readonly routes: readonly JsonValue[] | null;
  readonly placement: JsonValue;
}

export interface ProjectModel {
  readonly name: string;
  readonly contract: ContractVersion;
  /** Several writes in one request, in one transaction (definitions 7). */
  readonly changeset: boolean;
  readonly multiTenant: boolean;
  readonly runtime: PlatformName;
  /** Settings of the worker on an edge platform; absent: none. */
  readonly worker?: WorkerModel;
  readonly database: DatabaseModel;
  readonly auth: AuthModel;
  readonly openapi: OpenApiModel;
  readonly agents: AgentsModel;
  readonly schemaRegistry: boolean;
  readonly etag: boolean;
  readonly trustedOrigins: readonly string[];
  readonly email: EmailModel;
  /** Absent: the project's name, and no colour. */
  readonly branding?: BrandingModel;
  readonly webhooks: WebhooksModel;
  readonly realtime: RealtimeModel;
  readonly devPort: number;
  /** Folder that an output is written to, relative to the project. */
  readonly outputDir: string;
  readonly renames: RenamesModel;
  /** `table.column` → where a new scope column's value comes from: a foreign key, `delete`, or the value (`compiler.migrations`). */
  readonly backfills: Readonly<Record<string, string>>;
  /** Tables and columns that are gone from the definitions may be dropped with their data (`compiler.migrations`). */
  readonly allowDestructive: boolean;
  /** `table.column` whose rows may stay beyond a length, a bound or a pattern (`compiler.migrations`); absent: none. */
  readonly accepted?: readonly string[];
  /** Every output carries the runtime's sources, whoever makes it. Absent: the maker decides. */
  readonly vendor?: true;
  /** npm name → range, for authored code. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Project defaults, for operations that belong to no resource. */
  readonly rateLimits: Readonly<Record<RateOperation, RateLimit | null>>;
  /** Sorted by name; tables without routes included. */
  readonly tables: readonly TableModel[];
  /** Sorted by name. */
  readonly resources: readonly ResourceModel[];
  /** Sorted by key. */
  readonly actions: readonly ActionModel[];
  /** Code outside of features. */
  readonly authored: AuthoredModel;
  /** Absent: none. In a file of its own in the output: who serves the API has no use for it. */
  readonly seed?: SeedModel;
}
