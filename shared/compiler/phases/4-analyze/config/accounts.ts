/** `providers.auth`: sign-in, sessions, plugins and limits of the account library (definitions 2). */
import { SESSION_DAYS } from "../../../../contract/limits.ts";
import { PASSWORD_ATTEMPTS } from "../../../../contract/rate_limits.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { AuthModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, readMember } from "../read/fields.ts";
import { type At, described } from "../read/reader.ts";
import { integer, readBoolean, readTokens } from "../read/scalars.ts";
import { Report } from "../../../diagnostics/report.ts";
import { readEmail } from "./email.ts";
import { readFeatures } from "./features.ts";
import { readProvider } from "./providers.ts";

type Passwords = Pick<
  AuthModel,
  "emailAndPassword" | "disableSignUp" | "requireEmailVerification"
>;
type Accounts = Passwords & Pick<AuthModel, "session" | "rateLimit">;

export function readAccounts(fields: Fields, providers: Fields | undefined): Accounts {
  const provider = providers && readField(
    providers,
    "auth",
    readProvider({
      define: "defineAuth",
      names: ["better-auth"],
      keys: () => ["emailAndPassword", "plugins", "session", "rateLimit"],
    }),
  );
  const options = provider?.options;
  const session = options &&
    readMember(options, "session", { keys: ["expiresInDays", "updateAgeInDays"] });
  if (options) checkPlugins(options, isMultiTenant(fields));
  const passwords = (options && readField(options, "emailAndPassword", readPasswords)) ?? PASSWORDS;
  const entry = options?.entries.get("emailAndPassword");
  if (entry && passwords.requireEmailVerification && !hasMailServer(fields)) {
    fields.at.report.add("VERIFICATION_BY_LOG", entry.keyPlace, {});
  }
  return {
    ...passwords,
    session: {
      expiresInDays: (session && readField(session, "expiresInDays", integer(1, 365))) ??
        SESSION_DAYS,
      updateAgeInDays: (session && readField(session, "updateAgeInDays", integer(0, 365))) ?? 1,
    },
    rateLimit: (options && readField(options, "rateLimit", readRateLimit)) ?? BY_DEFAULT,
  };
}

const PASSWORDS: Passwords = {
  emailAndPassword: true,
  disableSignUp: false,
  requireEmailVerification: false,
};

const PASSWORD_KEYS = ["enabled", "requireEmailVerification", "disableSignUp"];

/** A switch, or what it says in particular. */
function readPasswords(value: Value, at: At): Passwords | undefined {
  if (value.kind !== "object") {
    const emailAndPassword = readBoolean(value, at);
    return emailAndPassword === undefined ? undefined : { ...PASSWORDS, emailAndPassword };
  }
  const fields = readFields(value, { keys: PASSWORD_KEYS }, at);
  const said = (key: string) => fields && readField(fields, key, readBoolean);
  return fields && {
    emailAndPassword: said("enabled") ?? true,
    disableSignUp: said("disableSignUp") ?? false,
    requireEmailVerification: said("requireEmailVerification") ?? false,
  };
}

const BY_DEFAULT: AuthModel["rateLimit"] = { enabled: "production", window: null, max: null };

const LIMITS_THAT_HOLD =
  `window and max for every account route alike, and ${PASSWORD_ATTEMPTS.limit} wrong passwords in ${PASSWORD_ATTEMPTS.period} s for an account and address`;

/** Seconds and requests beyond which an address is refused; whoever says something wants it everywhere. */
function readRateLimit(value: Value, at: At): AuthModel["rateLimit"] | undefined {
  if (value.kind !== "object") {
    const enabled = readBoolean(value, at);
    return enabled === undefined ? undefined : { ...BY_DEFAULT, enabled };
  }
  const limits = readFields(value, { keys: ["enabled", "window", "max", "customRules"] }, at);
  const rules = limits?.entries.get("customRules");
  if (rules) at.report.add("RATE_RULES_IGNORED", rules.keyPlace, { limits: LIMITS_THAT_HOLD });
  return limits && {
    enabled: readField(limits, "enabled", readBoolean) ?? true,
    window: readField(limits, "window", integer(1, 86_400)) ?? null,
    max: readField(limits, "max", integer(1)) ?? null,
  };
}

/** Always on: what the generated API is made of. */
const SERVED = ["organization", "teams", "admin", "apiKey"];

/** The same in the plural, as some write them. */
const SYNONYMS = ["organizations", "apiKeys"];

/** Other plugins of the account library: they would need a provider, a device or a page of somebody else. */
const NOT_SERVED = [
  "anonymous",
  "bearer",
  "captcha",
  "customSession",
  "deviceAuthorization",
  "emailOTP",
  "genericOAuth",
  "haveIBeenPwned",
  "jwt",
  "lastLoginMethod",
  "magicLink",
  "mcp",
  "multiSession",
  "oAuthProxy",
  "oidcProvider",
  "oneTap",
  "oneTimeToken",
  "openAPI",
  "passkey",
  "phoneNumber",
  "siwe",
  "sso",
  "stripe",
  "twoFactor",
  "username",
];

/** Checks the account plugins that the project relies on: each is served, known but not served, or unknown. */
function checkPlugins(options: Fields, multiTenant: boolean): void {
  const { report, path } = options.at;
  for (const { text, place } of readField(options, "plugins", readTokens) ?? []) {
    if (!multiTenant && /^(organizations?|teams)$/.test(text)) {
      report.add("PLUGIN_WITHOUT_ORGANIZATIONS", place, { plugin: text });
    }
    if (SERVED.includes(text) || SYNONYMS.includes(text)) continue;
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

/** Read again, without a word: each is reported where it is read. */
function isMultiTenant(fields: Fields): boolean {
  return readFeatures(quietly(fields));
}

function hasMailServer(fields: Fields): boolean {
  return readEmail(quietly(fields)).provider === "smtp";
}

function quietly(fields: Fields): Fields {
  return { ...fields, at: { ...fields.at, report: new Report() } };
}
