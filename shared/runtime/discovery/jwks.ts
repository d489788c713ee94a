/** `GET {authBase}/jwks`: the public key of bearer tokens (RFC 7517), where the algorithm has one (definitions 7, "JWT"). */
import { authBaseOf } from "../../surface/auth_operations.ts";
import { operationAt } from "../../surface/service_operation.ts";
import { tokenOperationsOf } from "../../surface/token_operations.ts";
import type { AppContext } from "../context.ts";
import { createTokenKeys } from "../layers/1-authentication/token_keys.ts";
import { type Endpoint, serviceGate } from "../gate.ts";

const CACHE_SECONDS = 300;

export function jwksEndpoints({ project, settings, switches }: AppContext): Endpoint[] {
  const { jwt } = project.auth;
  if (jwt === null || jwt.algorithm === "HS256") return [];
  const keys = createTokenKeys(jwt.algorithm, settings.authSecret);
  const handle = async () => {
    const { publicKey } = await keys();
    return new Response(JSON.stringify({ keys: publicKey === null ? [] : [publicKey] }), {
      headers: {
        "content-type": "application/jwk-set+json",
        "cache-control": `public, max-age=${CACHE_SECONDS}`,
      },
    });
  };
  const bases = [switches.authBase, switches.authAlias].filter((base) => base !== null);
  const gate = serviceGate(operationAt(`${authBaseOf(project)}/jwks`, tokenOperationsOf(project)));
  return bases.map((base) => ({ id: "jwks", method: "GET", path: `${base}/jwks`, gate, handle }));
}
