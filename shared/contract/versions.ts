/** Differences between contract versions as named switches (contract 9). */

export interface ContractSwitches {
  readonly apiBase: string;
  readonly authBase: string;
  readonly broadcastBase: string;
  /** Second base of the auth routes, which `openapi.json` lists in v1 (definitions 7); null: there is none. */
  readonly authAlias: string | null;
  /** True when unknown names in `fields` are refused instead of ignored (contract 4.3 rule 5). */
  readonly strictFields: boolean;
  /** True when every authored action needs an `actionInputSchemas` entry (contract 4.8). */
  readonly requiresActionSchemas: boolean;
  /** True when the token endpoint exists without `auth.jwt` (contract 5.6). */
  readonly tokenByDefault: boolean;
}

export const CONTRACT_VERSIONS = {
  v1: {
    apiBase: "/api/v1",
    authBase: "/auth/v1",
    broadcastBase: "/broadcast/v1",
    authAlias: "/api/auth",
    strictFields: false,
    requiresActionSchemas: false,
    tokenByDefault: true,
  },
  v2: {
    apiBase: "/api/v2",
    authBase: "/auth/v2",
    broadcastBase: "/broadcast/v2",
    authAlias: null,
    strictFields: true,
    requiresActionSchemas: true,
    tokenByDefault: false,
  },
} as const satisfies Record<string, ContractSwitches>;

export type ContractVersion = keyof typeof CONTRACT_VERSIONS;

/** Base of the webhook routes in both versions. */
export const WEBHOOK_BASE = "/webhooks/v1";
export const JOB_BASE = "/jobs/v1";

/** Platforms that an output can run on (definitions 2, `providers.runtime`). Every output runs on the first. */
export const PLATFORMS = ["deno", "cloudflare"] as const;

export type PlatformName = typeof PLATFORMS[number];
