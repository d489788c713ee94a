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
  /** Scheme of the `Authorization` header, as the client must send it. */
  readonly scheme: string;
  /** File with the verifier, and the name of its export. */
  readonly module: string;
  readonly export: "verify" | "default";
  readonly variants: readonly string[];
}

/** Rate limit of an address on the account routes. */
export interface AccountRateLimit {
  readonly enabled: boolean | "production";
  /** Window in seconds, and requests within it; null: the account library's defaults. */
  readonly window: number | null;
  readonly max: number | null;
}

export interface AuthModel {
  readonly emailAndPassword: boolean;
  /** True when only `sysadmin` makes accounts. */
  readonly disableSignUp: boolean;
  /** True when an account can sign in only after its address is confirmed. */
  readonly requireEmailVerification: boolean;
  /** Ways to sign in beside a password. Absent: there are none. */
  readonly signIn?: SignInModel;
  /** True when a `sysadmin` may act in an account's place. Absent: nobody may. */
  readonly impersonation?: true;
  readonly session: { readonly expiresInDays: number; readonly updateAgeInDays: number };
  readonly rateLimit: AccountRateLimit;
  /** Roles from the lowest to the highest. */
  readonly roleHierarchy: readonly string[];
  /** `auth.roles` of the configuration; absent when it has no such list. */
  readonly declaredRoles?: readonly string[];
  /** Every project role that the configuration lists or some rule names, sorted. */
  readonly roles: readonly string[];
  /** Settings of bearer tokens. Null: neither they nor the token endpoint exist (contract v2 without `auth.jwt`). */
  readonly jwt: JwtModel | null;
  /** Sorted by name. */
  readonly principals: readonly DelegatedPrincipalModel[];
}
