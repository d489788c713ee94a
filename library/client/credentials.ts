/** Credentials of a request: its headers, and others when those have expired (contract 5.1). */

export interface Credentials {
  /** Headers for the next request. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** True when other headers are there in place of these, which were refused as expired. */
  renew(expired: Readonly<Record<string, string>>): Promise<boolean>;
}

/** Credentials that the application holds itself. */
export interface GivenCredentials {
  /** A bearer token, or where to get one before each request, and again when one has expired. */
  readonly token?: string | (() => string | Promise<string>);
  readonly apiKey?: string;
}

/** Null: the application holds none. */
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
