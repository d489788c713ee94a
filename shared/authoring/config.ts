/** The project's configuration (definitions 2). It consists of literals, because the compiler reads it without running it. */
import type { CONFIG } from "../definition_language/config.ts";
import type * as providers from "../definition_language/providers.ts";
import type { Written } from "../definition_language/shape.ts";

export interface ConfigDefinition extends Written<typeof CONFIG> {}

export function defineConfig(config: ConfigDefinition): ConfigDefinition {
  return config;
}

export function defineRuntime(
  name: providers.RuntimeProvider["name"],
  options: providers.RuntimeProvider["options"] = {},
): providers.RuntimeProvider {
  return { kind: "runtime", name, options };
}

export function defineFileStorage(
  name: string,
  options: providers.FileStorageProvider["options"] = {},
): providers.FileStorageProvider {
  return { kind: "fileStorage", name, options };
}

export function defineDatabase(
  name: "libsql",
  options?: Written<typeof providers.DATABASE_OPTIONS>,
): providers.DatabaseProvider;
export function defineDatabase(
  name: "cloudflare-d1",
  options?: Written<typeof providers.EDGE_DATABASE_OPTIONS>,
): providers.DatabaseProvider;
export function defineDatabase(
  name: providers.DatabaseProvider["name"],
  options: providers.DatabaseProvider["options"] = {},
): providers.DatabaseProvider {
  return { kind: "database", name, options };
}

export function defineAuth(
  name: providers.AuthProvider["name"],
  options: providers.AuthProvider["options"] = {},
): providers.AuthProvider {
  return { kind: "auth", name, options };
}
