/** Platforms that an output runs on (definitions 2, `providers.runtime`). The first is what every output runs on. */
export const PLATFORMS = ["deno", "cloudflare"] as const;

export type PlatformName = typeof PLATFORMS[number];
