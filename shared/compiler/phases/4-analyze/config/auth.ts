/** `providers.auth` and `auth`: sign-in, sessions, roles, tokens and delegated principals (definitions 2). */
import {
  SESSION_DAYS,
  TOKEN_LIFETIME_MAX_SECONDS,
  TOKEN_LIFETIME_SECONDS,
} from "../../../../contract/limits.ts";
import { PSEUDO_ROLES } from "../../../../contract/principals.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "../../../../contract/versions.ts";
import type { AuthModel, JwtModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, readMember, requireField } from "../read/fields.ts";
import type { At } from "../read/reader.ts";
import {
  integer,
  listOf,
  mapOf,
  matching,
  oneOf,
  readBoolean,
  readText,
  readTokens,
} from "../read/scalars.ts";
import { ROLE_NAME } from "../resources/roles.ts";
import { readProvider } from "./providers.ts";

export const AUTH_KEYS: readonly string[] = ["roleHierarchy", "jwt", "principals"];

interface AuthSource {
  readonly fields: Fields;
  readonly providers: Fields | undefined;
  readonly contract: ContractVersion;
}

export function readAuth({ fields, providers, contract }: AuthSource): AuthModel {
  const auth = readMember(fields, "auth", { keys: AUTH_KEYS });
  if (auth) checkPrincipals(auth);
  return {
    ...readAccounts(providers),
    roleHierarchy: (auth && readField(auth, "roleHierarchy", readHierarchy)) ?? [],
    roles: [],
    jwt: readJwt(auth, contract),
  };
}

function readAccounts(
  providers: Fields | undefined,
): Pick<AuthModel, "emailAndPassword" | "session"> {
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
  if (options) checkAccountOptions(options);
  return {
    emailAndPassword: (options && readField(options, "emailAndPassword", readEnabled)) ?? true,
    session: {
      expiresInDays: (session && readField(session, "expiresInDays", integer(1, 365))) ??
        SESSION_DAYS,
      updateAgeInDays: (session && readField(session, "updateAgeInDays", integer(0, 365))) ?? 1,
    },
  };
}

/** A switch, or `{ enabled }`. */
function readEnabled(value: Value, at: At): boolean | undefined {
  if (value.kind !== "object") return readBoolean(value, at);
  const fields = readFields(value, { keys: ["enabled"] }, at);
  return fields && (readField(fields, "enabled", readBoolean) ?? true);
}

function checkAccountOptions(options: Fields): void {
  readField(options, "plugins", listOf(readText));
  readField(options, "rateLimit", (value, at) => {
    if (value.kind === "boolean") return value.value;
    const limits = readFields(value, { keys: ["enabled", "window", "max"] }, at);
    if (!limits) return undefined;
    readField(limits, "window", integer(1));
    readField(limits, "max", integer(1));
    return readField(limits, "enabled", readBoolean);
  });
}

function readHierarchy(value: Value, at: At): readonly string[] | undefined {
  const tokens = readTokens(value, at);
  for (const { text, place } of tokens ?? []) {
    const isPseudo = PSEUDO_ROLES.some((role) => role === text);
    if (!ROLE_NAME.test(text) || isPseudo) at.report.add("ROLE_NAME", place, { role: text });
  }
  return tokens?.map((token) => token.text);
}

const JWT_KEYS = ["expiresIn", "issuer", "audience", "algorithm", "revocationCheck"];

function readJwt(auth: Fields | undefined, contract: ContractVersion): JwtModel | null {
  const jwt = auth && readMember(auth, "jwt", { keys: JWT_KEYS });
  if (!jwt && !CONTRACT_VERSIONS[contract].tokenByDefault) return null;
  return {
    expiresIn: (jwt && readField(jwt, "expiresIn", integer(1, TOKEN_LIFETIME_MAX_SECONDS))) ??
      TOKEN_LIFETIME_SECONDS,
    issuer: (jwt && readField(jwt, "issuer", readText)) ?? null,
    audience: (jwt && readField(jwt, "audience", readText)) ?? null,
    algorithm: (jwt && readField(jwt, "algorithm", oneOf(["HS256", "EdDSA"]))) ?? "HS256",
    revocationCheck: (jwt && readField(jwt, "revocationCheck", readBoolean)) ?? false,
  };
}

/** An HTTP authentication scheme (RFC 9110) other than Bearer (contract 5.6). */
const DELEGATED_SCHEME = /^(?!bearer$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$/i;

function checkPrincipals(auth: Fields): void {
  const principals = readField(auth, "principals", mapOf(readPrincipal));
  const [first] = principals ?? [];
  if (first) {
    auth.at.report.add("FEATURE_NOT_SERVED", first.key.place, { feature: "auth.principals" });
  }
}

function readPrincipal(value: Value, at: At): true | undefined {
  const fields = readFields(value, { keys: ["scheme", "verify", "variants"] }, at);
  if (!fields) return undefined;
  requireField(fields, "scheme", matching(DELEGATED_SCHEME, "a scheme of its own, not Bearer"));
  requireField(fields, "verify", readText);
  requireField(fields, "variants", listOf(readText));
  return true;
}
