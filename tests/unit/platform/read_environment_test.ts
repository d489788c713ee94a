/** What an operator may set (definitions 8), and what refuses to start. */
import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import {
  readWorkerEnvironment,
  type WorkerEnvironment,
} from "../../../library/platform/cloudflare/mod.ts";
import {
  PUBLIC_RESOLVER,
  readEnvironment,
  readVapidKeys,
  startFacts,
} from "../../../library/platform/mod.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

const read = (variables: Readonly<Record<string, string>>) =>
  readEnvironment(new Map(Object.entries({ AUTH_SECRET: SECRET, ...variables })));

Deno.test("readEnvironment() has a default for everything but the secret", async () => {
  const environment = await read({});
  const { variable, ...settings } = environment.settings;
  assertEquals(variable?.("GITHUB_CLIENT_ID"), null);
  assertEquals({ ...environment, settings }, {
    port: 8000,
    hostname: null,
    databaseUrl: "file:./data/app.db",
    databaseAuthToken: null,
    databaseReplica: null,
    tenants: { folder: null, adminUrl: null, adminToken: null, urlTemplate: null, poolSize: 200 },
    storage: {
      url: null,
      bucket: null,
      maxBytes: null,
      maxBytesPerTenant: null,
      graceMs: 3_600_000,
      isDeployed: false,
    },
    redisUrl: null,
    rowsMaxPerTenant: null,
    statementLimits: { readMs: 2000, statementMs: 5000, transactionMs: 5000 },
    smtpUrl: null,
    embeddings: null,
    clientIpHeader: null,
    settings: {
      baseUrl: "http://localhost:8000",
      authSecret: new TextEncoder().encode(SECRET),
      authSecretPrevious: null,
      production: false,
      databaseMode: "file",
      rightsMaxAgeMs: 1000,
      actionTimeoutMs: 30_000,
      hookTimeoutMs: 2_000,
      exposeErrorStack: false,
      isMailOff: false,
      allowedHosts: null,
      clientRateLimit: null,
      devPlaces: { playground: null, page: null, database: null },
    },
    sysadminEmails: [],
    webhookResolverUrl: PUBLIC_RESOLVER,
    accessLog: false,
    metricsToken: null,
    jobSlots: undefined,
  });
});

Deno.test("every variable stands in an output's .env.example and in the reference", async () => {
  const asked = new Set<string>();
  await withTempFolder(async (folder) => {
    const given = new Map(Object.entries({
      AUTH_SECRET: SECRET,
      DATABASE_URL: `file:${folder}/app.db`,
      STORAGE_URL: "https://s3.example.com/bucket",
      STORAGE_ACCESS_KEY_ID: "id",
      STORAGE_SECRET_ACCESS_KEY: "key",
      EMBEDDINGS_URL: "https://embeddings.example.com",
    }));
    const variables = {
      get(name: string) {
        asked.add(name);
        return given.get(name);
      },
    };
    await readVapidKeys({ variables, ...await readEnvironment(variables) });
  });
  const textOf = (path: string) => Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));
  const example = await textOf("generated-templates/deno/.env.example");
  const reference = await textOf("docs/reference/definitions.md");
  // What `dev` and a platform set is nobody else's.
  const operators = [...asked].filter((name) => !/^(DEV|DENO)_/.test(name));
  const missing = operators.filter((name) =>
    !new RegExp(`^(# )?${name}=`, "m").test(example) || !reference.includes(`\`${name}\``)
  );
  assertEquals([missing, operators.length > 30], [[], true]);
  // A line of its own for the same name, further down, would not count.
  assertEquals(example.match(/^[A-Z0-9_]+=[ \t]*$/gm), null);
});

Deno.test("readEnvironment() takes an empty variable for an unset one", async () => {
  const empty = {
    PORT: "",
    HOST: "",
    BASE_URL: " ",
    DATABASE_URL: "",
    DATABASE_AUTH_TOKEN: "",
    DATABASE_REPLICA: "",
    RIGHTS_MAX_AGE_MS: "",
    STATEMENT_TIMEOUT_MS: "",
    READ_TIMEOUT_MS: "",
    ACTION_TIMEOUT_MS: "",
    HOOK_TIMEOUT_MS: "",
    TRANSACTION_MAX_MS: "",
    ROWS_MAX_PER_TENANT: "",
    APP_ENV: "",
    METRICS_TOKEN: " ",
  };
  const values = async (variables: Record<string, string>) => {
    const { settings: { variable: _, ...settings }, ...environment } = await read(variables);
    return { ...environment, settings };
  };
  assertEquals(await values(empty), await values({}));
});

