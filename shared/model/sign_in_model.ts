/** A provider of OpenID Connect that the project names itself. */
export interface OidcProviderModel {
  readonly id: string;
  /** Issuer as the provider states it. Its discovery document is below it. */
  readonly issuer: string;
}

export interface SignInModel {
  /** True when a mailed link signs in whoever opens it. */
  readonly magicLink: boolean;
  /** True when a mailed code can be typed in to sign in. */
  readonly emailCode: boolean;
  /** True when accounts may ask for a device's code beside the first factor. */
  readonly twoFactor: boolean;
  /** True when accounts may use passkeys, which verify the user on the device. */
  readonly passkeys: boolean;
  /** Providers that the account library knows, sorted. */
  readonly social: readonly string[];
  readonly oidc: readonly OidcProviderModel[];
}
