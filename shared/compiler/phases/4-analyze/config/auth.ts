/** `auth`: roles, tokens and delegated principals, beside what `providers.auth` says (definitions 2). */
import { TOKEN_LIFETIME_MAX_SECONDS, TOKEN_LIFETIME_SECONDS } from "../../../../contract/limits.ts";
import { PSEUDO_ROLES, ROLE_NAME } from "../../../../contract/principals.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "../../../../contract/versions.ts";
import type { AuthModel, JwtModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import type { At } from "../read/reader.ts";
import { integer, oneOf, readBoolean, readText, readTokens } from "../read/scalars.ts";
import { readAccounts } from "./accounts.ts";
import { type PrincipalDraft, readPrincipals } from "./principals.ts";

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
      ...readAccounts(fields, providers),
      roleHierarchy: (auth && readField(auth, "roleHierarchy", readHierarchy)) ?? [],
      roles: [],
      jwt: readJwt(auth, contract),
      principals: [],
    },
  };
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
