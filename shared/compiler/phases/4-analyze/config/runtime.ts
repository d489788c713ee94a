/** `providers.runtime`: the platform of the output, and its settings (definitions 2). */
import { type PlatformName, PLATFORMS } from "../../../../contract/platforms.ts";
import { TARGETS } from "../../../platforms/mod.ts";
import type { JsonValue } from "../../../../model/column.ts";
import type { WorkerModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, requireField } from "../read/fields.ts";
import { RUNTIME_FORMS } from "../read/other_words.ts";
import type { At } from "../read/reader.ts";
import { listOf, matching, oneOf, readBoolean, readText } from "../read/scalars.ts";
import { readProvider } from "./providers.ts";

interface RuntimeReading {
  readonly name: PlatformName;
  /** The project's words about its worker; null: none. */
  readonly worker: WorkerModel | null;
}

export function readRuntime(providers: Fields | undefined): RuntimeReading {
  const provider = providers && readField(
    providers,
    "runtime",
    readProvider({
      define: "defineRuntime",
      names: PLATFORMS,
      forms: RUNTIME_FORMS,
      keys: (name) => TARGETS[name].options,
    }),
  );
  if (!provider) return { name: "deno", worker: null };
  const isTold = TARGETS[provider.name].options.some((key) => provider.options.entries.has(key));
  return { name: provider.name, worker: isTold ? readWorker(provider.options) : null };
}

const readDate = matching(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31");

function readWorker(options: Fields): WorkerModel {
  return {
    compatibilityDate: readField(options, "compatibilityDate", readDate) ?? null,
    observability: readField(options, "observability", readObservability) ?? null,
    routes: readField(options, "routes", listOf(readRoute)) ?? null,
    placement: readField(options, "placement", readPlacement) ?? null,
  };
}

/** A switch, or `{ enabled }`. */
function readObservability(value: Value, at: At): JsonValue | undefined {
  if (value.kind === "boolean") return { enabled: value.value };
  const fields = readFields(value, { keys: ["enabled"] }, at);
  return fields && { enabled: readField(fields, "enabled", readBoolean) ?? true };
}

/** A pattern, or one with its zone. */
function readRoute(value: Value, at: At): JsonValue | undefined {
  if (value.kind === "string") return readText(value, at);
  const fields = readFields(value, { keys: ["pattern", "zoneName", "customDomain"] }, at);
  const pattern = fields && requireField(fields, "pattern", readText);
  if (!fields || pattern === undefined) return undefined;
  const zone = readField(fields, "zoneName", readText);
  const domain = readField(fields, "customDomain", readBoolean);
  return {
    pattern,
    ...(zone === undefined ? {} : { zone_name: zone }),
    ...(domain === undefined ? {} : { custom_domain: domain }),
  };
}

/** `"smart"`, or `{ mode: "smart" }`. */
function readPlacement(value: Value, at: At): JsonValue | undefined {
  const mode = oneOf(["smart", "off"]);
  if (value.kind === "string") {
    const named = mode(value, at);
    return named && { mode: named };
  }
  const fields = readFields(value, { keys: ["mode"] }, at);
  const named = fields && requireField(fields, "mode", mode);
  return named && { mode: named };
}
