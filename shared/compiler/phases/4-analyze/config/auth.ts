/** Reads `auth` and `providers.auth`: roles, tokens, delegated principals, and the account library (definitions 2). */
import { CONTRACT_VERSIONS, type ContractVersion } from "../../../../contract/mod.ts";
import { PASSWORD_ATTEMPTS, PSEUDO_ROLES, ROLE_NAME } from "../../../../contract/mod.ts";
import { AUTH_OPTIONS } from "../../../../definition_language/providers.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { AuthModel, JwtModel } from "../../../../model/mod.ts";
import { Report } from "../../../diagnostics/report.ts";
import { described, noFields, read } from "../read/mod.ts";
import { AccountOptions } from "./account_options.ts";
import type { AuthFields, ConfigFields, ProviderFields } from "./config_fields.ts";
import { readFeatures } from "./features.ts";
import { type PrincipalDraft, readPrincipals } from "./principals.ts";
import { readProvider } from "./providers.ts";
import { readSignIn } from "./sign_in.ts";

export interface AuthReading {
  /** The model of accounts. Its principals are added when the verifiers' files are known. */
  readonly model: AuthModel;
  /** Delegated principals; undefined if some could not be read. */
  readonly principals: readonly PrincipalDraft[] | undefined;
}

export function readAuth(config: ConfigFields, contract: ContractVersion): AuthReading {
  const auth = read(config, "auth");
  const declared = readRoleNames(auth, "roles");
  return {
    principals: readPrincipals(auth),
    model: {
      ...readAccounts(config, read(config, "providers")),
      roleHierarchy: readRoleNames(auth, "roleHierarchy") ?? [],
      ...(declared === undefined ? {} : { declaredRoles: declared }),
      roles: [],
      jwt: readJwt(auth, contract),
      principals: [],
    },
  };
}

function readRoleNames(
  auth: AuthFields,
  key: "roleHierarchy" | "roles",
): readonly string[] | undefined {
  const tokens = read(auth, key);
  for (const { text, place } of tokens ?? []) {
    const isPseudo = PSEUDO_ROLES.some((role) => role === text);
    if (!ROLE_NAME.test(text) || isPseudo) auth.at.report.add("ROLE_NAME", place, { role: text });
  }
  return tokens?.map((token) => token.text);
}

function readJwt(auth: AuthFields, contract: ContractVersion): JwtModel | null {
  const jwt = read(auth, "jwt");
  if (!jwt.isGiven && !CONTRACT_VERSIONS[contract].tokenByDefault) return null;
  return {
    expiresIn: read(jwt, "expiresIn"),
    issuer: read(jwt, "issuer") ?? null,
    audience: read(jwt, "audience") ?? null,
    algorithm: read(jwt, "algorithm"),
    revocationCheck: read(jwt, "revocationCheck"),
  };
}

type Passwords = Pick<
  AuthModel,
  "emailAndPassword" | "disableSignUp" | "requireEmailVerification"
>;
type Accounts =
  & Passwords
  & Pick<AuthModel, "signIn" | "impersonation" | "session" | "rateLimit">;

/** Reads `providers.auth`: sign-in, sessions, plugins and limits of the account library (definitions 2). */
function readAccounts(config: ConfigFields, providers: ProviderFields): Accounts {
  const options = readProvider(providers, "auth", {
    define: "defineAuth",
    names: ["better-auth"],
    wide: AUTH_OPTIONS,
    optionsOf: () => AUTH_OPTIONS,
  })?.options ?? noFields(AUTH_OPTIONS, providers.place, providers.at);
  // Reads these again without reports, because each is reported where it is read first.
  const multiTenant = readFeatures(quietly(config));
  checkPlugins(options, multiTenant);
  const passwords = readPasswords(options);
  const session = read(options, "session");
  return {
    ...passwords,
    ...readSignIn(options, passwords, quietly(config)),
    ...(read(options, "impersonation") ? { impersonation: true } : {}),
    session: {
      expiresInDays: read(session, "expiresInDays"),
      updateAgeInDays: read(session, "updateAgeInDays"),
    },
    rateLimit: readRateLimit(options),
  };
}

