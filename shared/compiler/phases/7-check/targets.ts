/**
 * Capabilities of the platforms that generated projects run on: the entry of the bundle, modules and members that are
 * missing.
 */
import type { ProjectModel } from "../../../model/project.ts";

export interface Target {
  /** As messages name it. */
  readonly title: string;
  /** The module that the platform loads first; path in the output. */
  readonly entry: string;
  /** Conditions that select among the alternatives in a package's `exports`. */
  readonly conditions: readonly string[];
  /** `module` of `node:module`. */
  readonly runsNodeModule: (module: string) => boolean;
  /** A member of the global `Deno`. */
  readonly hasDenoMember: (member: string) => boolean;
  readonly size: SizeLimits | null;
}

/** Bytes of the compressed bundle. */
export interface SizeLimits {
  /** Size of a bundle without the author's code: the runtime and its packages. A test measures it. */
  readonly carried: number;
  readonly smallPlanMax: number;
  readonly max: number;
}

const MEBIBYTE = 1024 * 1024;

/** https://developers.cloudflare.com/workers/platform/limits/#worker-size: free and paid plans, after gzip. */
const WORKERS_SIZE: SizeLimits = {
  carried: MEBIBYTE,
  smallPlanMax: 3 * MEBIBYTE,
  max: 10 * MEBIBYTE,
};

/**
 * https://developers.cloudflare.com/workers/runtime-apis/nodejs/: what `nodejs_compat` implements. A module that is only
 * there to be imported, and throws when it is used, is not in the list; nor is `fs`, whose files end with the request.
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

/** No subprocess: the project's tasks run without that permission, and Deno Deploy has none. */
const SUBPROCESS_MODULES: ReadonlySet<string> = new Set(["child_process", "cluster"]);
const SUBPROCESS_MEMBERS: ReadonlySet<string> = new Set(["Command", "run"]);

export const TARGETS: Readonly<Record<ProjectModel["runtime"], Target>> = {
  deno: {
    title: "Deno Deploy",
    entry: "src/main.ts",
    conditions: ["deno", "node", "import"],
    runsNodeModule: (module) => !SUBPROCESS_MODULES.has(module),
    hasDenoMember: (member) => !SUBPROCESS_MEMBERS.has(member),
    size: null,
  },
  cloudflare: {
    title: "Cloudflare Workers",
    entry: "src/worker.ts",
    conditions: ["workerd", "worker", "browser", "import"],
    runsNodeModule: (module) => NODE_MODULES_OF_WORKERS.has(module),
    hasDenoMember: () => false,
    size: WORKERS_SIZE,
  },
};