Deno.test("readEnvironment() reads what is set", async () => {
  const environment = await read({
    PORT: "9000",
    HOST: "127.0.0.1",
    BASE_URL: "https://api.example.com/",
    DATABASE_URL: "libsql://db.example.com",
    DATABASE_AUTH_TOKEN: "token",
    APP_ENV: "production",
    EXPOSE_ERROR_STACK: "1",
    SYSADMIN_EMAILS: "root@example.com, ops@example.com,",
    REDIS_URL: "redis://cache.example.com",
    SMTP_URL: "smtp://mail.example.com",
    CLIENT_IP_HEADER: "X-Real-IP",
    CLIENT_RATE_LIMIT: "600",
    ACCESS_LOG: "1",
    METRICS_TOKEN: "a-token-of-prometheus",
  });
  assertEquals([environment.accessLog, environment.metricsToken], [true, "a-token-of-prometheus"]);
  assertEquals(environment.port, 9000);
  assertEquals(environment.hostname, "127.0.0.1");
  assertEquals(environment.settings.baseUrl, "https://api.example.com");
  assertEquals(environment.databaseUrl, "libsql://db.example.com");
  assertEquals(environment.databaseAuthToken, "token");
  assertEquals(environment.settings.production, true);
  assertEquals(environment.settings.databaseMode, "remote");
  assertEquals(environment.settings.exposeErrorStack, true);
  assertEquals(environment.redisUrl, "redis://cache.example.com");
  assertEquals(environment.smtpUrl, "smtp://mail.example.com");
  assertEquals(environment.clientIpHeader, "X-Real-IP");
  assertEquals(environment.settings.clientRateLimit, 600);
  assertEquals(environment.sysadminEmails, ["root@example.com", "ops@example.com"]);
});

