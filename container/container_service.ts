/** The container backend: full compiles in threads of their own (contract 4.8). */
import { VERSION } from "../shared/compiler/mod.ts";
import { createService, type ServicePorts } from "../shared/service/mod.ts";
import { CompilePool, startCompileWorker } from "./compile_pool.ts";
import { readCompileHost } from "./host.ts";
import { Prebundling } from "./prebundling.ts";
import { readTemplates } from "./templates.ts";

export interface ContainerOptions {
  readonly ports: ServicePorts;
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
}

export interface Container extends Disposable {
  readonly fetch: (request: Request) => Promise<Response>;
}

const WAITING_MAX = 64;

export function createContainer({ ports, baseUrl, apiKeys }: ContainerOptions): Container {
  const size = navigator.hardwareConcurrency;
  // Read once: every thread, and every one that takes another's place, compiles with the same bytes.
  const host = readCompileHost({ version: VERSION });
  const prebundling = new Prebundling(host);
  const compiler = new CompilePool({ size, start: () => startCompileWorker(host, prebundling) });
  const service = createService({
    ports,
    compiler,
    settings: {
      backend: "container",
      version: VERSION,
      baseUrl,
      apiKeys,
      templates: readTemplates(),
      running: size,
      waiting: WAITING_MAX,
    },
  });
  return {
    fetch: async (request) => await service.fetch(request),
    [Symbol.dispose]: () => {
      prebundling[Symbol.dispose]();
      compiler[Symbol.dispose]();
    },
  };
}
