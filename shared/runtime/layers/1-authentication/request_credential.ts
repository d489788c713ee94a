/** Credentials of requests, and who judges tokens. */
import type { Soon } from "../../../lib/soon.ts";
import type { TokenVerdict } from "./bearer_token.ts";

export type RequestCredential =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "apiKey"; readonly key: string }
  | { readonly kind: "session" }
  /** Another scheme: of a delegated principal, or nothing of ours. */
  | { readonly kind: "other"; readonly authorization: string };

/** Judges bearer tokens: their signatures and claims, and what became of them since. */
export interface TokenJudge {
  readonly verify: VerifyToken;
  /** The verdict on a verified token as of now: it may have been taken back. */
  stands(token: string, verdict: TokenVerdict): Soon<TokenVerdict>;
  /** Both, one after the other. */
  readonly judge: VerifyToken;
}

export type VerifyToken = (token: string) => Soon<TokenVerdict>;
