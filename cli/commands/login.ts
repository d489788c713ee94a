/** Runs `login --service <url>` and `logout`: keeps a session at a build service for a day (definitions 7 and 8). */
import type { Arguments, Output } from "../command.ts";
import { type ExitCode, UsageError } from "../exit_codes.ts";
import { serviceOrigin } from "../compile_remotely.ts";
import { deviceLogin } from "../device_login.ts";
import { forgetSession, keepSession, sessionFile } from "../session_store.ts";

export async function login(args: Arguments, output: Output): Promise<ExitCode> {
  const origin = serviceOf(args);
  if (origin === null) throw new UsageError("Say where to sign in: --service <url>");
  const session = await deviceLogin(origin, {
    fetch: (url, init) => fetch(url, init),
    wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
    now: Date.now,
    say: (text) => output.err(text),
  });
  await keepSession(sessionFile(), origin, session);
  output.result({ origin, expiresAt: new Date(session.expiresAt).toISOString() });
  output.out(`Signed in at ${origin} until ${new Date(session.expiresAt).toISOString()}`);
  return 0;
}

export async function logout(args: Arguments, output: Output): Promise<ExitCode> {
  const isForgotten = await forgetSession(sessionFile(), serviceOf(args));
  output.result({ signedOut: isForgotten });
  output.out(isForgotten ? "Signed out" : "Nobody was signed in");
  return 0;
}

function serviceOf({ values }: Arguments): string | null {
  const service = values.get("service");
  return service === undefined ? null : serviceOrigin(service);
}
