/** `providers.database` (definitions 2). */
import { ID_STRATEGIES } from "../../../../contract/ids.ts";
import type { DatabaseModel } from "../../../../model/project.ts";
import { type Fields, readField } from "../read/fields.ts";
import { DATABASE_FORMS } from "../read/other_words.ts";
import { oneOf, readBoolean, readText } from "../read/scalars.ts";
import { readProvider } from "./providers.ts";

const COMMON_KEYS = ["generateId", "allowClientIds", "namingConvention", "webhookAllowInsecure"];

/** Bindings of the edge platform and their ids, written into `wrangler.toml`. */
const BINDING_KEYS = [
  "binding",
  "authBinding",
  "featuresBinding",
  "webhooksBinding",
  "databaseId",
  "authDatabaseId",
  "featuresDatabaseId",
  "webhooksDatabaseId",
  "kvNamespaceId",
];

const DEFAULTS: DatabaseModel = {
  provider: "libsql",
  generateId: "prefixed",
  allowClientIds: false,
  namingConvention: "snake_case",
  webhookAllowInsecure: false,
};

/** `variables`: those that `wrangler.toml` sets already. */
export function readDatabase(
  providers: Fields | undefined,
  variables: readonly string[],
): DatabaseModel {
  const provider = providers && readField(
    providers,
    "database",
    readProvider({
      define: "defineDatabase",
      names: ["libsql", "cloudflare-d1"],
      forms: DATABASE_FORMS,
      keys: (name) =>
        name === "libsql" ? COMMON_KEYS : [...COMMON_KEYS, ...BINDING_KEYS, "splitDatabases"],
    }),
  );
  if (!provider) return DEFAULTS;
  const { options } = provider;
  checkBindings(options);
  if (provider.name === "cloudflare-d1") {
    options.at.report.add("DATABASE_NOT_SERVED", options.place, {
      provider: provider.name,
      unset: ["DATABASE_URL", "DATABASE_AUTH_TOKEN"].filter((name) => !variables.includes(name)),
    });
  }
  return {
    provider: provider.name,
    generateId: readField(options, "generateId", oneOf(ID_STRATEGIES)) ?? DEFAULTS.generateId,
    allowClientIds: readField(options, "allowClientIds", readBoolean) ?? DEFAULTS.allowClientIds,
    namingConvention: readField(options, "namingConvention", oneOf(["snake_case", "camelCase"])) ??
      DEFAULTS.namingConvention,
    webhookAllowInsecure: readField(options, "webhookAllowInsecure", readBoolean) ??
      DEFAULTS.webhookAllowInsecure,
  };
}

function checkBindings(options: Fields): void {
  for (const key of BINDING_KEYS) readField(options, key, readText);
  readField(options, "splitDatabases", readBoolean);
}
