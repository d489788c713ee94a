/** `quickback.config.ts`: every key of the project's configuration (definitions 2). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { Definition, Value } from "../../values.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { CONFIG } from "../../../../definition_language/config.ts";
import { noFields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { CONFIG_FORMS } from "../read/other_words.ts";
import type { At } from "../read/reader.ts";
import { NO_OVERRIDES, type RateOverrides, readRateLimits } from "../read/rate_limits.ts";
import { delegatedRole } from "../../../../model/principal.ts";
import type { Hierarchy } from "../read/roles.ts";
import { type AuthReading, readAuth } from "./auth.ts";
import { readBuild, readMigrations } from "./build.ts";
import { readDatabase } from "./database.ts";
import { readEmail } from "./email.ts";
import { readAgents, readRealtime } from "./events.ts";
import { readOpenApi } from "./openapi.ts";
import { readTrustedOrigins } from "./origins.ts";
import type { PrincipalDraft } from "./principals.ts";
import { readFeatures } from "./features.ts";
import type { ConfigFields, ProviderFields } from "./config_fields.ts";
import { readRuntime } from "./runtime.ts";
import { readWebhooks } from "./webhooks.ts";

export interface Configuration {
  readonly model: Omit<
    ProjectModel,
    "rateLimits" | "tables" | "resources" | "actions" | "authored"
  >;
  readonly rateLimits: RateOverrides;
  readonly hierarchy: Hierarchy;
  readonly principals: readonly PrincipalDraft[];
}

/** Names in the project's code that the configuration may refer to. */
interface KnownCode {
  /** Null: not all of them could be read. */
  readonly webhookProviders: readonly string[] | null;
  /** Variables that `wrangler.toml` sets. */
  readonly variables: readonly string[];
}

const CONFIG_FILE = "quickback/quickback.config.ts";

/** The configuration, defaults in the place of whatever is absent or wrong (and reported). */
export function readConfig(
  definition: Definition | null,
  report: Report,
  { webhookProviders, variables }: KnownCode = { webhookProviders: [], variables: [] },
): Configuration {
  const config = configFields(definition, { path: "", report }) ?? noConfig(report);
  const contract = read(config, "contract");
  const version = read(contract, "version");
  const providers = read(config, "providers");
  warnOfFileStorage(providers);
  const auth = readAuth(config, version);
  read(config, "template");
  const runtime = readRuntime(providers);
  const email = readEmail(config);
  return {
    hierarchy: config.isGiven && isReadable(config) ? knownRoles(auth) : null,
    principals: auth.principals ?? [],
    rateLimits: readField(config, "rateLimit", readRateLimits) ?? NO_OVERRIDES,
    model: {
      name: read(config, "name") ?? "project",
      contract: version,
      changeset: read(contract, "changeset"),
      multiTenant: readFeatures(config),
      runtime: runtime.name,
      ...(runtime.worker === null ? {} : { worker: runtime.worker }),
      database: readDatabase(providers, variables),
      auth: auth.model,
      openapi: readOpenApi(config),
      agents: readAgents(config),
      schemaRegistry: read(read(config, "schemaRegistry"), "generate"),
      etag: read(read(config, "etag"), "enabled"),
      trustedOrigins: readTrustedOrigins(config, email.links?.appUrl),
      email,
      webhooks: readWebhooks(config, webhookProviders),
      realtime: { ...readRealtime(config, runtime.name), signals: [] },
      devPort: read(read(config, "dev"), "port"),
      ...readBuild(config),
      ...readMigrations(config),
    },
  };
}

/** Nothing more is said about a configuration that is missing. */
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

/** The object itself: behind `defineConfig(…)`, or behind a constant of the same file. */
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

function knownRoles({ model, principals }: AuthReading): Hierarchy {
  if (!principals) return null;
  const delegated = principals.flatMap(({ name, variants }) =>
    variants.map((variant) => delegatedRole(name, variant))
  );
  return { ranked: model.roleHierarchy, delegated };
}

/** True when the hierarchy was read whole, or is absent on purpose. */
function isReadable({ entries }: ConfigFields): boolean {
  const auth = entries.get("auth")?.value;
  if (auth && auth.kind !== "object") return false;
  const hierarchy = auth?.entries.find(({ key }) => key === "roleHierarchy")?.value;
  // A key that does not exist was reported, and may be this one misspelt.
  if (!hierarchy) {
    return !auth?.entries.some(({ key }) => !Object.hasOwn(CONFIG.members.auth.members, key));
  }
  return hierarchy.kind === "array" && hierarchy.items.every(({ kind }) => kind === "string");
}

/** Files stand in the store that the environment names, whatever the project said. */
function warnOfFileStorage(providers: ProviderFields): void {
  const entry = providers.entries.get("fileStorage");
  if (entry) providers.at.report.add("FILE_STORAGE_SETTING", entry.keyPlace, {});
}
