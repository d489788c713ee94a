/**
 * Serves `POST /oauth/register` (RFC 7591): registers public clients, for everybody, a bounded number per address. Refuses with
 * `RATE_LIMITED`.
 */
import type { JsonObject } from "../../lib/json.ts";
import { isAtMostCodePoints, printable } from "../../lib/texts.ts";
import { insertClient, pruneOauth, registeredSince } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import { refuse } from "../refusal.ts";
import { protocolAnswer, refuseOauth } from "./oauth_refusal.ts";
import { isRedirectUri } from "./redirect_uri.ts";
import { later, unusedSince } from "./secrets.ts";

const REGISTRATIONS_MAX = 20;
const WINDOW_MS = 60 * 60 * 1000;
const URIS_MAX = 10;
const NAME_MAX = 100;
const GRANT_TYPES: readonly string[] = ["authorization_code", "refresh_token"];

export async function answerRegister(request: Admitted): Promise<Response> {
  const body = await request.body.object();
  return await protocolAnswer(async () => {
    const redirectUris = redirectUrisIn(body);
    const name = nameIn(body);
    requireKnownTypes(body);
    const { app: { ports: { random } }, clientIp: ipAddress, now } = request;
    const id = `oac_${random.bytes(16).toHex()}`;
    await request.database.write(async (transaction) => {
      // The rows themselves are counted: the number is the same for every instance, whatever counts requests.
      const since = later(now, -WINDOW_MS);
      const count = await registeredSince(transaction, { ipAddress, since });
      if (count >= REGISTRATIONS_MAX) refuse("RATE_LIMITED");
      await pruneOauth(transaction, { now, unusedSince: unusedSince(now) });
      const client = { id, name, redirectUris, ipAddress, createdAt: now };
      await insertClient(transaction, client);
    });
    return {
      client_id: id,
      client_id_issued_at: Math.floor(Date.parse(now) / 1000),
      client_name: name ?? "",
      redirect_uris: redirectUris,
      grant_types: GRANT_TYPES,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }, 201);
}

function redirectUrisIn({ redirect_uris: sent }: JsonObject): readonly string[] {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > URIS_MAX) {
    return refuseOauth("invalid_redirect_uri", `redirect_uris must be a list of 1 to ${URIS_MAX}`);
  }
  const uris = sent.filter((uri) => typeof uri === "string");
  if (uris.length < sent.length || !uris.every(isRedirectUri)) {
    return refuseOauth(
      "invalid_redirect_uri",
      "Each of redirect_uris must be https, or http to localhost, 127.0.0.1 or [::1], without a fragment",
    );
  }
  return uris;
}

/** Returns the client's name; null: it has none. Users see the name, so it must not contain invisible characters. */
function nameIn({ client_name: name }: JsonObject): string | null {
  if (name === undefined || name === null || name === "") return null;
  if (
    typeof name !== "string" || !isAtMostCodePoints(name, NAME_MAX) || printable(name) !== name ||
    name.trim() === ""
  ) {
    return refuseOauth(
      "invalid_client_metadata",
      `client_name must be one line of at most ${NAME_MAX} characters`,
    );
  }
  return name;
}

/** Refuses a client whose lists of types lack `authorization_code` or `code`, which every client gets. */
function requireKnownTypes({ grant_types: grants, response_types: responses }: JsonObject): void {
  if (!holds(grants, "authorization_code")) {
    refuseOauth("invalid_client_metadata", "grant_types must hold authorization_code");
  }
  if (!holds(responses, "code")) {
    refuseOauth("invalid_client_metadata", "response_types must hold code");
  }
}

function holds(list: unknown, name: string): boolean {
  return list === undefined || (Array.isArray(list) && list.includes(name));
}
