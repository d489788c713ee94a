/** Differences between contract versions as named switches (contract 9). */

export interface ContractSwitches {
  readonly apiBase: string;
  readonly authBase: string;
  readonly broadcastBase: string;
  /** The second address of the auth routes, the one that `openapi.json` lists in v1 (definitions 7). */
  readonly authAlias: string | null;
  /** Unknown names in `fields` are refused instead of ignored (contract 4.3 rule 5). */
  readonly strictFields: boolean;
  /** Every authored action needs an `actionInputSchemas` entry (contract 4.8). */
  readonly requiresActionSchemas: boolean;
  /** The token endpoint exists without `auth.jwt` (contract 5.6). */
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

/** Webhook routes have a base of their own in both versions. */
export const WEBHOOK_BASE = "/webhooks/v1";
export const JOB_BASE = "/jobs/v1";

/** Platforms that an output runs on (definitions 2, `providers.runtime`). The first is what every output runs on. */
export const PLATFORMS = ["deno", "cloudflare"] as const;

export type PlatformName = typeof PLATFORMS[number];
