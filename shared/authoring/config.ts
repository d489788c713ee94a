/** The project's configuration (definitions 2). Literals only: the compiler reads it without running it. */
import type {
  AuthProvider,
  CONFIG,
  DATABASE_OPTIONS,
  DatabaseProvider,
  EDGE_DATABASE_OPTIONS,
  FileStorageProvider,
  RuntimeProvider,
} from "../definition_language/config.ts";
import type { Written } from "../definition_language/shape.ts";

export interface ConfigDefinition extends Written<typeof CONFIG> {}

export function defineConfig(config: ConfigDefinition): ConfigDefinition {
  return config;
}

export function defineRuntime(
  name: RuntimeProvider["name"],
  options: RuntimeProvider["options"] = {},
): RuntimeProvider {
  return { kind: "runtime", name, options };
}

export function defineFileStorage(
  name: string,
  options: FileStorageProvider["options"] = {},
): FileStorageProvider {
  return { kind: "fileStorage", name, options };
}

export function defineDatabase(
  name: "libsql",
  options?: Written<typeof DATABASE_OPTIONS>,
): DatabaseProvider;
export function defineDatabase(
  name: "cloudflare-d1",
  options?: Written<typeof EDGE_DATABASE_OPTIONS>,
): DatabaseProvider;
export function defineDatabase(
  name: DatabaseProvider["name"],
  options: DatabaseProvider["options"] = {},
): DatabaseProvider {
  return { kind: "database", name, options };
}

export function defineAuth(
  name: AuthProvider["name"],
  options: AuthProvider["options"] = {},
): AuthProvider {
  return { kind: "auth", name, options };
}
