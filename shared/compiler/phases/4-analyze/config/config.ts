/** Reads `quickback.config.ts`: every key of the project's configuration (definitions 2). */
import { BUILT_IN_PROVIDERS } from "../../../../contract/mod.ts";
import { CONFIG } from "../../../../definition_language/config.ts";
import { WEBHOOK_PROVIDER } from "../../../../definition_language/services.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { AgentsModel, AuthModel, OpenApiModel, ProjectModel } from "../../../../model/mod.ts";
import type { RealtimeModel, WebhooksModel } from "../../../../model/mod.ts";
import { delegatedRole, knownRoles } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { TARGETS } from "../../../platforms/mod.ts";
import type { Definition, Value } from "../../values.ts";
import { noFields, readField, readFields } from "../read/fields.ts";
import { CONFIG_FORMS } from "../read/other_words.ts";
import { NO_OVERRIDES, type RateOverrides, readRateLimits } from "../read/rate_limits.ts";
import { kindReader, read } from "../read/read_member.ts";
import { type At, invalidValue, type Reader } from "../read/reader.ts";
import type { Hierarchy } from "../read/roles.ts";
import { listOf, matching, readTokens } from "../read/scalars.ts";
import { type AuthReading, readAuth } from "./auth.ts";
import { readBuild, readMigrations } from "./build.ts";
import type { ConfigFields } from "./config_fields.ts";
import { type BrandingDraft, readBranding } from "./branding.ts";
import { readEmail } from "./email.ts";
import { readFeatures } from "./features.ts";
import type { PrincipalDraft } from "./principals.ts";
import { readDatabase, readRuntime } from "./providers.ts";

export interface Configuration {
  readonly model: Omit<
    ProjectModel,
    "rateLimits" | "tables" | "resources" | "actions" | "authored"
  >;
  readonly rateLimits: RateOverrides;
  readonly hierarchy: Hierarchy;
  readonly principals: readonly PrincipalDraft[];
  readonly branding: BrandingDraft;
}

/** Names in the project's code that the configuration may refer to. */
interface KnownCode {
  /** Names of the project's webhook providers; null if some could not be read. */
  readonly webhookProviders: readonly string[] | null;
  /** Variables that `wrangler.toml` sets. */
  readonly variables: readonly string[];
}

const CONFIG_FILE = "quickback/quickback.config.ts";

/** Returns the configuration. A missing or wrong value becomes its default; a wrong one is reported. */
export function readConfig(
  definition: Definition | null,
  report: Report,
  { webhookProviders, variables }: KnownCode = { webhookProviders: [], variables: [] },
): Configuration {
  const config = configFields(definition, { path: "", report }) ?? noConfig(report);
  const contract = read(config, "contract");
  const version = read(contract, "version");
  const providers = read(config, "providers");
  // The environment names the file store, so the project's entry has no effect.
  const entry = providers.entries.get("fileStorage");
  if (entry) providers.at.report.add("FILE_STORAGE_SETTING", entry.keyPlace, {});
  const auth = readAuth(config, version);
  read(config, "template");
  const runtime = readRuntime(providers);
  const email = readEmail(config, runtime.name);
  const multiTenant = readFeatures(config);
  const realtime = readRealtime(config, runtime.name);
  // The application that messages lead to is a trusted origin. Origins are exact, because they may send cookies.
  const said = read(config, "trustedOrigins") ?? [];
  const origin = email.links?.appUrl === undefined ? null : new URL(email.links?.appUrl).origin;
  return {
    hierarchy: config.isGiven && isReadable(config) ? hierarchyOf(auth) : null,
    principals: auth.principals ?? [],
    branding: readBranding(config),
    rateLimits: readField(config, "rateLimit", readRateLimits) ?? NO_OVERRIDES,
    model: {
      name: read(config, "name") ?? "project",
      contract: version,
      changeset: read(contract, "changeset"),
      multiTenant,
      runtime: runtime.name,
      ...(runtime.worker === null ? {} : { worker: runtime.worker }),
      database: readDatabase(providers, {
        variables,
        runtime: runtime.name,
        multiTenant,
      }),
      auth: auth.model,
      openapi: readOpenApi(config),
      agents: readAgents(config, auth.model),
      schemaRegistry: read(read(config, "schemaRegistry"), "generate"),
      etag: read(read(config, "etag"), "enabled"),
      trustedOrigins: origin === null || said.includes(origin) ? said : [...said, origin],
      email,
      webhooks: readWebhooks(config, webhookProviders),
      realtime: { ...realtime, signals: [] },
      devPort: read(read(config, "dev"), "port"),
      ...readBuild(config),
      ...readMigrations(config),
    },
  };
}

