/** `providers.database` (definitions 2). */
import { DATABASE_OPTIONS, EDGE_DATABASE_OPTIONS } from "../../../../definition_language/config.ts";
import type { DatabaseModel } from "../../../../model/project.ts";
import { noFields } from "../read/fields.ts";
import { DATABASE_FORMS } from "../read/other_words.ts";
import { checkMembers, read } from "../read/read_member.ts";
import type { ProviderFields } from "./config_fields.ts";
import { readProvider } from "./providers.ts";

/** `variables`: those that `wrangler.toml` sets already. */
export function readDatabase(
  providers: ProviderFields,
  variables: readonly string[],
): DatabaseModel {
  const { name, options } = readProvider(providers, "database", {
    define: "defineDatabase",
    names: ["libsql", "cloudflare-d1"],
    forms: DATABASE_FORMS,
    wide: EDGE_DATABASE_OPTIONS,
    shapes: { libsql: DATABASE_OPTIONS, "cloudflare-d1": EDGE_DATABASE_OPTIONS },
  }) ?? { name: "libsql", options: noFields(EDGE_DATABASE_OPTIONS, providers.place, providers.at) };
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
  };
}
