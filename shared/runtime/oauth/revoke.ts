/** Serves `POST /oauth/revoke` (RFC 7009): a client ends its grant, by any of the grant's tokens. */
import { deleteGrant, secretOf } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import type { TokenVerdict } from "../layers/1-authentication/bearer_token.ts";
import { formOf, protocolAnswer, refuseOauth, requiredOf, requireOnce } from "./oauth_refusal.ts";
import { digestOf } from "./secrets.ts";

type Verify = (token: string) => Promise<TokenVerdict>;

export async function answerRevoke(request: Admitted, verify: Verify): Promise<Response> {
  const form = await formOf(request);
  return await protocolAnswer(async () => {
    requireOnce(form);
    const clientId = requiredOf(form, "client_id");
    const grant = await grantOf(request, requiredOf(form, "token"), verify);
    // An unknown token counts as revoked (RFC 7009, 2.2).
    if (grant === null) return {};
    if (grant.clientId !== clientId) {
      return refuseOauth("invalid_client", "The token was given to another client");
    }
    const log = request.app.ports.accounts?.securityLog ?? null;
    const end = { log, by: "client", origin: null } as const;
    await request.database.write((transaction) => deleteGrant(transaction, grant.grantId, end));
    return {};
  });
}

async function grantOf({ database }: Admitted, token: string, verify: Verify) {
  const verdict = await verify(token);
  if (verdict.kind === "client") return verdict.token;
  return await secretOf(database, { id: await digestOf(token), kind: "refresh" });
}
