/**
 * Runs the build service in this process or in a tab (contract 4.8): the page streams its compiles from it, as any browser tool
 * would.
 */
import { webPorts } from "../edge/web_ports.ts";
import { type CompileHost, SyntaxTrees, VERSION } from "../shared/compiler/mod.ts";
import { HEADERS } from "../shared/contract/mod.ts";
import { createService, type ServiceLogEntry } from "../shared/service/mod.ts";
import { stepCompiler } from "../shared/service/step_compiler.ts";

type CompileService = (request: Request) => Promise<Response>;

/** Headers of the service's answer that reach the page. CORS headers never do. */
const PASSED_HEADERS = ["content-type", HEADERS.streamProtocol, "server-timing"];

/** Browsers require this option for a request whose body is a stream. */
const HALF: object = { duplex: "half" };

/** Creates the service. `log` receives its failures. */
export function createCompileService(
  host: CompileHost,
  log: (entry: ServiceLogEntry) => void,
): CompileService {
  const apiKey = crypto.randomUUID();
  const ports = webPorts({ log: (entry) => entry.level === "error" ? log(entry) : undefined });
  const service = createService({
    ports,
    compiler: stepCompiler({
      host,
      // `dev` checks the bundle itself once the API serves.
      check: null,
      now: ports.timers.now,
      turn: () => ports.timers.wait(0),
      trees: new SyntaxTrees(),
      readsSchemas: true,
      beginsEmpty: true,
    }),
    settings: {
      backend: "container",
      version: VERSION,
      baseUrl: "http://playground.invalid",
      apiKeys: [apiKey],
      templates: null,
      // The page runs one compile of the typed text and one of the saved files at a time.
      running: 2,
      waiting: 8,
    },
  });
  return async (request) => {
    const headers = new Headers({ [HEADERS.apiKey]: apiKey });
    for (const name of ["accept", "content-type", HEADERS.streamProtocol]) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const { search } = new URL(request.url);
    const answer = await service.fetch(
      new Request(`http://playground.invalid/compile${search}`, {
        method: "POST",
        headers,
        // A page that is closed cancels the answer's body, which ends the compile.
        body: request.body,
        ...HALF,
      }),
    );
    const passed = new Response(answer.body, { status: answer.status });
    for (const name of PASSED_HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) passed.headers.set(name, value);
    }
    return passed;
  };
}
