/** Defines Cloudflare Workers, isolates without files, sockets of their own choice or streams that stay open. */
import { WORKER_OPTIONS } from "../../definition_language/providers.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { Place } from "../diagnostics/diagnostic.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Definitions } from "../phases/values.ts";
import { WORKER_FILE, workerVariables, wranglerFile } from "./wrangler_file.ts";
import type { Platform, SizeLimits } from "./platform.ts";

const WRANGLER = "wrangler.toml";
const MEBIBYTE = 1024 * 1024;

/**
 * Size limits of the free and paid plans, after gzip (https://developers.cloudflare.com/workers/platform/limits/#worker-size).
 */
const WORKERS_SIZE: SizeLimits = {
  carried: 1.25 * MEBIBYTE,
  smallPlanMax: 3 * MEBIBYTE,
  max: 10 * MEBIBYTE,
};

/**
 * Modules of Node that `nodejs_compat` implements (https://developers.cloudflare.com/workers/runtime-apis/nodejs/). The list
 * leaves out modules that can only be imported and throw on use, and `fs`, whose files end with the request.
 */
const NODE_MODULES_OF_WORKERS: ReadonlySet<string> = new Set([
  "assert",
  "assert/strict",
  "async_hooks",
  "buffer",
  "console",
  "constants",
  "crypto",
  "diagnostics_channel",
  "dns",
  "dns/promises",
  "events",
  "http",
  "https",
  "module",
  "net",
  "os",
  "path",
  "path/posix",
  "path/win32",
  "perf_hooks",
  "process",
  "punycode",
  "querystring",
  "stream",
  "stream/consumers",
  "stream/promises",
  "stream/web",
  "string_decoder",
  "sys",
  "timers",
  "timers/promises",
  "tls",
  "url",
  "util",
  "util/types",
  "zlib",
]);

export const cloudflare: Platform = {
  title: "Cloudflare Workers",
  options: WORKER_OPTIONS,
  description: "An edge worker on a libSQL server over HTTP; the same output runs on servers",
  entry: "src/worker.ts",
  conditions: ["workerd", "worker", "browser", "import"],
  runsNodeModule: (module) => NODE_MODULES_OF_WORKERS.has(module),
  hasDenoMember: () => false,
  size: WORKERS_SIZE,
  servesRealtime: false,
  bundlesRuntime: true,
  bundlesDescription: true,
  aliases: {
    "quickback/cloudflare": "./src/quickback/platform/cloudflare/mod.ts",
    "quickback/openapi": "./src/openapi.ts",
  },
  // The build makes one file, as the platform loads it. Modules outside of it come from the platform.
  tasks: {
    build: `deno bundle --minify --platform browser --output ${WORKER_FILE} src/worker.ts`,
  },
  files: (model, { wrangler }) => {
    const file = wranglerFile(model, wrangler);
    if (file.kind !== "merged") throw new Error("wrangler.toml was checked with the definitions");
    return [{ path: WRANGLER, content: file.text }];
  },
  check,
  variables: ({ wrangler }) => workerVariables(wrangler),
};

function check(model: ProjectModel, { config, wrangler }: Definitions, report: Report): void {
  const missing = [
    ...(model.webhooks.outbound ? ["outbound webhooks"] : []),
    ...(model.email.provider === "smtp" ? ["mail over SMTP"] : []),
    ...(model.openapi.docs === false ? [] : ["documentation browser"]),
  ];
  for (const feature of missing) {
    report.add("WORKER_LACKS", startOf(config?.file ?? WRANGLER), { feature });
  }
  const file = wranglerFile(model, wrangler);
  if (file.kind === "invalid") {
    const { line, column } = file;
    report.add("WRANGLER_INVALID", { ...startOf(WRANGLER), line, column }, {});
  }
  if (file.kind !== "conflicts") return;
  for (const conflict of file.conflicts) {
    report.add("WRANGLER_CONFLICT", startOf(WRANGLER), conflict);
  }
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}
