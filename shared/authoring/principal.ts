/** Verifiers of delegated principals (contract 5.6): `export const verify: PrincipalVerifier = async (credential, { env, db }) => …`. */
import type { HandlerEnv } from "../model/mod.ts";
import type { ScopedDatabase } from "./handler_context.ts";

/** Parameters of a verifier. There is no caller yet, so `db` reads only rows without a tenant, owner or team. */
export interface VerifierParameters {
  readonly env: HandlerEnv;
  readonly db: Pick<
    ScopedDatabase,
    "select" | "selectDistinct" | "with" | "$with" | "$count" | "query"
  >;
}

/** The identity of a delegated principal. */
export interface VerifiedPrincipal {
  /** One of the variants in `auth.principals`. */
  readonly variant: string;
  /** Name within its kind: up to 128 visible ASCII characters. */
  readonly subject: string;
  /** Roles that rules may name. They cannot be roles of accounts, of organizations or of `auth.roleHierarchy`. */
  readonly roles?: readonly string[];
}

/** Returns the principal. Null, or any error, refuses the credential. */
export type PrincipalVerifier = (
  credential: string,
  given: VerifierParameters,
) => VerifiedPrincipal | null | Promise<VerifiedPrincipal | null>;
