/** Bearer tokens: whose word they are taken for, and the classic attacks (definitions 7, "JWT"). */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { base64url, SignJWT } from "jose";
import type { JwtModel } from "../../../shared/model/auth.ts";
import {
  createTokenKeys,
  createTokenVerifier,
  TOKEN_MAX_LENGTH,
} from "../../../shared/runtime/layers/1-authentication/bearer_token.ts";

const SECRET = new TextEncoder().encode("unit-test-secret-of-more-than-32-bytes");
const BASE_URL = "http://localhost:8000";
const NOW = 1_800_000_000;
const JWT: JwtModel = {
  expiresIn: 900,
  issuer: null,
  audience: null,
  algorithm: "HS256",
  revocationCheck: false,
};

type Members = Record<string, unknown>;

const CLAIMS: Members = {
  sub: "usr_1",
  orgId: "org_1",
  teamId: "team_1",
  roles: ["agent", "lead"],
  iat: NOW,
  exp: NOW + 900,
  iss: BASE_URL,
  aud: BASE_URL,
  jti: "jti_1",
};

/** What stands before the 32 bytes of an Ed25519 key (RFC 8410, 4). */
const DER_PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

const encoded = (value: unknown): string =>
  base64url.encode(typeof value === "string" ? value : JSON.stringify(value));

/** Signs whatever it is given, as an attacker or a careless issuer would. */
async function signed(
  payload: unknown,
  header: Members = { alg: "HS256", typ: "JWT" },
  options: { secret?: Uint8Array; hash?: string } = {},
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    new Uint8Array(options.secret ?? SECRET),
    { name: "HMAC", hash: options.hash ?? "SHA-256" },
    false,
    ["sign"],
  );
  const input = `${encoded(header)}.${encoded(payload)}`;
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(input));
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}

const verifier = (jwt: JwtModel = JWT, now = NOW) =>
  createTokenVerifier({
    jwt,
    settings: { baseUrl: BASE_URL, authSecret: SECRET },
    clock: { now: () => now * 1000 },
  });

async function outcome(token: string, jwt: JwtModel = JWT): Promise<string> {
  const verdict = await verifier(jwt)(token);
  return verdict.kind === "refused" ? verdict.code : "principal";
}

Deno.test("a token's claims are the principal, whoever signed them with the secret", async () => {
  assertEquals(await verifier()(await signed({ ...CLAIMS, userRole: "sysadmin" })), {
    kind: "principal",
    principal: {
      credential: "token",
      userId: "usr_1",
      organizationId: "org_1",
      teamId: "team_1",
      roles: ["agent", "lead"],
      userRole: "sysadmin",
    },
  });
});

Deno.test("a token without organization, team and roles belongs to a user and nobody else", async () => {
  const { orgId: _org, teamId: _team, roles: _roles, ...rest } = CLAIMS;
  const nobody = {
    credential: "token" as const,
    userId: "usr_1",
    organizationId: null,
    teamId: null,
    roles: [],
    userRole: null,
  };
  const nulls = { ...CLAIMS, orgId: null, teamId: null, roles: null, userRole: null };
  for (const claims of [rest, nulls]) {
    assertEquals(await verifier()(await signed(claims)), { kind: "principal", principal: nobody });
  }
});

Deno.test("platform and pseudo-roles named among the roles are not held", async () => {
  const roles = ["sysadmin", "agent", "PUBLIC", "SESSION", "appmanager", "agent", "SCOPED"];
  const verdict = await verifier()(await signed({ ...CLAIMS, roles }));
  assertEquals(verdict.kind === "principal" ? verdict.principal.roles : verdict, ["agent"]);
});

const header = (more: Members): Members => ({ alg: "HS256", typ: "JWT", ...more });
const without = (claim: string): Members => {
  const { [claim]: _, ...rest } = CLAIMS;
  return rest;
};
const good = await signed(CLAIMS);
const [goodHeader = "", goodPayload = "", goodSignature = ""] = good.split(".");

