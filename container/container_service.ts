/** The container backend: full compiles in threads (contract 4.8). */
import type { BackendOptions } from "../edge/edge_service.ts";
import { VERSION } from "../shared/compiler/front.ts";
import type { CompileHost } from "../shared/compiler/host.ts";
import { type BuildService, createService, type ServiceAccounts } from "../shared/service/mod.ts";
import { readCompileCache } from "./cache/compile_cache.ts";
import { CompilePool, startCompileWorker } from "./compile_pool.ts";
import { readTemplates } from "./templates.ts";
import { warmBundler } from "./bundle/warm_up.ts";

const WAITING_MAX = 64;

export function createContainer(
  options: BackendOptions & {
    readonly accounts?: ServiceAccounts | null;
    /** The host, read once, so that every thread compiles with the same bytes. */
    readonly host: CompileHost;
  },
): BuildService & Disposable {
  const { ports, baseUrl, apiKeys, sessions = null, accounts = null, corsOrigins = null } = options;
  const { host } = options;
  const size = navigator.hardwareConcurrency;
  const compiler = new CompilePool({
    size,
    start: () => startCompileWorker(host, { checks: true }),
    timers: ports.timers,
  });
  const warming = warmBundler(
    host.vendored,
    () => compiler.quiet(),
    (error) => ports.logger.log({ level: "error", message: error.message, error }),
  );
  const service = createService({
    ports,
    compiler,
    ...(options.ending ? { ending: options.ending } : {}),
    store: readCompileCache(Deno.env, host, ports),
    settings: {
      backend: "container",
      version: VERSION,
      baseUrl,
      apiKeys,
      sessions,
      corsOrigins,
      accounts,
      templates: readTemplates(),
      running: size,
      waiting: WAITING_MAX,
    },
  });
  return {
    fetch: service.fetch,
    [Symbol.dispose]: () => {
      warming[Symbol.dispose]();
      compiler[Symbol.dispose]();
    },
  };
}