const REFUSED: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ PORT: "65536" }, "PORT"],
  [{ PORT: "-1" }, "PORT"],
  [{ CLIENT_RATE_LIMIT: "0" }, "CLIENT_RATE_LIMIT"],
  [{ CLIENT_RATE_LIMIT: "-5" }, "CLIENT_RATE_LIMIT"],
  [{ CLIENT_RATE_LIMIT: "1.5" }, "CLIENT_RATE_LIMIT"],
  [{ CLIENT_RATE_LIMIT: "1e3" }, "CLIENT_RATE_LIMIT"],
  [{ CLIENT_RATE_LIMIT: "many" }, "CLIENT_RATE_LIMIT"],
  [{ DEV_PAGE_URL: "javascript:alert(1)" }, "DEV_PAGE_URL"],
  [{ ACCESS_LOG: "yes" }, "ACCESS_LOG"],
  [{ ACCESS_LOG: "0" }, "ACCESS_LOG"],
  [{ METRICS_TOKEN: "two words" }, "METRICS_TOKEN"],
  [{ METRICS_TOKEN: "schlüssel-der-messung" }, "METRICS_TOKEN"],
  [{ PORT: "0x50" }, "PORT"],
  [{ PORT: "80a" }, "PORT"],
  [{ BASE_URL: "api.example.com" }, "BASE_URL"],
  [{ BASE_URL: "ftp://api.example.com" }, "BASE_URL"],
  [{ BASE_URL: "https://api.example.com/path" }, "BASE_URL"],
  [{ BASE_URL: "https://user@api.example.com" }, "BASE_URL"],
  [{ DATABASE_REPLICA: "./copy.db" }, "DATABASE_REPLICA needs a DATABASE_URL"],
  [{ DATABASE_REPLICA: "./copy.db", DATABASE_URL: "file:./app.db" }, "DATABASE_REPLICA needs"],
  [{ RIGHTS_MAX_AGE_MS: "1s" }, "RIGHTS_MAX_AGE_MS must be"],
  [{ STATEMENT_TIMEOUT_MS: "99" }, "STATEMENT_TIMEOUT_MS must be"],
  [{ READ_TIMEOUT_MS: "600001" }, "READ_TIMEOUT_MS must be"],
  [{ ACTION_TIMEOUT_MS: "0" }, "ACTION_TIMEOUT_MS must be"],
  [{ HOOK_TIMEOUT_MS: "0" }, "HOOK_TIMEOUT_MS must be"],
  [{ TRANSACTION_MAX_MS: "-1" }, "TRANSACTION_MAX_MS must be"],
  [{ STORAGE_MAX_BYTES_PER_TENANT: "1MB" }, "STORAGE_MAX_BYTES_PER_TENANT must be"],
  [{ ROWS_MAX_PER_TENANT: "0" }, "ROWS_MAX_PER_TENANT must be"],
  [{ ROWS_MAX_PER_TENANT: "1e3" }, "ROWS_MAX_PER_TENANT must be"],
  [{ READ_TIMEOUT_MS: "2s" }, "READ_TIMEOUT_MS must be"],
  [{ RIGHTS_MAX_AGE_MS: "-1" }, "RIGHTS_MAX_AGE_MS must be"],
  [{ WEBHOOK_RESOLVER_URL: "dns.example.com" }, "WEBHOOK_RESOLVER_URL"],
  [{ WEBHOOK_RESOLVER_URL: "udp://1.1.1.1" }, "WEBHOOK_RESOLVER_URL"],
  [{ SYSADMIN_EMAILS: "notanaddress" }, "SYSADMIN_EMAILS"],
  [{ SYSADMIN_EMAILS: "root@example.com;ops@example.com" }, "SYSADMIN_EMAILS"],
  [{ AUTH_SECRET: "short" }, "AUTH_SECRET must"],
  [{ AUTH_SECRET_PREVIOUS: "short" }, "AUTH_SECRET_PREVIOUS must"],
  [{ AUTH_SECRET_PREVIOUS: SECRET }, "AUTH_SECRET_PREVIOUS is the same"],
  [{ AUTH_SECRET: "", APP_ENV: "production" }, "AUTH_SECRET"],
  [{ APP_ENV: "prod" }, "APP_ENV must be 'production' or 'development', not 'prod'"],
  [{ APP_ENV: "Production" }, "APP_ENV must"],
  ...["NONE", "log", "smtp", "no"].map((text) =>
    [{ EMAIL_PROVIDER: text }, `EMAIL_PROVIDER must be 'none', or nothing, not '${text}'`] as const
  ),
];

Deno.test("the line of a start names what is on, and no credential", async () => {
  const facts = startFacts(
    await read({
      DATABASE_URL: "libsql://db.example.com?authToken=s3cret",
      REDIS_URL: "redis://:s3cret@cache.example.com",
      AUTH_SECRET_PREVIOUS: "s3cret-of-last-year-with-more-than-32-bytes",
      ACCESS_LOG: "1",
    }),
  );
  assertEquals(facts, {
    database: "libsql://db.example.com",
    topology: "a server",
    switches: ["Redis", "previous secret", "access log"],
  });
});

for (const [variables, name] of REFUSED) {
  Deno.test(`readEnvironment() refuses ${JSON.stringify(variables)}`, async () => {
    await assertRejects(() => read(variables), Error, name);
  });
}

const SHARED =
  /^(APP_ENV|BASE_URL|WEBHOOK_RESOLVER_URL|AUTH_SECRET|SYSADMIN_EMAILS|EMAIL_PROVIDER|CLIENT_RATE_LIMIT|RIGHTS_MAX_AGE_MS|STATEMENT_TIMEOUT_MS|READ_TIMEOUT_MS|ACTION_TIMEOUT_MS|HOOK_TIMEOUT_MS|TRANSACTION_MAX_MS|ROWS_MAX_PER_TENANT)/;
const BINDINGS = {
  AUTH_SECRET: SECRET,
  DATABASE_URL: "libsql://db.example.com",
  BASE_URL: "https://api.example.com",
};

Deno.test("readWorkerEnvironment() refuses what readEnvironment() refuses, and takes the rest", () => {
  const { settings, sysadminEmails } = readWorkerEnvironment({
    ...BINDINGS,
    SYSADMIN_EMAILS: " root@example.com,, ",
  });
  assertEquals([settings.baseUrl, settings.production], ["https://api.example.com", true]);
  assertEquals(sysadminEmails, ["root@example.com"]);
  for (const [variables, name] of REFUSED.filter(([, name]) => SHARED.test(name))) {
    assertThrows(() => readWorkerEnvironment({ ...BINDINGS, ...variables }), Error, name);
  }
});

