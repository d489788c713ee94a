/** Reads `providers`: runtime and database, as calls of `define*` or as plain objects `{ name: "x", … }` (definitions 2). */
import { type PlatformName, PLATFORMS } from "../../../../contract/mod.ts";
import * as language from "../../../../definition_language/providers.ts";
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import type { DatabaseModel, JsonValue, WorkerModel } from "../../../../model/mod.ts";
import { TARGETS } from "../../../platforms/mod.ts";
import { snakeCase } from "../../../../surface/mod.ts";
import type { Value } from "../../values.ts";
import { type Fields, noFields, readField, readFields } from "../read/fields.ts";
import { DATABASE_FORMS, formFor, RUNTIME_FORMS, WORKER_FORMS } from "../read/other_words.ts";
import { checkMembers, read } from "../read/read_member.ts";
import { type At, wrongType } from "../read/reader.ts";
import { oneOf } from "../read/scalars.ts";
import type { ProviderFields } from "./config_fields.ts";

interface Provider<Name extends string, Wide extends Members> {
  readonly name: Name;
  readonly options: Fields<Wide>;
}

interface ProviderShape<Name extends string, Wide extends Members> {
  readonly define: string;
  readonly names: readonly Name[];
  /** Suggestions for the names of providers that are not supported. */
  readonly forms?: Readonly<Record<string, string>>;
  /** Suggestions for options that the provider does not have. */
  readonly optionForms?: Readonly<Record<string, string>>;
  /** The options of each provider, by name. */
  readonly optionsOf: (name: Name) => Shape;
  /** The options of all providers together. */
  readonly wide: Shape<Wide>;
}

/** Reads a provider in either spelling; undefined if it is absent or wrong. */
export function readProvider<Name extends string, Wide extends Members>(
  providers: ProviderFields,
  key: "runtime" | "database" | "auth",
  shape: ProviderShape<Name, Wide>,
): Provider<Name, Wide> | undefined {
  return readField(providers, key, (value, at) => {
    if (value.kind === "call" && value.callee === shape.define) return readCall(value, shape, at);
    if (value.kind === "object") return readPlain(value, shape, at);
    const [example] = shape.names;
    const called = value.kind === "string" && shape.names.some((name) => name === value.value)
      ? value.value
      : example;
    const form = (value.kind === "string" ? formFor(value.value, shape.forms) : null) ??
      `Write ${shape.define}(${JSON.stringify(called)})`;
    return wrongType(value, `a call of ${shape.define}()`, at, form);
  });
}

