/** A provider of OpenID Connect on this machine, whose user has always said yes. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export const CLIENT = { id: "desk", secret: "a secret of the client" };

export interface OidcUser {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
}

export interface OidcServer extends AsyncDisposable {
  readonly issuer: string;
  /** Whoever sits in front of the browser. */
  user: OidcUser;
  /** Claims of the next tokens in another form than they should have. */
  wrong: Readonly<Record<string, unknown>>;
  /** What its address for profiles answers; null: there is none. */
  profile: Readonly<Record<string, unknown>> | null;
  /** The next answers have no token that names the user. */
  unsigned: boolean;
  /** The next tokens are signed by somebody else. */
  forged: boolean;
  /** Another issuer than its own stands in its document. */
  saysIssuer: string | null;
  /** What the browser is sent back to, having gone to the address that the API named. */
  visit(url: string): Promise<URL>;
}

interface Grant {
  readonly user: OidcUser;
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** Starts the provider at a port of its own. */
export async function oidcServer(): Promise<OidcServer> {
  const [keys, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const jwk = { ...await exportJWK(keys.publicKey), kid: "one", alg: "RS256", use: "sig" };
  const grants = new Map<string, Grant>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => answer(request),
  );
  const issuer = `http://127.0.0.1:${server.addr.port}/realms/desk`;
  const state: Omit<OidcServer, "visit" | "issuer" | typeof Symbol.asyncDispose> = {
    user: { sub: "u1", email: "anna@example.com", email_verified: true, name: "Anna" },
    wrong: {},
    profile: null,
    unsigned: false,
    forged: false,
    saysIssuer: null,
  };

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    switch (url.href.slice(issuer.length).split("?")[0]) {
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer: state.saysIssuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          userinfo_endpoint: `${issuer}/me`,
          id_token_signing_alg_values_supported: ["RS256"],
        });
      case "/jwks":
        return Response.json({ keys: [jwk] });
      case "/authorize":
        return authorize(url.searchParams);
      case "/me":
        return state.profile === null
          ? new Response(null, { status: 404 })
          : Response.json(state.profile);
      case "/token":
        return await token(request, new URLSearchParams(await request.text()));
      default:
        return new Response(null, { status: 404 });
    }
  }

  function authorize(asked: URLSearchParams): Response {
    const redirectUri = asked.get("redirect_uri") ?? "";
    const isWhole = asked.get("client_id") === CLIENT.id && asked.get("response_type") === "code" &&
      asked.get("code_challenge_method") === "S256" && asked.get("scope")?.includes("openid");
    if (!isWhole) return new Response(`Not to be authorized: ${asked}`, { status: 400 });
    const code = crypto.randomUUID();
    grants.set(code, {
      user: state.user,
      nonce: asked.get("nonce"),
      challenge: asked.get("code_challenge") ?? "",
      redirectUri,
    });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("iss", issuer);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async function token(request: Request, body: URLSearchParams): Promise<Response> {
    const grant = grants.get(body.get("code") ?? "");
    grants.delete(body.get("code") ?? "");
    const basic = `Basic ${
      btoa(`${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret)}`)
    }`;
    const isClient = request.headers.get("authorization") === basic ||
      (body.get("client_id") === CLIENT.id && body.get("client_secret") === CLIENT.secret);
    const verifier = new TextEncoder().encode(body.get("code_verifier") ?? "");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", verifier));
    const challenge = digest.toBase64({ alphabet: "base64url", omitPadding: true });
    if (
      !grant || !isClient || challenge !== grant.challenge ||
      body.get("redirect_uri") !== grant.redirectUri
    ) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const claims = {
      ...grant.user,
      nonce: grant.nonce,
      iss: issuer,
      aud: CLIENT.id,
      ...state.wrong,
    };
    const id_token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuedAt().setExpirationTime("5m")
      .sign((state.forged ? foreign : keys).privateKey);
    return Response.json({
      access_token: "an access token of the provider",
      refresh_token: "a refresh token of the provider",
      token_type: "Bearer",
      expires_in: 3600,
      ...(state.unsigned ? {} : { id_token }),
    });
  }

  return Object.assign(state, {
    issuer,
    async visit(url: string) {
      const response = await fetch(url, { redirect: "manual" });
      const text = await response.text();
      if (response.status !== 302) throw new Error(`${response.status} ${text}`);
      return new URL(response.headers.get("location") ?? "");
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  });
}
