/** Declares credentials of requests, and the judges of tokens. */
import type { Soon } from "../../../lib/soon.ts";
import type { TokenVerdict } from "./bearer_token.ts";

export type RequestCredential =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "apiKey"; readonly key: string }
  | { readonly kind: "session" }
  /** Another scheme: of a delegated principal, or of none that the API knows. */
  | { readonly kind: "other"; readonly authorization: string };

/** Judges bearer tokens: their signatures, their claims, and their later revocation. */
export interface TokenJudge {
  readonly verify: VerifyToken;
  /** Returns the present verdict on a verified token: it may have been revoked since. */
  stands(token: string, verdict: TokenVerdict): Soon<TokenVerdict>;
  /** Both judgements, one after the other. */
  readonly judge: VerifyToken;
}

export type VerifyToken = (token: string) => Soon<TokenVerdict>;
