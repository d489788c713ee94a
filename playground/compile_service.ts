/** The build service in this process, or in a tab (contract 4.8): the page streams its compiles from it as any browser tool would. */
import { webPorts } from "../edge/web_ports.ts";
import { type CompileHost, SyntaxTrees, VERSION } from "../shared/compiler/mod.ts";
import { HEADERS } from "../shared/contract/mod.ts";
import { createService, type ServiceLogEntry } from "../shared/service/mod.ts";
import { stepCompiler } from "../shared/service/step_compiler.ts";

type CompileService = (request: Request) => Promise<Response>;

/** Headers of its answer that reach the page; its CORS headers never do. */
const PASSED_HEADERS = ["content-type", HEADERS.streamProtocol, "server-timing"];

/** Browsers want to be told that a body which streams is sent before the answer comes. */
const HALF: object = { duplex: "half" };

/** `log` receives what went wrong. */
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
      // One compile of the text as it is typed, and one of the files as they are saved.
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
        // A page that leaves cancels the answer's body, which ends the compile.
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
