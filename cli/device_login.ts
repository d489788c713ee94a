/** Signs a terminal in at a build service (RFC 8628): shows a code, and polls until a person has decided. */
import { z } from "zod";
import { EnvironmentError } from "./exit_codes.ts";
import { SERVICE_TEXT } from "./service_text.ts";

export interface LoginPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly wait: (seconds: number) => Promise<void>;
  readonly now: () => number;
  readonly say: (text: string) => void;
}

interface Login {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const CLIENT_ID = "quickback-cli";
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Seconds by which polling slows down (RFC 8628, 3.5). */
const SLOW_DOWN_SECONDS = 5;

const CODE = z.object({
  device_code: z.string(),
  user_code: SERVICE_TEXT,
  verification_uri: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).href),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(5),
});
const GRANTED = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const REFUSED = z.object({ error: z.string() });

export async function deviceLogin(origin: string, ports: LoginPorts): Promise<Login> {
  const code = await requestCode(origin, ports);
  // `ABCD-EFGH` is easier to compare.
  const spaced = code.user_code.replace(/^(.{4})(.{4})$/, "$1-$2");
  ports.say(`Open ${code.verification_uri} and enter the code ${spaced}`);
  const endsAt = ports.now() + code.expires_in * 1000;
  let interval = code.interval;
  while (ports.now() < endsAt) {
    await ports.wait(interval);
    const answer = await poll(origin, code.device_code, ports);
    if (answer.kind === "granted") return answer.login;
    if (answer.kind === "slower") interval += SLOW_DOWN_SECONDS;
  }
  throw expired();
}

async function requestCode(origin: string, ports: LoginPorts): Promise<z.infer<typeof CODE>> {
  const response = await post(`${origin}/auth/v1/device/code`, { client_id: CLIENT_ID }, ports);
  if (response.status === 404) {
    throw new EnvironmentError(`${origin} hosts no accounts; use a key in SERVICE_API_KEY`);
  }
  const code = CODE.safeParse(await response.json().catch(() => null));
  if (response.ok && code.success) return code.data;
  throw new EnvironmentError(`${origin} does not answer as a build service does`);
}

type Answer =
  | { readonly kind: "granted"; readonly login: Login }
  | { readonly kind: "pending" | "slower" };

async function poll(origin: string, deviceCode: string, ports: LoginPorts): Promise<Answer> {
  const body = { grant_type: GRANT, device_code: deviceCode, client_id: CLIENT_ID };
  const response = await post(`${origin}/auth/v1/device/token`, body, ports);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) {
    const granted = GRANTED.safeParse(answer);
    if (!granted.success) {
      throw new EnvironmentError(`${origin} does not answer as a build service does`);
    }
    const { access_token: token, expires_in: seconds } = granted.data;
    return { kind: "granted", login: { token, expiresAt: ports.now() + seconds * 1000 } };
  }
  const refused = REFUSED.safeParse(answer);
  switch (refused.success ? refused.data.error : null) {
    case "authorization_pending":
      return { kind: "pending" };
    case "slow_down":
      return { kind: "slower" };
    case "access_denied":
      throw new EnvironmentError("Signing in was refused");
    case "expired_token":
      throw expired();
    default:
      // Too many requests, or a service that restarts: the next request may be answered.
      if (response.status === 429 || response.status >= 500) return { kind: "slower" };
      throw new EnvironmentError(`${origin} refused to sign in: ${response.status}`);
  }
}

function expired(): EnvironmentError {
  return new EnvironmentError("The code is over; sign in again");
}

async function post(
  url: string,
  parameters: Readonly<Record<string, string>>,
  { fetch }: LoginPorts,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      body: new URLSearchParams(parameters),
      redirect: "error",
    });
  } catch (error) {
    if (error instanceof TypeError) {
      throw new EnvironmentError(`No build service answers at ${url}`);
    }
    throw error;
  }
}
