/** Verifiers of delegated principals (contract 5.6): `export const verify: PrincipalVerifier = async (credential, { env, db }) => …`. */
import type { HandlerEnv } from "../model/mod.ts";
import type { ScopedDatabase } from "./handler_context.ts";

/** Parameters of a verifier. There is no caller yet: `db` reads rows that belong to no tenant, owner or team. */
export interface VerifierParameters {
  readonly env: HandlerEnv;
  readonly db: Pick<
    ScopedDatabase,
    "select" | "selectDistinct" | "with" | "$with" | "$count" | "query"
  >;
}

/** All that a delegated principal is. */
export interface VerifiedPrincipal {
  /** One of those that `auth.principals` lists. */
  readonly variant: string;
  /** Name within its kind: up to 128 visible ASCII characters. */
  readonly subject: string;
  /** Roles that rules name; none that accounts, organizations or `auth.roleHierarchy` give. */
  readonly roles?: readonly string[];
}

/** Null refuses the credential; so does whatever is thrown. */
export type PrincipalVerifier = (
  credential: string,
  given: VerifierParameters,
) => VerifiedPrincipal | null | Promise<VerifiedPrincipal | null>;