/** Returns the configuration's fields, and reports nothing more about a configuration that is missing. */
function configFields(definition: Definition | null, at: At): ConfigFields | undefined {
  if (!definition) return undefined;
  const value = definition.defaultExport;
  if (!value) {
    at.report.add("CONFIG_EXPORT_MISSING", noConfig(at.report).place, {});
    return undefined;
  }
  if (value.kind === "call" && value.callee === "defineConfig" && value.args.length > 1) {
    const expected = "defineConfig({ … })";
    at.report.add("ARGUMENTS", value.place, { callee: "defineConfig", expected });
  }
  return readFields(resolved(value, definition), CONFIG, at, CONFIG_FORMS);
}

/** Returns the configuration's object, which may be an argument of `defineConfig(…)` or a constant of the same file. */
function resolved(value: Value, definition: Definition): Value {
  if (value.kind === "call" && value.callee === "defineConfig") {
    return value.args[0] ?? value;
  }
  if (value.kind === "reference" && value.members.length === 0) {
    const target = definition.bindings.get(value.target.name);
    if (target && target.kind !== "reference") return resolved(target, definition);
  }
  return value;
}

function noConfig(report: Report): ConfigFields {
  return noFields(CONFIG, { file: CONFIG_FILE, line: 1, column: 1, length: 1 }, {
    path: "",
    report,
  });
}

function hierarchyOf({ model, principals }: AuthReading): Hierarchy {
  if (!principals) return null;
  return {
    ranked: model.roleHierarchy,
    delegated: principals.flatMap(({ name, variants }) =>
      variants.map((variant) => delegatedRole(name, variant))
    ),
    known: knownRoles({ ...model, principals }),
    unlisted: new Map(),
  };
}

/** True when the lists of roles were read whole, or are absent on purpose. */
function isReadable({ entries }: ConfigFields): boolean {
  const auth = entries.get("auth")?.value;
  if (!auth) return true;
  if (auth.kind !== "object") return false;
  return auth.entries.every(({ key, value }) => {
    // An unknown key was reported, and may be a misspelt list of roles.
    if (key !== "roleHierarchy" && key !== "roles") {
      return Object.hasOwn(CONFIG.members.auth.members, key);
    }
    return value.kind === "array" && value.items.every(({ kind }) => kind === "string");
  });
}

/**
 * Reads the settings of realtime. The registry, not the configuration, contains its signals. An edge worker cannot keep streams
 * open, and cannot connect to an address that it has checked (contract 8.2.5).
 */
function readRealtime(
  config: ConfigFields,
  runtime: ProjectModel["runtime"],
): Omit<RealtimeModel, "signals"> {
  const realtime = read(config, "realtime");
  const served = (key: "enabled" | "push") => {
    const isWanted = read(realtime, key);
    const { servesRealtime } = TARGETS[runtime];
    if (isWanted && !servesRealtime) {
      const { entries, at } = realtime;
      const place = entries.get(key)?.keyPlace;
      const feature = `realtime.${key} on the runtime "${runtime}"`;
      if (place) at.report.add("FEATURE_NOT_SERVED", place, { feature });
    }
    return isWanted && servesRealtime;
  };
  return {
    enabled: served("enabled"),
    emitFromActions: read(realtime, "emitFromActions"),
    push: served("push"),
  };
}

