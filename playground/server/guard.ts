/**
 * Guards the playground's server, which serves its own page only. Another page in the same browser is stopped by `Host`,
 * `Origin` and `Sec-Fetch-Site`, another user of this machine by the token (docs/decisions/commands.md).
 */
import { bytesEqual } from "../../shared/lib/bytes.ts";
import { TOKEN_HEADER } from "../protocol.ts";
import { PlaygroundRefusal } from "./refusal.ts";

export interface Home {
  readonly port: number;
  readonly token: string;
}

const NAMES = ["127.0.0.1", "localhost"] as const;

/** A name that leads here by rebinding is no name of ours. */
export function requireHost({ headers }: Request, { port }: Home): void {
  const host = headers.get("host");
  if (NAMES.some((name) => host === `${name}:${port}`)) return;
  throw new PlaygroundRefusal(
    "HOST_REFUSED",
    `The playground answers at 127.0.0.1:${port} and under no other name`,
  );
}

/** Browsers set both headers themselves; no page can write them. */
export function requireOwnPage({ headers, method }: Request): void {
  const origin = headers.get("origin");
  const own = `http://${headers.get("host")}`;
  const isOwnOrigin = origin === own || (origin === null && method === "GET");
  if (isOwnOrigin && headers.get("sec-fetch-site") === "same-origin") return;
  throw new PlaygroundRefusal("ORIGIN_REFUSED", "Only the playground's own page is answered");
}

export function requireToken({ headers }: Request, { token }: Home): void {
  if (isSame(headers.get(TOKEN_HEADER) ?? "", token)) return;
  throw new PlaygroundRefusal(
    "TOKEN_REFUSED",
    "The page belongs to another run of dev: open the address that dev printed",
  );
}

function isSame(given: string, expected: string): boolean {
  const encoder = new TextEncoder();
  return bytesEqual(encoder.encode(given), encoder.encode(expected));
}
