/**
 * Lists words that no organization may have as its slug (definitions 7, "auth routes"), because an application may have a page
 * at that path.
 */
import * as contract from "../contract/mod.ts";
import { DISCOVERY_PATHS } from "./discovery_operations.ts";
import { FILE_ADDRESS_PATH } from "./file_operations.ts";
import { MCP_PATH } from "./mcp_operation.ts";
import { OAUTH_PATHS } from "./oauth_operations.ts";
import { HEALTH_PATH, METRICS_PATH, READY_PATH } from "./service_operations.ts";

/** First words of pages that many applications have. */
const PAGE_WORDS = [
  "admin",
  "api",
  "app",
  "auth",
  "docs",
  "help",
  "mail",
  "new",
  "settings",
  "status",
  "studio",
  "support",
  "www",
] as const;

/** First segments of the service's routes, for every setting of a project. */
const SERVICE_PATHS: readonly string[] = [
  ...Object.values(contract.CONTRACT_VERSIONS).flatMap(
    ({ apiBase, authBase, authAlias, broadcastBase }) => [
      apiBase,
      authBase,
      broadcastBase,
      ...(authAlias === null ? [] : [authAlias]),
    ],
  ),
  contract.WEBHOOK_BASE,
  contract.JOB_BASE,
  contract.PROBLEM_PATH,
  ...Object.values(DISCOVERY_PATHS),
  ...Object.values(OAUTH_PATHS),
  FILE_ADDRESS_PATH,
  MCP_PATH,
  HEALTH_PATH,
  READY_PATH,
  METRICS_PATH,
];

/** Reserved slugs in order, each once. */
export const RESERVED_SLUGS: readonly string[] = [
  ...new Set([
    ...PAGE_WORDS,
    ...SERVICE_PATHS.map((path) => path.split("/")[1] ?? "").filter((word) =>
      /^[a-z0-9-]+$/.test(word)
    ),
  ]),
].sort();
