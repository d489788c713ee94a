/** A provider of OpenID Connect that the project names itself. */
export interface OidcProviderModel {
  readonly id: string;
  /** As the provider says it of itself: its document is found below it. */
  readonly issuer: string;
}

export interface SignInModel {
  /** A link in a message, which signs in whoever opens it. */
  readonly magicLink: boolean;
  /** A code in a message, to be typed in. */
  readonly emailCode: boolean;
  /** A code of a device beside whatever an account signs in with, for accounts that ask for it. */
  readonly twoFactor: boolean;
  /** A key of a device, which verifies its user itself. */
  readonly passkeys: boolean;
  /** Providers that the account library knows, sorted. */
  readonly social: readonly string[];
  readonly oidc: readonly OidcProviderModel[];
}