/** The same bytes: of the last letter of 32 bytes only four bits count. */
function respelt(token: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(token.at(-1) ?? "");
  return token.slice(0, -1) + alphabet[last + 1];
}

const TABLE: readonly (readonly [name: string, token: string, expected: string])[] = [
  ["a good token", good, "principal"],
  ["no typ", await signed(CLAIMS, { alg: "HS256" }), "principal"],
  ["one of several audiences", await signed({ ...CLAIMS, aud: ["x", BASE_URL] }), "principal"],
  ["iat a moment ahead", await signed({ ...CLAIMS, iat: NOW + 4 }), "principal"],
  ["24 hours to live", await signed({ ...CLAIMS, exp: NOW + 86_400 }), "principal"],

  ["expired just now", await signed({ ...CLAIMS, iat: NOW - 900, exp: NOW }), "AUTH_EXPIRED"],
  ["expired a second ago", await signed({ ...CLAIMS, iat: NOW - 9, exp: NOW - 1 }), "AUTH_EXPIRED"],
  ["expired before it was made", await signed({ ...CLAIMS, exp: NOW - 1 }), "AUTH_EXPIRED"],
  ["expired long ago", await signed({ ...CLAIMS, iat: 1, exp: 900 }), "AUTH_EXPIRED"],

  ["empty", "", "AUTH_INVALID_TOKEN"],
  ["no dots", "abc", "AUTH_INVALID_TOKEN"],
  ["padding after the signature", `${good}=`, "AUTH_INVALID_TOKEN"],
  [
    "padding after the header",
    `${goodHeader}=.${goodPayload}.${goodSignature}`,
    "AUTH_INVALID_TOKEN",
  ],
  ["a space after the signature", `${good} `, "AUTH_INVALID_TOKEN"],
  ["a line break after the signature", `${good}\n`, "AUTH_INVALID_TOKEN"],
  [
    "letters of plain base64",
    good.replaceAll("-", "+").replaceAll("_", "/") + "+",
    "AUTH_INVALID_TOKEN",
  ],
  ["another spelling of the signature", respelt(good), "AUTH_INVALID_TOKEN"],
  ["a signature of five letters", `${goodHeader}.${goodPayload}.AAAAA`, "AUTH_INVALID_TOKEN"],
  ["two parts", `${goodHeader}.${goodPayload}`, "AUTH_INVALID_TOKEN"],
  ["four parts", `${good}.x`, "AUTH_INVALID_TOKEN"],
  ["five parts", "a.b.c.d.e", "AUTH_INVALID_TOKEN"],
  ["no signature", `${goodHeader}.${goodPayload}.`, "AUTH_INVALID_TOKEN"],
  ["truncated signature", good.slice(0, -2), "AUTH_INVALID_TOKEN"],
  [
    "truncated payload",
    `${goodHeader}.${goodPayload.slice(4)}.${goodSignature}`,
    "AUTH_INVALID_TOKEN",
  ],
  ["not base64url", `${goodHeader}.!!!!.${goodSignature}`, "AUTH_INVALID_TOKEN"],
  ["not ASCII", `${goodHeader}.${goodPayload}ü.${goodSignature}`, "AUTH_INVALID_TOKEN"],
  [
    "oversize",
    await signed({ ...CLAIMS, jti: "x".repeat(TOKEN_MAX_LENGTH) }),
    "AUTH_INVALID_TOKEN",
  ],
  ["header is no object", `${encoded("[]")}.${goodPayload}.${goodSignature}`, "AUTH_INVALID_TOKEN"],
  ["payload is a string", await signed('"x"'), "AUTH_INVALID_TOKEN"],
  ["payload is an array", await signed("[]"), "AUTH_INVALID_TOKEN"],
  ["payload is no JSON", await signed("{"), "AUTH_INVALID_TOKEN"],
  [
    "payload of another token",
    `${goodHeader}.${encoded({ ...CLAIMS, sub: "usr_2" })}.${goodSignature}`,
    "AUTH_INVALID_TOKEN",
  ],

  ["alg none, unsigned", `${encoded({ alg: "none" })}.${goodPayload}.`, "AUTH_INVALID_TOKEN"],
  ["alg None, signed", await signed(CLAIMS, header({ alg: "None" })), "AUTH_INVALID_TOKEN"],
  ["no alg", await signed(CLAIMS, { typ: "JWT" }), "AUTH_INVALID_TOKEN"],
  [
    "HS384",
    await signed(CLAIMS, header({ alg: "HS384" }), { hash: "SHA-384" }),
    "AUTH_INVALID_TOKEN",
  ],
  [
    "HS512",
    await signed(CLAIMS, header({ alg: "HS512" }), { hash: "SHA-512" }),
    "AUTH_INVALID_TOKEN",
  ],
  ["RS256 signed as HMAC", await signed(CLAIMS, header({ alg: "RS256" })), "AUTH_INVALID_TOKEN"],
  ["EdDSA signed as HMAC", await signed(CLAIMS, header({ alg: "EdDSA" })), "AUTH_INVALID_TOKEN"],
  [
    "another secret",
    await signed(CLAIMS, header({}), { secret: new Uint8Array(32).fill(7) }),
    "AUTH_INVALID_TOKEN",
  ],
  ["kid", await signed(CLAIMS, header({ kid: "../../dev/null" })), "AUTH_INVALID_TOKEN"],
  ["jku", await signed(CLAIMS, header({ jku: "https://evil.example/jwks" })), "AUTH_INVALID_TOKEN"],
  ["jwk", await signed(CLAIMS, header({ jwk: { kty: "oct", k: "AA" } })), "AUTH_INVALID_TOKEN"],
  ["x5u", await signed(CLAIMS, header({ x5u: "https://evil.example" })), "AUTH_INVALID_TOKEN"],
  ["x5c", await signed(CLAIMS, header({ x5c: ["AA"] })), "AUTH_INVALID_TOKEN"],
  ["zip", await signed(CLAIMS, header({ zip: "DEF" })), "AUTH_INVALID_TOKEN"],
  ["cty", await signed(CLAIMS, header({ cty: "JWT" })), "AUTH_INVALID_TOKEN"],
  ["crit", await signed(CLAIMS, header({ crit: ["exp"], exp: 1 })), "AUTH_INVALID_TOKEN"],
  ["crit b64", await signed(CLAIMS, header({ crit: ["b64"], b64: true })), "AUTH_INVALID_TOKEN"],
  ["typ of an access token", await signed(CLAIMS, header({ typ: "at+jwt" })), "AUTH_INVALID_TOKEN"],
  ["typ no string", await signed(CLAIMS, header({ typ: ["JWT"] })), "AUTH_INVALID_TOKEN"],

  ["no exp", await signed(without("exp")), "AUTH_INVALID_TOKEN"],
  ["no iat", await signed(without("iat")), "AUTH_INVALID_TOKEN"],
  ["no iss", await signed(without("iss")), "AUTH_INVALID_TOKEN"],
  ["no aud", await signed(without("aud")), "AUTH_INVALID_TOKEN"],
  ["no sub", await signed(without("sub")), "AUTH_INVALID_TOKEN"],
  ["other iss", await signed({ ...CLAIMS, iss: "https://evil.example" }), "AUTH_INVALID_TOKEN"],
  ["other aud", await signed({ ...CLAIMS, aud: "https://evil.example" }), "AUTH_INVALID_TOKEN"],
  [
    "other iss, expired",
    await signed({ ...CLAIMS, iss: "x", iat: 1, exp: 9 }),
    "AUTH_INVALID_TOKEN",
  ],
  ["aud with a number", await signed({ ...CLAIMS, aud: [BASE_URL, 1] }), "AUTH_INVALID_TOKEN"],
  ["aud empty list", await signed({ ...CLAIMS, aud: [] }), "AUTH_INVALID_TOKEN"],
  ["aud object", await signed({ ...CLAIMS, aud: { 0: BASE_URL } }), "AUTH_INVALID_TOKEN"],
  ["aud with a suffix", await signed({ ...CLAIMS, aud: `${BASE_URL}/` }), "AUTH_INVALID_TOKEN"],
  ["iss list", await signed({ ...CLAIMS, iss: [BASE_URL] }), "AUTH_INVALID_TOKEN"],
  ["jti number", await signed({ ...CLAIMS, jti: 1 }), "AUTH_INVALID_TOKEN"],
  ["nbf text", await signed({ ...CLAIMS, nbf: String(NOW) }), "AUTH_INVALID_TOKEN"],
  ["iat text", await signed({ ...CLAIMS, iat: String(NOW) }), "AUTH_INVALID_TOKEN"],
  ["roles nested", await signed({ ...CLAIMS, roles: [["admin"]] }), "AUTH_INVALID_TOKEN"],
  ["lives too long", await signed({ ...CLAIMS, exp: NOW + 86_401 }), "AUTH_INVALID_TOKEN"],
  ["lived too long", await signed({ ...CLAIMS, iat: 1, exp: NOW + 9 }), "AUTH_INVALID_TOKEN"],
  ["exp text", await signed({ ...CLAIMS, exp: String(NOW + 900) }), "AUTH_INVALID_TOKEN"],
  [
    "exp without end",
    await signed(JSON.stringify(CLAIMS).replace(/"exp":\d+/, '"exp":1e999')),
    "AUTH_INVALID_TOKEN",
  ],
  ["iat ahead", await signed({ ...CLAIMS, iat: NOW + 60 }), "AUTH_INVALID_TOKEN"],
  ["nbf ahead", await signed({ ...CLAIMS, nbf: NOW + 60 }), "AUTH_INVALID_TOKEN"],
  ["sub empty", await signed({ ...CLAIMS, sub: "" }), "AUTH_INVALID_TOKEN"],
  ["sub object", await signed({ ...CLAIMS, sub: { id: "usr_1" } }), "AUTH_INVALID_TOKEN"],
  ["sub number", await signed({ ...CLAIMS, sub: 1 }), "AUTH_INVALID_TOKEN"],
  ["orgId array", await signed({ ...CLAIMS, orgId: ["org_1"] }), "AUTH_INVALID_TOKEN"],
  ["orgId empty", await signed({ ...CLAIMS, orgId: "" }), "AUTH_INVALID_TOKEN"],
  ["teamId number", await signed({ ...CLAIMS, teamId: 1 }), "AUTH_INVALID_TOKEN"],
  ["roles text", await signed({ ...CLAIMS, roles: "admin" }), "AUTH_INVALID_TOKEN"],
  ["roles with a number", await signed({ ...CLAIMS, roles: ["admin", 1] }), "AUTH_INVALID_TOKEN"],
  ["userRole unknown", await signed({ ...CLAIMS, userRole: "root" }), "AUTH_INVALID_TOKEN"],
  ["userRole list", await signed({ ...CLAIMS, userRole: ["sysadmin"] }), "AUTH_INVALID_TOKEN"],
];

