/** `providers.runtime`: the platform of the output, and its settings (definitions 2). */
import { type PlatformName, PLATFORMS } from "../../../../contract/versions.ts";
import { RUNTIME_OPTIONS, WORKER_OPTIONS } from "../../../../definition_language/config.ts";
import type { JsonValue } from "../../../../model/table.ts";
import type { WorkerModel } from "../../../../model/project.ts";
import type { Fields } from "../read/fields.ts";
import { RUNTIME_FORMS } from "../read/other_words.ts";
import { read } from "../read/read_member.ts";
import type { ProviderFields } from "./config_fields.ts";
import { readProvider } from "./providers.ts";

interface RuntimeReading {
  readonly name: PlatformName;
  /** The project's words about its worker; null: none. */
  readonly worker: WorkerModel | null;
}

export function readRuntime(providers: ProviderFields): RuntimeReading {
  const provider = readProvider(providers, "runtime", {
    define: "defineRuntime",
    names: PLATFORMS,
    forms: RUNTIME_FORMS,
    wide: WORKER_OPTIONS,
    shapes: RUNTIME_OPTIONS,
  });
  if (!provider) return { name: "deno", worker: null };
  const { name, options } = provider;
  const isTold = Object.keys(RUNTIME_OPTIONS[name].members).some((key) => options.entries.has(key));
  return { name, worker: isTold ? readWorker(options) : null };
}

type WorkerMembers = (typeof WORKER_OPTIONS)["members"];

function readWorker(options: Fields<WorkerMembers>): WorkerModel {
  return {
    compatibilityDate: read(options, "compatibilityDate") ?? null,
    observability: readObservability(options),
    routes: read(options, "routes")?.flatMap((route) => readRoute(route) ?? []) ?? null,
    placement: readPlacement(options),
  };
}

/** A switch, or `{ enabled }`. */
function readObservability(options: Fields<WorkerMembers>): JsonValue {
  const said = read(options, "observability");
  if (said === undefined) return null;
  return { enabled: typeof said === "boolean" ? said : read(said, "enabled") };
}

type Route = NonNullable<ReturnType<typeof read<WorkerMembers, "routes">>>[number];

/** A pattern, or one with its zone; undefined: without a pattern. */
function readRoute(route: Route): JsonValue | undefined {
  if (typeof route === "string") return route;
  const pattern = read(route, "pattern");
  const zone = read(route, "zoneName");
  const domain = read(route, "customDomain");
  return pattern === undefined ? undefined : {
    pattern,
    ...(zone === undefined ? {} : { zone_name: zone }),
    ...(domain === undefined ? {} : { custom_domain: domain }),
  };
}

/** `"smart"`, or `{ mode: "smart" }`. */
function readPlacement(options: Fields<WorkerMembers>): JsonValue {
  const said = read(options, "placement");
  const mode = typeof said === "object" ? read(said, "mode") : said;
  return mode === undefined ? null : { mode };
}
