/** `auth`: roles, tokens and delegated principals, beside what `providers.auth` says (definitions 2). */
import { PSEUDO_ROLES, ROLE_NAME } from "../../../../contract/principals.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "../../../../contract/versions.ts";
import type { AuthModel, JwtModel } from "../../../../model/project.ts";
import { read } from "../read/read_member.ts";
import { readAccounts } from "./accounts.ts";
import type { AuthFields, ConfigFields } from "./config_fields.ts";
import { type PrincipalDraft, readPrincipals } from "./principals.ts";

export interface AuthReading {
  /** Its principals are settled when the verifiers' files are known. */
  readonly model: AuthModel;
  /** Undefined: not all could be read. */
  readonly principals: readonly PrincipalDraft[] | undefined;
}

export function readAuth(config: ConfigFields, contract: ContractVersion): AuthReading {
  const auth = read(config, "auth");
  return {
    principals: readPrincipals(auth),
    model: {
      ...readAccounts(config, read(config, "providers")),
      roleHierarchy: readHierarchy(auth),
      roles: [],
      jwt: readJwt(auth, contract),
      principals: [],
    },
  };
}

function readHierarchy(auth: AuthFields): readonly string[] {
  const tokens = read(auth, "roleHierarchy") ?? [];
  for (const { text, place } of tokens) {
    const isPseudo = PSEUDO_ROLES.some((role) => role === text);
    if (!ROLE_NAME.test(text) || isPseudo) auth.at.report.add("ROLE_NAME", place, { role: text });
  }
  return tokens.map((token) => token.text);
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