for (const [name, token, expected] of TABLE) {
  Deno.test(`verifyBearer() judges a token: ${name}`, async () => {
    assertEquals(await outcome(token), expected);
  });
}

Deno.test("a configured issuer and audience replace the public origin", async () => {
  const jwt = { ...JWT, issuer: "https://id.example", audience: "helpdesk" };
  assertEquals(await outcome(good, jwt), "AUTH_INVALID_TOKEN");
  const claims = { ...CLAIMS, iss: "https://id.example", aud: "helpdesk" };
  assertEquals(await outcome(await signed(claims), jwt), "principal");
});

Deno.test("an EdDSA project takes its own key's tokens and no token signed with the secret", async () => {
  const jwt: JwtModel = { ...JWT, algorithm: "EdDSA" };
  const keys = await createTokenKeys("EdDSA", SECRET)();
  const sign = (kid: string | null) =>
    new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: "EdDSA", ...(kid === null ? {} : { kid }) })
      .sign(keys.signing);
  assertEquals(await outcome(await sign(keys.keyId), jwt), "principal");
  assertEquals(await outcome(await sign(null), jwt), "principal");
  assertEquals(await outcome(await sign("other"), jwt), "AUTH_INVALID_TOKEN");
  assertEquals(await outcome(good, jwt), "AUTH_INVALID_TOKEN");
  assertEquals(await outcome(await sign(keys.keyId)), "AUTH_INVALID_TOKEN");
  assertEquals(keys.publicKey?.kid, keys.keyId ?? "");
});

