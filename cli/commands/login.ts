/** `login --service <url>` and `logout`: a session at a build service, kept for its day (definitions 7 and 8). */
import { type Arguments, type Command, UsageError } from "../command.ts";
import { serviceOrigin } from "../compile_remotely.ts";
import { deviceLogin } from "../device_login.ts";
import { forgetSession, keepSession, sessionFile } from "../session_store.ts";

const SERVICE = { service: { type: "string" } } as const;

export const loginCommand: Command = {
  name: "login",
  usage: "--service <url>",
  summary: "Signs in at a build service, for compile --service",
  positionals: { least: 0, most: 0 },
  options: SERVICE,
  optionHelp: { service: "The build service" },
  async run(args, terminal) {
    const origin = serviceOf(args);
    if (origin === null) throw new UsageError("Say where to sign in: --service <url>");
    const login = await deviceLogin(origin, {
      fetch: (url, init) => fetch(url, init),
      wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
      now: Date.now,
      say: (text) => terminal.err(text),
    });
    await keepSession(sessionFile(), origin, login);
    terminal.out(`Signed in at ${origin} until ${new Date(login.expiresAt).toISOString()}`);
    return 0;
  },
};

export const logoutCommand: Command = {
  name: "logout",
  usage: "[--service <url>]",
  summary: "Forgets the session at a build service, or all of them",
  positionals: { least: 0, most: 0 },
  options: SERVICE,
  optionHelp: { service: "The build service; left out, every one" },
  async run(args, terminal) {
    const isForgotten = await forgetSession(sessionFile(), serviceOf(args));
    terminal.out(isForgotten ? "Signed out" : "Nobody was signed in");
    return 0;
  },
};

function serviceOf({ values }: Arguments): string | null {
  const service = values.get("service");
  return service === undefined ? null : serviceOrigin(service);
}