/** Reads one word for all agents, or one for each. */
function readAgents(config: ConfigFields, { jwt }: AuthModel): AgentsModel {
  const said = read(config, "agents") ?? true;
  if (typeof said === "boolean") return { mcp: said, llmsTxt: said, robotsTxt: said };
  const oauth = read(said, "oauth");
  const place = said.entries.get("oauth")?.keyPlace;
  // An API that issues tokens to other clients must issue its own tokens.
  if (oauth && place && (jwt === null || jwt.issuer !== null)) {
    const reason = jwt === null ? "the project has no tokens" : "another server issues its tokens";
    said.at.report.add("OAUTH_WITHOUT_TOKENS", place, { reason });
  }
  return {
    mcp: read(said, "mcp"),
    llmsTxt: read(said, "llmsTxt"),
    robotsTxt: read(said, "robotsTxt"),
    ...(oauth ? { oauth } : {}),
  };
}

const PROVIDER_NAME = kindReader(WEBHOOK_PROVIDER.members.name);

/**
 * Reads the settings of webhooks. `own` are the names of the providers that the project defines; null if some could not be
 * read.
 */
function readWebhooks(config: ConfigFields, own: readonly string[] | null): WebhooksModel {
  const webhooks = read(config, "webhooks");
  const known = own && [...BUILT_IN_PROVIDERS, ...own];
  const days = read(webhooks, "retentionDays");
  const provider: Reader<string> = (value, at) => {
    const name = PROVIDER_NAME(value, at);
    if (name === undefined || known === null || known.includes(name)) return name;
    at.report.add("WEBHOOK_PROVIDER_UNKNOWN", value.place, { name, nearest: nearest(name, known) });
    return undefined;
  };
  return {
    outbound: read(webhooks, "outbound"),
    inbound: [...new Set(readField(webhooks, "inbound", listOf(provider)) ?? [])],
    events: [...new Set(read(webhooks, "events"))],
    ...(webhooks.entries.has("events") ? { endpointEvents: [] } : {}),
    maxEndpoints: read(webhooks, "maxEndpoints"),
    schedule: read(webhooks, "schedule"),
    retentionDays: days === false ? null : days,
  };
}

/** Default path of the generated client types. */
const TYPES_PATH = "client.d.ts";

const DOCS = {
  browser_modern: "browser_modern",
  scalar: "browser_modern",
  browser_classic: "browser_classic",
  swagger: "browser_classic",
} as const;

/** Reads `openapi`: the described routes and the readers of the description (definitions 2, contract 5.5 and 9.5). */
function readOpenApi(config: ConfigFields): OpenApiModel {
  const openapi = read(config, "openapi");
  const publish = read(openapi, "publish");
  const docs = read(openapi, "docs");
  const entry = openapi.entries.get("docs");
  if (publish === false && docs !== false && entry) {
    openapi.at.report.add("DOCS_WITHOUT_PUBLISH", entry.value.place, {});
  }
  return {
    generate: read(openapi, "generate"),
    publish: publish === true ? "public" : publish,
    docs: docs === false ? false : DOCS[docs],
    // `true` selects the default path, `false` generates no types.
    types: readField(openapi, "types", (value, at) => {
      if (value.kind === "boolean") return value.value ? [TYPES_PATH] : [];
      if (value.kind === "array") {
        // Returns each path once.
        const paths = listOf(readPath)(value, at);
        const isReadable = value.kind === "array" && paths?.length === value.items.length;
        if (isReadable) readTokens(value, at);
        return paths;
      }
      const path = readPath(value, at);
      return path === undefined ? undefined : [path];
    }) ?? [TYPES_PATH],
  };
}

const readTsPath = matching(
  /^(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*\.ts$/,
  "a project-relative path that ends in .ts",
);

/** Matches folders to which the compile writes other files. */
const OUTPUT_FOLDER = /^(?:src|quickback|reports)(?:\/|$)/i;

function readPath(value: Value, at: At): string | undefined {
  const path = readTsPath(value, at);
  if (path === undefined || !OUTPUT_FOLDER.test(path)) return path;
  return invalidValue(value, "a path outside of src, quickback and reports", at);
}