const LIMITS = {
  READ_TIMEOUT_MS: 1500,
  STATEMENT_TIMEOUT_MS: 2500,
  TRANSACTION_MAX_MS: 3500,
  ACTION_TIMEOUT_MS: 4500,
  HOOK_TIMEOUT_MS: 1700,
  RIGHTS_MAX_AGE_MS: 500,
  CLIENT_RATE_LIMIT: 70,
  ROWS_MAX_PER_TENANT: 80,
};

Deno.test("readWorkerEnvironment() obeys the limits that readEnvironment() obeys, as texts and as numbers", async () => {
  const limitsOf = ({ settings, statementLimits, rowsMaxPerTenant }: WorkerEnvironment) => ({
    ...statementLimits,
    rowsMaxPerTenant,
    rightsMaxAgeMs: settings.rightsMaxAgeMs,
    actionTimeoutMs: settings.actionTimeoutMs,
    hookTimeoutMs: settings.hookTimeoutMs,
    clientRateLimit: settings.clientRateLimit,
  });
  const texts = Object.fromEntries(
    Object.entries(LIMITS).map(([name, value]) => [name, String(value)]),
  );
  const { settings, statementLimits, rowsMaxPerTenant } = await read(texts);
  const wanted = limitsOf({
    ...readWorkerEnvironment(BINDINGS),
    settings,
    statementLimits,
    rowsMaxPerTenant,
  });
  assertEquals(wanted.rowsMaxPerTenant, 80);
  for (const given of [texts, LIMITS]) {
    assertEquals(limitsOf(readWorkerEnvironment({ ...BINDINGS, ...given })), wanted);
  }
});

Deno.test("readEnvironment() makes a secret once and keeps it beside the database, for its owner only", async () => {
  await withTempFolder(async (folder) => {
    const variables = { AUTH_SECRET: "", DATABASE_URL: `file:${folder}/data/app.db` };
    const first = await read(variables);
    const second = await read(variables);
    assertEquals(second.settings.authSecret, first.settings.authSecret);
    const { mode } = await Deno.stat(`${folder}/data/auth_secret`);
    assert(mode !== null && (mode & 0o077) === 0, `mode ${mode?.toString(8)}`);
    const other = await read({ AUTH_SECRET: "", DATABASE_URL: `file:${folder}/other/app.db` });
    assertNotEquals(other.settings.authSecret, first.settings.authSecret);
  });
});

for (const mode of [0o640, 0o604, 0o620, 0o644, 0o666]) {
  Deno.test(`readEnvironment() takes no kept secret of mode ${mode.toString(8)}, and says chmod`, async () => {
    await withTempFolder(async (folder) => {
      const variables = { AUTH_SECRET: "", DATABASE_URL: `file:${folder}/app.db` };
      const { settings } = await read(variables);
      await Deno.chmod(`${folder}/auth_secret`, mode);
      await assertRejects(() => read(variables), Error, `chmod 600 "${folder}/auth_secret"`);
      await Deno.chmod(`${folder}/auth_secret`, 0o600);
      assertEquals((await read(variables)).settings.authSecret, settings.authSecret);
    });
  });
}

Deno.test("readEnvironment() reads the embeddings service, and refuses its parts without it", async () => {
  const EMBEDDINGS_URL = "https://ai.example.com/v1/embeddings";
  const { embeddings } = await read({ EMBEDDINGS_URL, EMBEDDINGS_KEY: "k", EMBEDDINGS_MODEL: "m" });
  assertEquals(embeddings, { url: EMBEDDINGS_URL, key: "k", model: "m" });
  for (
    const [name, variables] of [
      ["EMBEDDINGS_KEY", { EMBEDDINGS_KEY: "k" }],
      ["EMBEDDINGS_MODEL", { EMBEDDINGS_MODEL: "m" }],
      ["EMBEDDINGS_URL", { EMBEDDINGS_URL: "ftp://ai.example.com" }],
    ] as const
  ) {
    await assertRejects(() => read(variables), Error, name);
  }
});