for (const algorithm of ["HS256", "EdDSA"] as const) {
  Deno.test(`${algorithm} tokens of the previous secret hold on until they expire, those of a third never do`, async () => {
    const secrets = [SECRET, SECRET.toReversed(), new Uint8Array(32)];
    const [present, previous, third] = await Promise.all(secrets.map(async (secret) => {
      const keys = await createTokenKeys(algorithm, secret)();
      const kid = keys.keyId === null ? {} : { kid: keys.keyId };
      return await new SignJWT(CLAIMS).setProtectedHeader({ alg: algorithm, ...kid })
        .sign(keys.signing);
    }));
    const verify = (now: number, isKnown = true) =>
      createTokenVerifier({
        jwt: { ...JWT, algorithm },
        settings: {
          baseUrl: BASE_URL,
          authSecret: SECRET,
          authSecretPrevious: isKnown ? SECRET.toReversed() : null,
        },
        clock: { now: () => now * 1000 },
      });
    const codes = await Promise.all([
      verify(NOW)(present ?? ""),
      verify(NOW)(previous ?? ""),
      verify(NOW)(third ?? ""),
      verify(NOW, false)(previous ?? ""),
      verify(Number(CLAIMS.exp))(present ?? ""),
      verify(Number(CLAIMS.exp))(previous ?? ""),
    ]);
    assertEquals(codes.map((one) => one.kind === "refused" ? one.code : one.kind), [
      "principal",
      "principal",
      "AUTH_INVALID_TOKEN",
      "AUTH_INVALID_TOKEN",
      "AUTH_EXPIRED",
      "AUTH_EXPIRED",
    ]);
  });
}

