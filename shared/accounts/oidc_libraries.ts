/**
 * The account library with one provider of OpenID Connect, opened by the first request that names it: what the provider's own
 * document says is read then. A provider that is away keeps nobody from signing in otherwise, and is asked again.
 */
import type { OidcProviderModel } from "../model/mod.ts";

/** A library whose providers are known. */
export interface ProviderLibrary {
  handle(request: Request): Promise<Response>;
  /** As the provider's document names it; undefined: it could not be read. */
  issuerOf(provider: string): Promise<string | undefined>;
}

/** Answers requests to these providers; null for any other request. */
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

/** The provider that a request names: in its path where one leads back from there, else in its body. */
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
