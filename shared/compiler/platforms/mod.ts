/** The platforms by name. */
import type { PlatformName } from "../../contract/mod.ts";
import { cloudflare } from "./cloudflare.ts";
import { deno } from "./deno.ts";
import type { Platform } from "./platform.ts";

export type { Platform, SizeLimits, Target } from "./platform.ts";

export const TARGETS: Readonly<Record<PlatformName, Platform>> = { deno, cloudflare };