function readCall<Name extends string, Wide extends Members>(
  call: Value & { readonly kind: "call" },
  shape: ProviderShape<Name, Wide>,
  at: At,
): Provider<Name, Wide> | undefined {
  const [nameValue, optionsValue, ...rest] = call.args;
  if (!nameValue || rest.length > 0) {
    const expected = `${shape.define}(name, options)`;
    at.report.add("ARGUMENTS", call.place, { callee: shape.define, expected });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(nameValue, at);
  if (name === undefined) return undefined;
  const value: Value = optionsValue ?? { kind: "object", entries: [], place: call.place };
  return withOptions(name, readFields(value, shape.optionsOf(name), at, shape.optionForms), shape);
}

function withOptions<Name extends string, Wide extends Members>(
  name: Name,
  options: Fields | undefined,
  { wide }: ProviderShape<Name, Wide>,
): Provider<Name, Wide> | undefined {
  return options && { name, options: { ...options, members: wide.members } };
}

function readPlain<Name extends string, Wide extends Members>(
  value: Value & { readonly kind: "object" },
  shape: ProviderShape<Name, Wide>,
  at: At,
): Provider<Name, Wide> | undefined {
  const named = value.entries.find((entry) => entry.key === "name");
  if (!named) {
    at.report.add("KEY_MISSING", value.place, { key: "name", owner: at.path });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(named.value, at);
  if (name === undefined) return undefined;
  const options = shape.optionsOf(name);
  if (!value.entries.some((entry) => entry.key === "config")) {
    const members = { name: language.PLAIN_PROVIDER.members.name, ...options.members };
    const flat = { ...options, members };
    return withOptions(name, readFields(value, flat, at, shape.optionForms), shape);
  }
  const outer = readFields(value, language.PLAIN_PROVIDER, at);
  const inner = outer &&
    readField(
      outer,
      "config",
      (member, place) => readFields(member, options, place, shape.optionForms),
    );
  return withOptions(name, inner, shape);
}

interface RuntimeReading {
  readonly name: PlatformName;
  /** The project's settings of its worker; null if it has none. */
  readonly worker: WorkerModel | null;
}

/** Reads `providers.runtime`: the platform of the output, and its settings (definitions 2). */
export function readRuntime(providers: ProviderFields): RuntimeReading {
  const provider = readProvider(providers, "runtime", {
    define: "defineRuntime",
    names: PLATFORMS,
    forms: RUNTIME_FORMS,
    optionForms: WORKER_FORMS,
    wide: language.WORKER_OPTIONS,
    optionsOf: (name) => TARGETS[name].options,
  });
  if (!provider) return { name: "deno", worker: null };
  const { name, options } = provider;
  const isTold = Object.keys(TARGETS[name].options.members).some((key) => options.entries.has(key));
  return { name, worker: isTold ? readWorker(options) : null };
}

type WorkerMembers = (typeof language.WORKER_OPTIONS)["members"];

function readWorker(options: Fields<WorkerMembers>): WorkerModel {
  const placement = read(options, "placement");
  return {
    compatibilityDate: read(options, "compatibilityDate") ?? null,
    observability: readObservability(options),
    routes:
      read(options, "routes")?.map((route) =>
        typeof route === "string" ? route : settingsOf(route)
      ) ?? null,
    placement: placement === undefined
      ? null
      : typeof placement === "string"
      ? { mode: placement }
      : settingsOf(placement),
  };
}

/** Reads a boolean, or an object that selects the logs and traces to keep. An object that selects nothing keeps all. */
function readObservability(options: Fields<WorkerMembers>): JsonValue {
  const said = read(options, "observability");
  if (said === undefined) return null;
  if (typeof said === "boolean") return { enabled: said };
  const isSaid = ["enabled", "logs", "traces"].some((key) => said.entries.has(key));
  return { ...(isSaid ? {} : { enabled: true }), ...settingsOf(said) };
}

/** Returns the settings of an object in the spelling of `wrangler.toml`. */
function settingsOf(fields: Fields): Readonly<Record<string, JsonValue>> {
  const settings = Object.keys(fields.members).flatMap((key): [string, JsonValue][] => {
    const value = read(fields, key);
    const isSaid = fields.entries.has(key) && value !== undefined;
    return isSaid ? [[snakeCase(key), settingOf(value)]] : [];
  });
  return Object.fromEntries(settings);
}

function settingOf(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(settingOf);
  if (isFields(value)) return settingsOf(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  throw new Error("A setting of the worker is neither a literal nor an object");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && "members" in value && "entries" in value;
}

interface DatabaseSurroundings {
  /** Variables that `wrangler.toml` sets already. */
  readonly variables: readonly string[];
  readonly runtime: PlatformName;
  readonly multiTenant: boolean;
}

export function readDatabase(
  providers: ProviderFields,
  surroundings: DatabaseSurroundings,
): DatabaseModel {
  const { variables } = surroundings;
  const { name, options } = readProvider(providers, "database", {
    define: "defineDatabase",
    names: ["libsql", "cloudflare-d1"],
    forms: DATABASE_FORMS,
    wide: language.EDGE_DATABASE_OPTIONS,
    optionsOf: (name) =>
      name === "libsql" ? language.DATABASE_OPTIONS : language.EDGE_DATABASE_OPTIONS,
  }) ??
    {
      name: "libsql",
      options: noFields(language.EDGE_DATABASE_OPTIONS, providers.place, providers.at),
    };
  checkMembers(options);
  if (name === "cloudflare-d1") {
    options.at.report.add("DATABASE_NOT_SERVED", options.place, {
      provider: name,
      unset: ["DATABASE_URL", "DATABASE_AUTH_TOKEN"].filter((one) => !variables.includes(one)),
    });
  }
  return {
    provider: name,
    generateId: read(options, "generateId"),
    allowClientIds: read(options, "allowClientIds"),
    namingConvention: read(options, "namingConvention"),
    webhookAllowInsecure: read(options, "webhookAllowInsecure"),
    ...(readTenancy(options, name, surroundings) ? { tenancy: "perOrganization" } : {}),
  };
}

/** Checks a database for each organization. It needs organizations, and a server or a disk that can have many databases. */
function readTenancy(
  options: Fields<(typeof language.EDGE_DATABASE_OPTIONS)["members"]>,
  provider: DatabaseModel["provider"],
  { runtime, multiTenant }: DatabaseSurroundings,
): boolean {
  const entry = options.entries.get("tenancy");
  if (read(options, "tenancy") !== "perOrganization" || entry === undefined) return false;
  const tell = (needs: "organizations" | "libsql" | "deno") =>
    options.at.report.add("TENANCY_NOT_POSSIBLE", entry.value.place, { needs });
  if (!multiTenant) tell("organizations");
  if (provider !== "libsql") tell("libsql");
  if (runtime !== "deno") tell("deno");
  return true;
}
