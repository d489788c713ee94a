/** Credentials of requests: headers, and a way to renew them when they expire (contract 5.1). */

export interface Credentials {
  /** Returns the headers of the next request. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Renews expired headers. Returns true if there are new ones. */
  renew(expired: Readonly<Record<string, string>>): Promise<boolean>;
}

/** Credentials that the application itself holds. */
export interface GivenCredentials {
  /** A bearer token, or a function that returns one before each request and after an expiry. */
  readonly token?: string | (() => string | Promise<string>);
  readonly apiKey?: string;
}

/** Makes credentials; null: the application holds none. */
export function givenCredentials({ token, apiKey }: GivenCredentials): Credentials | null {
  if (token === undefined && apiKey === undefined) return null;
  return {
    async headers() {
      const bearer = typeof token === "function" ? await token() : token;
      return {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      };
    },
    renew: () => Promise.resolve(typeof token === "function"),
  };
}