Deno.test("the published key of an EdDSA project signs nothing as a shared secret", async () => {
  const jwt: JwtModel = { ...JWT, algorithm: "EdDSA" };
  const { publicKey } = await createTokenKeys("EdDSA", SECRET)();
  const x = publicKey?.x ?? "";
  const der = new Uint8Array([...DER_PREFIX, ...base64url.decode(x)]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toBase64()}\n-----END PUBLIC KEY-----\n`;
  const spellings = [base64url.decode(x), x, JSON.stringify(publicKey), der, pem, pem.trim()];
  for (const spelling of spellings) {
    const secret = typeof spelling === "string" ? new TextEncoder().encode(spelling) : spelling;
    for (const alg of ["HS256", "EdDSA"]) {
      assertEquals(
        await outcome(await signed(CLAIMS, { alg }, { secret }), jwt),
        "AUTH_INVALID_TOKEN",
      );
    }
  }
});

Deno.test("an application with a secret under 32 bytes does not start", () => {
  const settings = { baseUrl: BASE_URL, authSecret: new Uint8Array(31) };
  assertThrows(
    () => createTokenVerifier({ jwt: JWT, settings, clock: { now: () => 0 } }),
    Error,
    "AUTH_SECRET has 31 bytes",
  );
});

Deno.test("a clock that fails is our error, not the caller's", async () => {
  const clock = {
    now: (): number => {
      throw new RangeError("No clock");
    },
  };
  const verify = createTokenVerifier({
    jwt: JWT,
    settings: { baseUrl: BASE_URL, authSecret: SECRET },
    clock,
  });
  await assertRejects(() => verify(good), RangeError);
});
