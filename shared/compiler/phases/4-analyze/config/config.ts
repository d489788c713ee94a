/** `quickback.config.ts`: every key of the project's configuration (definitions 2). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { Definition, Value } from "../../values.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { type Fields, readField, readFields, readMember, requireField } from "../read/fields.ts";
import { CONFIG_FORMS } from "../read/other_words.ts";
import type { At } from "../read/reader.ts";
import { integer, matching, oneOf, readBoolean } from "../read/scalars.ts";
import { NO_OVERRIDES, type RateOverrides, readRateLimits } from "../read/rate_limits.ts";
import { delegatedRole } from "../../../../model/principal.ts";
import type { Hierarchy } from "../read/roles.ts";
import { AUTH_KEYS, type AuthReading, readAuth } from "./auth.ts";
import { readBuild, readMigrations } from "./build.ts";
import { readDatabase } from "./database.ts";
import { readEmail } from "./email.ts";
import { readAgents, readRealtime } from "./events.ts";
import { readOpenApi } from "./openapi.ts";
import { readTrustedOrigins } from "./origins.ts";
import type { PrincipalDraft } from "./principals.ts";
import { readFeatures } from "./features.ts";
import { calledOptions } from "./providers.ts";
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

const PROJECT_NAME = matching(/^[a-z0-9-]+$/, "lower-case letters, digits and -");

const KEYS = [
  "name",
  "template",
  "features",
  "contract",
  "providers",
  "auth",
  "openapi",
  "rateLimit",
  "webhooks",
  "realtime",
  "trustedOrigins",
  "schemaRegistry",
  "etag",
  "agents",
  "email",
  "dev",
  "build",
  "compiler",
];

/** Keys that exist in other implementations of the language and mean nothing here. */
const FOREIGN_KEYS = ["account", "domain", "layouts"];

/** The configuration, defaults in the place of whatever is absent or wrong (and reported). */
export function readConfig(
  definition: Definition | null,
  report: Report,
  { webhookProviders, variables }: KnownCode = { webhookProviders: [], variables: [] },
): Configuration {
  const at: At = { path: "", report };
  const read = configFields(definition, at);
  const fields = read ?? noFields(at);
  const contract = readMember(fields, "contract", { keys: ["version", "changeset"] });
  const version = contract && readField(contract, "version", oneOf(["v1", "v2"])) || "v1";
  const providers = readMember(fields, "providers", {
    keys: ["runtime", "database", "auth", "fileStorage"],
  });
  warnOfFileStorage(providers);
  const auth = readAuth({ fields, providers, contract: version });
  readField(fields, "template", oneOf(["hono"]));
  const runtime = readRuntime(providers);
  const email = readEmail(fields);
  return {
    hierarchy: read && isReadable(fields) ? knownRoles(auth) : null,
    principals: auth.principals ?? [],
    rateLimits: readField(fields, "rateLimit", readRateLimits) ?? NO_OVERRIDES,
    model: {
      name: (read && requireField(read, "name", PROJECT_NAME)) ?? "project",
      contract: version,
      changeset: (contract && readField(contract, "changeset", readBoolean)) ?? false,
      multiTenant: readFeatures(fields),
      runtime: runtime.name,
      ...(runtime.worker === null ? {} : { worker: runtime.worker }),
      database: readDatabase(providers, variables),
      auth: auth.model,
      openapi: readOpenApi(fields),
      agents: readAgents(fields),
      schemaRegistry: readSwitch(fields, "schemaRegistry", "generate"),
      etag: readSwitch(fields, "etag", "enabled"),
      trustedOrigins: readTrustedOrigins(fields, email.links?.appUrl),
      email,
      webhooks: readWebhooks(fields, webhookProviders),
      realtime: { ...readRealtime(fields, runtime.name), signals: [] },
      devPort: readDevPort(fields),
      ...readBuild(fields),
      ...readMigrations(fields),
    },
  };
}

/** Nothing more is said about a configuration that is missing. */
function configFields(definition: Definition | null, at: At): Fields | undefined {
  if (!definition) return undefined;
  const value = definition.defaultExport;
  if (!value) {
    at.report.add("CONFIG_EXPORT_MISSING", noFields(at).place, {});
    return undefined;
  }
  if (value.kind === "call" && value.callee === "defineConfig" && value.args.length > 1) {
    const expected = "defineConfig({ … })";
    at.report.add("ARGUMENTS", value.place, { callee: "defineConfig", expected });
  }
  const known = { keys: KEYS, foreign: FOREIGN_KEYS, forms: CONFIG_FORMS };
  return readFields(resolved(value, definition), known, at);
}

/** The object itself: behind `defineConfig(…)`, or behind a constant of the same file. */
function resolved(value: Value, definition: Definition): Value {
  if (value.kind === "call" && value.callee === "defineConfig") {
    return calledOptions(value, 0) ?? value;
  }
  if (value.kind === "reference" && value.members.length === 0) {
    const target = definition.bindings.get(value.target.name);
    if (target && target.kind !== "reference") return resolved(target, definition);
  }
  return value;
}

function noFields(at: At): Fields {
  const place = { file: CONFIG_FILE, line: 1, column: 1, length: 1 };
  return { at, place, entries: new Map(), unknown: [] };
}

function knownRoles({ model, principals }: AuthReading): Hierarchy {
  if (!principals) return null;
  const delegated = principals.flatMap(({ name, variants }) =>
    variants.map((variant) => delegatedRole(name, variant))
  );
  return { ranked: model.roleHierarchy, delegated };
}

/** True when the hierarchy was read whole, or is absent on purpose. */
function isReadable({ entries }: Fields): boolean {
  const auth = entries.get("auth")?.value;
  if (auth && auth.kind !== "object") return false;
  const hierarchy = auth?.entries.find(({ key }) => key === "roleHierarchy")?.value;
  // A key that does not exist was reported, and may be this one misspelt.
  if (!hierarchy) return !auth?.entries.some(({ key }) => !AUTH_KEYS.includes(key));
  return hierarchy.kind === "array" && hierarchy.items.every(({ kind }) => kind === "string");
}

/** Files stand in the store that the environment names, whatever the project said. */
function warnOfFileStorage(providers: Fields | undefined): void {
  const entry = providers?.entries.get("fileStorage");
  if (providers && entry) providers.at.report.add("FILE_STORAGE_SETTING", entry.keyPlace, {});
}

function readSwitch(fields: Fields, key: string, member: string): boolean {
  const object = readMember(fields, key, { keys: [member] });
  return (object && readField(object, member, readBoolean)) ?? true;
}

function readDevPort(fields: Fields): number {
  const dev = readMember(fields, "dev", { keys: ["port"] });
  return (dev && readField(dev, "port", integer(1, 65535))) ?? 8000;
}
