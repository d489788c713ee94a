/**
 * Instances of the account library with one OpenID Connect provider each. The first request for a provider opens its instance
 * and reads the provider's discovery document. A provider that is down does not affect other ways to sign in, and is asked
 * again.
 */
import type { OidcProviderModel } from "../model/mod.ts";

/** A library instance with a known provider. */
export interface ProviderLibrary {
  handle(request: Request): Promise<Response>;
  /** Returns the issuer from the provider's document; undefined: the document could not be read. */
  issuerOf(provider: string): Promise<string | undefined>;
}

/** Returns a handler of requests to these providers. It gives null for any other request. */
export function oidcHandler(
  providers: readonly OidcProviderModel[],
  open: (provider: OidcProviderModel) => ProviderLibrary,
): (request: Request) => Promise<Response | null> {
  const libraries = new Map<string, ProviderLibrary>();
  return async (request) => {
    if (providers.length === 0) return null;
    const asked = await providerIn(request);
    const provider = providers.find(({ id }) => id === asked);
    if (provider === undefined) return null;
    const { id, issuer } = provider;
    const library = libraries.get(id) ?? open(provider);
    if (!libraries.has(id)) {
      const said = await library.issuerOf(id);
      if (said?.replace(/\/+$/, "") !== issuer) {
        return Response.json({
          code: "PROVIDER_UNAVAILABLE",
          message: `The provider "${id}" cannot be asked now, or calls itself by another issuer`,
        }, { status: 503, headers: { "retry-after": "10" } });
      }
      libraries.set(id, library);
    }
    return await library.handle(request);
  };
}

/** Returns the provider that a request names: in the path of a callback, else in the body. */
async function providerIn(request: Request): Promise<string | null> {
  const { pathname } = new URL(request.url);
  const called = /\/callback\/([^/]+)$/.exec(pathname);
  if (called) return called[1] ?? null;
  if (!/\/(sign-in\/social|link-social)$/.test(pathname)) return null;
  const body: unknown = await request.clone().json();
  const named: unknown = typeof body === "object" && body !== null
    ? Reflect.get(body, "provider")
    : null;
  return typeof named === "string" ? named : null;
}
