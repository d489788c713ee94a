/** A configuration mistake is told where it stands (definitions 2). */
import { assertEquals } from "@std/assert";
import {
  analyzed,
  analyzedProject,
  CONFIG_FILE,
  type MistakeRow,
  toldOf,
  withConfig,
} from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown key", 'nmae: "x",', [
    'UNKNOWN_KEY 3:1 Unknown key "nmae" in the configuration | Did you mean "name"?',
  ]],
  ["an unknown key without a near one", "zebra: 1,", [
    'UNKNOWN_KEY 3:1 Unknown key "zebra" in the configuration | There are "name", "template", "features", "contract", "providers", "auth", "openapi", "rateLimit", "webhooks", "realtime", "trustedOrigins", "schemaRegistry", "etag", "agents", "email", "branding", "dev", "build", "compiler"',
  ]],
  ["an unknown template", 'template: "express",', [
    'VALUE_UNKNOWN 3:11 "template" is "express", expected "hono"',
  ]],
  ["features.organizations takes a boolean", 'features: { organizations: "yes" },', [
    'VALUE_TYPE 3:28 "features.organizations" is "yes", expected true or false',
  ]],
  ["an unknown feature", "features: { organisations: true },", [
    'UNKNOWN_KEY 3:13 Unknown key "organisations" in features | Did you mean "organizations"?',
  ]],
  ["an unknown contract version", 'contract: { version: "v3" },', [
    'VALUE_UNKNOWN 3:22 "contract.version" is "v3", expected one of "v1", "v2" | Did you mean "v1"?',
  ]],
  ["an unknown runtime", 'providers: { runtime: defineRuntime("dino") },', [
    'VALUE_UNKNOWN 3:37 "providers.runtime" is "dino", expected one of "deno", "cloudflare" | Did you mean "deno"?',
  ]],
  ["a runtime has no options", 'providers: { runtime: defineRuntime("deno", { port: 1 }) },', [
    'UNKNOWN_KEY 3:47 Unknown key "port" in providers.runtime',
  ]],
  ["a provider without a name", "providers: { runtime: defineRuntime() },", [
    "ARGUMENTS 3:23 Arguments of defineRuntime are wrong, expected defineRuntime(name, options)",
  ]],
  ["a provider that is no call", 'providers: { database: "libsql" },', [
    'VALUE_TYPE 3:24 "providers.database" is "libsql", expected a call of defineDatabase() | Write defineDatabase("libsql")',
  ]],
  ["a plain provider without a name", 'providers: { database: { generateId: "uuid" } },', [
    'KEY_MISSING 3:24 Key "name" is missing in providers.database',
  ]],
  ["an unknown provider", 'providers: { databse: defineDatabase("libsql") },', [
    'UNKNOWN_KEY 3:14 Unknown key "databse" in providers | Did you mean "database"?',
  ]],
  ["an unknown database", 'providers: { database: defineDatabase("libsq") },', [
    'VALUE_UNKNOWN 3:39 "providers.database" is "libsq", expected one of "libsql", "cloudflare-d1" | Did you mean "libsql"?',
  ]],
  [
    "an unknown id strategy",
    'providers: { database: defineDatabase("libsql", { generateId: "uid" }) },',
    ['VALUE_UNKNOWN 3:63 "providers.database.generateId" is "uid", expected one of "uuid", "cuid", "nanoid", "prefixed", "short", "serial", false | Did you mean "uuid"?'],
  ],
  [
    "allowClientIds takes a boolean",
    'providers: { database: defineDatabase("libsql", { allowClientIds: 1 }) },',
    ['VALUE_TYPE 3:67 "providers.database.allowClientIds" is 1, expected true or false'],
  ],
  [
    "an unknown naming convention",
    'providers: { database: defineDatabase("libsql", { namingConvention: "snakecase" }) },',
    ['VALUE_UNKNOWN 3:69 "providers.database.namingConvention" is "snakecase", expected one of "snake_case", "camelCase" | Did you mean "snake_case"?'],
  ],
  [
    "webhookAllowInsecure takes a boolean",
    'providers: { database: defineDatabase("libsql", { webhookAllowInsecure: null }) },',
    ['VALUE_TYPE 3:73 "providers.database.webhookAllowInsecure" is null, expected true or false'],
  ],
  [
    "bindings belong to the edge database",
    'providers: { database: defineDatabase("libsql", { binding: "DB" }) },',
    ['UNKNOWN_KEY 3:51 Unknown key "binding" in providers.database | There are "generateId", "allowClientIds", "namingConvention", "webhookAllowInsecure", "tenancy"'],
  ],
  [
    "a binding is a text",
    'providers: { database: defineDatabase("cloudflare-d1", { binding: 1, splitDatabases: "no" }) },',
    [
      'VALUE_TYPE 3:67 "providers.database.binding" is 1, expected a string',
      'VALUE_TYPE 3:86 "providers.database.splitDatabases" is "no", expected true or false',
    ],
  ],
  ["an unknown account library", 'providers: { auth: defineAuth("better-aut") },', [
    'VALUE_UNKNOWN 3:31 "providers.auth" is "better-aut", expected "better-auth" | Did you mean "better-auth"?',
  ]],
  [
    "emailAndPassword takes a boolean",
    'providers: { auth: defineAuth("better-auth", { emailAndPassword: "on" }) },',
    ['VALUE_TYPE 3:66 "providers.auth.emailAndPassword" is "on", expected true or false'],
  ],
  [
    "a plugin that does not exist",
    'providers: { auth: defineAuth("better-auth", { plugins: ["organization", "apikey"] }) },',
    ['VALUE_UNKNOWN 3:74 "providers.auth.plugins" is "apikey", expected one of "organization", "teams", "admin", "apiKey" | Did you mean "apiKey"?'],
  ],
  [
    "a plugin of organizations without organizations",
    'features: { organizations: false }, providers: { auth: defineAuth("better-auth", { plugins: ["teams", "admin"] }) },',
    [
      'SCOPE_WITHOUT_TENANTS 3:14 Column "organizationId" needs organizations, which this project has off | Set features.organizations to true, or remove the column',
      'PLUGIN_WITHOUT_ORGANIZATIONS 3:94 Plugin "teams" needs organizations | Remove it, or set features.organizations to true',
    ],
  ],
  [
    "plugins are a list",
    'providers: { auth: defineAuth("better-auth", { plugins: "organization" }) },',
    ['VALUE_TYPE 3:57 "providers.auth.plugins" is "organization", expected a list | Write ["organization"]'],
  ],
  [
    "session days are positive",
    'providers: { auth: defineAuth("better-auth", { session: { expiresInDays: 0 } }) },',
    ['VALUE_INVALID 3:74 "providers.auth.session.expiresInDays" is 0, expected an integer from 1 to 365'],
  ],
  [
    "an unknown session key",
    'providers: { auth: defineAuth("better-auth", { session: { expireInDays: 1 } }) },',
    ['UNKNOWN_KEY 3:59 Unknown key "expireInDays" in providers.auth.session | Did you mean "expiresInDays"?'],
  ],
  [
    "an account rate limit is an object",
    'providers: { auth: defineAuth("better-auth", { rateLimit: { max: -1 } }) },',
    ['VALUE_INVALID 3:66 "providers.auth.rateLimit.max" is -1, expected an integer of at least 1'],
  ],
  ["a hierarchy names a role once", 'auth: { roleHierarchy: ["viewer", "admin", "viewer"] },', [
    'LISTED_TWICE 3:44 "viewer" stands twice in "auth.roleHierarchy" | Remove one of the two',
  ]],
  ["a pseudo-role has no rank", 'auth: { roleHierarchy: ["PUBLIC", "admin"] },', [
    'ROLE_NAME 3:25 "PUBLIC" cannot be a project role | Use letters, digits, _, -, . and :, and no pseudo-role',
  ]],
  ["a role name holds no separator", 'auth: { roleHierarchy: ["a,b"] },', [
    'ROLE_NAME 3:25 "a,b" cannot be a project role | Use letters, digits, _, -, . and :, and no pseudo-role',
  ]],
  ["an unknown auth key", "auth: { rolesHierarchy: [] },", [
    'UNKNOWN_KEY 3:9 Unknown key "rolesHierarchy" in auth | Did you mean "roleHierarchy"?',
  ]],
  ["a token lives for a day at most", "auth: { jwt: { expiresIn: 90000 } },", [
    'VALUE_INVALID 3:27 "auth.jwt.expiresIn" is 90000, expected an integer from 1 to 86400',
  ]],
  ["an unknown algorithm", 'auth: { jwt: { algorithm: "HS512" } },', [
    'VALUE_UNKNOWN 3:27 "auth.jwt.algorithm" is "HS512", expected one of "HS256", "EdDSA"',
  ]],
  ["an unknown jwt key", "auth: { jwt: { expires: 60 } },", [
    'UNKNOWN_KEY 3:16 Unknown key "expires" in auth.jwt | Did you mean "expiresIn"?',
  ]],
  ["an unknown publish gate", 'openapi: { publish: "admins" },', [
    'VALUE_UNKNOWN 3:21 "openapi.publish" is "admins", expected one of "authenticated", "admin", "public", true, false | Did you mean "admin"?',
  ]],
  ["openapi.generate takes a boolean", 'openapi: { generate: "yes" },', [
    'VALUE_TYPE 3:22 "openapi.generate" is "yes", expected true or false',
  ]],
  ["an unknown API browser", 'openapi: { docs: "redoc" },', [
    'VALUE_UNKNOWN 3:18 "openapi.docs" is "redoc", expected one of "browser_modern", "scalar", "browser_classic", "swagger", false',
  ]],
  ["docs without publish", 'openapi: { publish: false, docs: "scalar" },', [
    'DOCS_WITHOUT_PUBLISH 3:34 "openapi.docs" needs a published description, "openapi.publish" is false | Set "publish" to "authenticated", "admin" or "public", or "docs" to false',
  ]],
  [
    "an authorization server of tokens that another one issues",
    'auth: { jwt: { issuer: "https://id.example.com" } }, agents: { oauth: true },',
    [
      'OAUTH_WITHOUT_TOKENS 3:64 "agents.oauth" needs bearer tokens of this API, and another server issues its tokens | Write auth: { jwt: {} } without "issuer", or leave "oauth" out',
    ],
  ],
  [
    "an authorization server without tokens",
    'contract: { version: "v2" }, agents: { oauth: true },',
    [
      'OAUTH_WITHOUT_TOKENS 3:40 "agents.oauth" needs bearer tokens of this API, and the project has no tokens | Write auth: { jwt: {} } without "issuer", or leave "oauth" out',
    ],
  ],
  ["a types path keeps off what a compile writes", 'openapi: { types: "src/main.ts" },', [
    'VALUE_INVALID 3:19 "openapi.types" is "src/main.ts", expected a path outside of src, quickback and reports',
  ]],
  ["types go to one place once", 'openapi: { types: ["web/api.ts", "web/api.ts"] },', [
    'LISTED_TWICE 3:34 "web/api.ts" stands twice in "openapi.types" | Remove one of the two',
  ]],
  ["a types path stays in the project", 'openapi: { types: ["../types.ts"] },', [
    'VALUE_INVALID 3:20 "openapi.types[0]" is "../types.ts", expected a project-relative path that ends in .ts',
  ]],
  ["an unknown openapi key", 'openapi: { published: "public" },', [
    'UNKNOWN_KEY 3:12 Unknown key "published" in openapi | Did you mean "publish"?',
  ]],
  ["a rate limit of list", "rateLimit: { list: { limit: 1, period: 60 } },", [
    'RATE_OPERATION_UNKNOWN 3:14 Unknown operation "list" in rateLimit, expected read, create, update or delete | Did you mean "read"?',
  ]],
  ["an unknown rate operation", "rateLimit: { creat: { limit: 1, period: 60 } },", [
    'RATE_OPERATION_UNKNOWN 3:14 Unknown operation "creat" in rateLimit, expected read, create, update or delete | Did you mean "create"?',
  ]],
  ["a rate period", "rateLimit: { read: { limit: 1, period: 30 } },", [
    'VALUE_UNKNOWN 3:40 "rateLimit.read.period" is 30, expected one of 10, 60',
  ]],
  ["a rate limit is positive", "rateLimit: { read: { limit: 0, period: 60 } },", [
    'VALUE_INVALID 3:29 "rateLimit.read.limit" is 0, expected an integer of at least 1',
  ]],
  ["a rate limit is an integer", "rateLimit: { read: { limit: 1.5, period: 60 } },", [
    'VALUE_INVALID 3:29 "rateLimit.read.limit" is 1.5, expected an integer of at least 1',
  ]],
  ["a rate limit needs a period", "rateLimit: { read: { limit: 1 } },", [
    'KEY_MISSING 3:20 Key "period" is missing in rateLimit.read',
  ]],
  ["rateLimit true says nothing", "rateLimit: true,", [
    'VALUE_TYPE 3:12 "rateLimit" is true, expected false, or limits per operation',
  ]],
  ["webhooks.outbound takes a boolean", 'webhooks: { outbound: "all" },', [
    'VALUE_TYPE 3:23 "webhooks.outbound" is "all", expected true or false',
  ]],
  ["an inbound provider is a name", 'webhooks: { inbound: ["Stripe Inc"] },', [
    'VALUE_INVALID 3:23 "webhooks.inbound[0]" is "Stripe Inc", expected a provider name in lower case',
  ]],
  ["an event is a name", 'webhooks: { events: ["user created"] },', [
    'VALUE_INVALID 3:22 "webhooks.events[0]" is "user created", expected an event name',
  ]],
  ["maxEndpoints is positive", "webhooks: { maxEndpoints: 0 },", [
    'VALUE_INVALID 3:27 "webhooks.maxEndpoints" is 0, expected an integer of at least 1',
  ]],
  ["a schedule is one of two", 'webhooks: { schedule: "extendet" },', [
    'VALUE_UNKNOWN 3:23 "webhooks.schedule" is "extendet", expected one of "standard", "extended" | Did you mean "extended"?',
  ]],
  ["retentionDays is positive", "webhooks: { retentionDays: 0 },", [
    'VALUE_INVALID 3:28 "webhooks.retentionDays" is 0, expected an integer from 1 to 3650',
  ]],
  ["retentionDays is not true", "webhooks: { retentionDays: true },", [
    'VALUE_TYPE 3:28 "webhooks.retentionDays" is true, expected an integer from 1 to 3650, or false',
  ]],
  ["an unknown webhooks key", "webhooks: { outbond: true },", [
    'UNKNOWN_KEY 3:13 Unknown key "outbond" in webhooks | Did you mean "outbound"?',
  ]],
  ["an unknown realtime key", "realtime: { enable: true },", [
    'UNKNOWN_KEY 3:13 Unknown key "enable" in realtime | Did you mean "enabled"?',
  ]],
  ["an origin has no path", 'trustedOrigins: ["https://app.example.com/"],', [
    'VALUE_INVALID 3:18 "trustedOrigins[0]" is "https://app.example.com/", expected an origin such as https://app.example.com, without path or *',
  ]],
  ["an origin has no wildcard", 'trustedOrigins: ["*"],', [
    'VALUE_INVALID 3:18 "trustedOrigins[0]" is "*", expected an origin such as https://app.example.com, without path or *',
  ]],
  ["schemaRegistry.generate takes a boolean", "schemaRegistry: { generate: 0 },", [
    'VALUE_TYPE 3:29 "schemaRegistry.generate" is 0, expected true or false',
  ]],
  ["an unknown etag key", "etag: { enable: true },", [
    'UNKNOWN_KEY 3:9 Unknown key "enable" in etag | Did you mean "enabled"?',
  ]],
  ["agents.mcp takes a boolean", 'agents: { mcp: "on" },', [
    'VALUE_TYPE 3:16 "agents.mcp" is "on", expected true or false',
  ]],
  ["an unknown mail provider", 'email: { provider: "sendmail" },', [
    'VALUE_UNKNOWN 3:20 "email.provider" is "sendmail", expected one of "log", "smtp", "none"',
  ]],
  ["a sender is an address", 'email: { from: "nobody" },', [
    'VALUE_INVALID 3:16 "email.from" is "nobody", expected an email address',
  ]],
  ["a sender's name is one line", `email: { fromName: "a\\nBcc: x" },`, [
    'VALUE_INVALID 3:20 "email.fromName" is "a Bcc: x", expected a name on one line',
  ]],
  ["a port is a port", "dev: { port: 70000 },", [
    'VALUE_INVALID 3:14 "dev.port" is 70000, expected an integer from 1 to 65535',
  ]],
  ["an output folder stays in the project", 'build: { outputDir: "../out" },', [
    'VALUE_INVALID 3:21 "build.outputDir" is "../out", expected a folder inside the project',
  ]],
  ["a dependency is a package name", 'build: { dependencies: { "https://x": "1" } },', [
    'PACKAGE_NAME 3:26 Dependency "https://x" is not a package name | Write the bare npm name, such as "date-fns" or "@scope/name"',
  ]],
  ["a dependency is a range", 'build: { dependencies: { "date-fns": "https://x/y.tgz" } },', [
    'VALUE_INVALID 3:38 "build.dependencies.date-fns" is "https://x/y.tgz", expected a version range',
  ]],
  [
    "a table's rename is a name",
    'compiler: { migrations: { renames: { tables: { a: "b c" } } } },',
    ['VALUE_INVALID 3:51 "compiler.migrations.renames.tables.a" is "b c", expected the new name'],
  ],
  [
    "a column's rename names its table",
    'compiler: { migrations: { renames: { columns: { old: "new" } } } },',
    ['VALUE_TYPE 3:49 "compiler.migrations.renames.columns" is "old", expected table.column'],
  ],
  ["an unknown compiler key", "compiler: { migration: {} },", [
    'UNKNOWN_KEY 3:13 Unknown key "migration" in compiler | Did you mean "migrations"?',
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Configuration: ${title}`, () => {
    assertEquals(toldOf(withConfig(source).errors), expected);
  });
}

Deno.test("Configuration: a database that is not served says what takes its place", () => {
  const database = 'providers: { database: defineDatabase("cloudflare-d1", { binding: "DB" }) },';
  assertEquals(toldOf(withConfig(database).warnings), [
    'DATABASE_NOT_SERVED 3:56 "cloudflare-d1" is not served: the generated API keeps its data in a libSQL server | Set DATABASE_URL and DATABASE_AUTH_TOKEN where it runs, and write defineDatabase("libsql")',
  ]);
});

const WHOLE: readonly MistakeRow[] = [
  ["an empty file", "", [
    'CONFIG_EXPORT_MISSING 1:1 Configuration has no default export | Write: export default defineConfig({ name: "my-project" })',
  ]],
  ["no default export", "export {};\n", [
    'CONFIG_EXPORT_MISSING 1:1 Configuration has no default export | Write: export default defineConfig({ name: "my-project" })',
  ]],
  ["what does not parse exports who knows what", "export default {", [
    "SYNTAX_ERROR 1:17 Syntax error: Unexpected token",
  ]],
  [
    "a second argument",
    'import { defineConfig } from "quickback";\nexport default defineConfig({ name: "a" }, {});\n',
    ["ARGUMENTS 2:16 Arguments of defineConfig are wrong, expected defineConfig({ … })"],
  ],
];

for (const [title, source, expected] of WHOLE) {
  Deno.test(`Configuration file: ${title}`, () => {
    assertEquals(toldOf(analyzed({ [CONFIG_FILE]: source }).errors), expected);
  });
}

Deno.test("Configuration: a worker is not told to set what its settings set", () => {
  const { warnings } = analyzedProject({
    [CONFIG_FILE]: `import { defineDatabase, defineRuntime } from "quickback";
export default { name: "sample", providers: {
  runtime: defineRuntime("cloudflare"), database: defineDatabase("cloudflare-d1", {}) } };`,
    "wrangler.toml": '[vars]\nDATABASE_URL = "libsql://app.turso.io"\n',
  });
  assertEquals(toldOf(warnings), [
    'DATABASE_NOT_SERVED 3:83 "cloudflare-d1" is not served: the generated API keeps its data in a libSQL server | Set DATABASE_AUTH_TOKEN where it runs, and write defineDatabase("libsql")',
  ]);
});
