/** Accounts, tokens and delegated principals of a project, as its configuration declares them. */
import type { SignInModel } from "./sign_in_model.ts";

export interface JwtModel {
  /** Seconds. */
  readonly expiresIn: number;
  /** Null: `BASE_URL`. */
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly algorithm: "HS256" | "EdDSA";
  readonly revocationCheck: boolean;
}

/** An authenticator of the project's own (contract 5.6). */
export interface DelegatedPrincipalModel {
  readonly name: string;
  /** Of the `Authorization` header, as it must be sent. */
  readonly scheme: string;
  /** Path of the file that verifies, and what it exports as the verifier. */
  readonly module: string;
  readonly export: "verify" | "default";
  readonly variants: readonly string[];
}

/** Rate limit of an address on the account routes. */
export interface AccountRateLimit {
  readonly enabled: boolean | "production";
  /** Seconds, and requests within them; null: the account library's own. */
  readonly window: number | null;
  readonly max: number | null;
}

export interface AuthModel {
  readonly emailAndPassword: boolean;
  /** Accounts are made by `sysadmin` alone. */
  readonly disableSignUp: boolean;
  /** Accounts sign in only once their address is confirmed. */
  readonly requireEmailVerification: boolean;
  /** Ways to sign in beside a password; absent: there are none. */
  readonly signIn?: SignInModel;
  /** A `sysadmin` may act in an account's place. Absent: nobody may. */
  readonly impersonation?: true;
  readonly session: { readonly expiresInDays: number; readonly updateAgeInDays: number };
  readonly rateLimit: AccountRateLimit;
  /** Lowest first. */
  readonly roleHierarchy: readonly string[];
  /** `auth.roles`; absent where the configuration does not have it. */
  readonly declaredRoles?: readonly string[];
  /** Every project role that the configuration lists or some rule names, sorted. */
  readonly roles: readonly string[];
  /** Null: bearer tokens and the token endpoint do not exist (contract v2 without `auth.jwt`). */
  readonly jwt: JwtModel | null;
  /** Sorted by name. */
  readonly principals: readonly DelegatedPrincipalModel[];
}