/**
 * Checks the account plugins that the project lists. Each is always on, or switched on by a key of its own, or known but not
 * served, or unknown.
 */
function checkPlugins(options: AccountOptions, multiTenant: boolean): void {
  const { report, path } = options.at;
  for (const { text, place } of read(options, "plugins") ?? []) {
    if (!multiTenant && /^(organizations?|teams)$/.test(text)) {
      report.add("PLUGIN_WITHOUT_ORGANIZATIONS", place, { plugin: text });
    }
    if (SERVED.includes(text) || SYNONYMS.includes(text)) continue;
    const key = BY_KEY.get(text);
    if (key !== undefined) {
      if (!options.entries.has(key)) report.add("PLUGIN_KEY_OFF", place, { plugin: text, key });
      continue;
    }
    if (NOT_SERVED.includes(text)) {
      report.add("FEATURE_NOT_SERVED", place, { feature: `The account plugin "${text}"` });
      continue;
    }
    report.add("VALUE_UNKNOWN", place, {
      path: `${path}.plugins`,
      found: described({ kind: "string", value: text, place }),
      options: `one of ${SERVED.map((name) => JSON.stringify(name)).join(", ")}`,
      nearest: nearest(text, [...SERVED, ...NOT_SERVED]),
      form: null,
    });
  }
}

/** Reads a boolean, or an object in its place. */
function readPasswords(options: AccountOptions): Passwords {
  const said = read(options, "emailAndPassword") ?? true;
  if (typeof said === "boolean") {
    return { emailAndPassword: said, disableSignUp: false, requireEmailVerification: false };
  }
  return {
    emailAndPassword: read(said, "enabled"),
    disableSignUp: read(said, "disableSignUp"),
    requireEmailVerification: read(said, "requireEmailVerification"),
  };
}

const LIMITS_THAT_HOLD =
  `window and max for every account route alike, and ${PASSWORD_ATTEMPTS.limit} wrong passwords in ${PASSWORD_ATTEMPTS.period} s for an account and address`;

/**
 * Reads the window in seconds and the number of requests after which an address is refused. An author who sets one of them
 * wants the limit on every platform.
 */
function readRateLimit(options: AccountOptions): AuthModel["rateLimit"] {
  const said = read(options, "rateLimit") ?? "production";
  if (typeof said !== "object") return { enabled: said, window: null, max: null };
  const rules = said.entries.get("customRules");
  if (rules) said.at.report.add("RATE_RULES_IGNORED", rules.keyPlace, { limits: LIMITS_THAT_HOLD });
  return {
    enabled: read(said, "enabled"),
    window: read(said, "window") ?? null,
    max: read(said, "max") ?? null,
  };
}

/** Plugins that are always on, because the generated API is built on them. */
const SERVED = ["organization", "teams", "admin", "apiKey"];

/** Plural spellings of these names, which some authors write. */
const SYNONYMS = ["organizations", "apiKeys"];

/** Plugins that a key beside the list switches on. */
const BY_KEY: ReadonlyMap<string, string> = new Map([
  ["emailOTP", "emailCode"],
  ["genericOAuth", "oidc"],
  ["magicLink", "magicLink"],
  ["passkey", "passkeys"],
  ["twoFactor", "twoFactor"],
]);

/** Other plugins of the account library. They would need a third party's provider, device or page. */
const NOT_SERVED = [
  "anonymous",
  "bearer",
  "captcha",
  "customSession",
  "deviceAuthorization",
  "haveIBeenPwned",
  "jwt",
  "lastLoginMethod",
  "mcp",
  "multiSession",
  "oAuthProxy",
  "oidcProvider",
  "oneTap",
  "oneTimeToken",
  "openAPI",
  "phoneNumber",
  "siwe",
  "sso",
  "stripe",
  "username",
];

function quietly(config: ConfigFields): ConfigFields {
  return { ...config, at: { ...config.at, report: new Report() } };
}
