/** `providers.auth` and `auth`: sign-in, sessions, roles, tokens and delegated principals (definitions 2). */
import {
  SESSION_DAYS,
  TOKEN_LIFETIME_MAX_SECONDS,
  TOKEN_LIFETIME_SECONDS,
} from "../../../../contract/limits.ts";
import { PSEUDO_ROLES, ROLE_NAME } from "../../../../contract/principals.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "../../../../contract/versions.ts";
import type { AuthModel, JwtModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, readMember } from "../read/fields.ts";
import type { At } from "../read/reader.ts";
import { integer, listOf, oneOf, readBoolean, readText, readTokens } from "../read/scalars.ts";
import { type PrincipalDraft, readPrincipals } from "./principals.ts";
import { readProvider } from "./providers.ts";

export const AUTH_KEYS: readonly string[] = ["roleHierarchy", "jwt", "principals"];

interface AuthSource {
  readonly fields: Fields;
  readonly providers: Fields | undefined;
  readonly contract: ContractVersion;
}

export interface AuthReading {
  /** Its principals are settled when the verifiers' files are known. */
  readonly model: AuthModel;
  /** Undefined: not all could be read. */
  readonly principals: readonly PrincipalDraft[] | undefined;
}

export function readAuth({ fields, providers, contract }: AuthSource): AuthReading {
  const auth = readMember(fields, "auth", { keys: AUTH_KEYS });
  return {
    principals: readPrincipals(auth),
    model: {
      ...readAccounts(providers),
      roleHierarchy: (auth && readField(auth, "roleHierarchy", readHierarchy)) ?? [],
      roles: [],
      jwt: readJwt(auth, contract),
      principals: [],
    },
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
