/** Sessions of build services by their origin, in a file that only this user reads (definitions 8, `login`). */
import { dirname, join } from "node:path";
import { z } from "zod";
import { OWN_FOLDER } from "../library/platform/own_file.ts";
import { CommandError } from "./exit_codes.ts";

const SESSIONS = z.record(z.string(), z.object({ token: z.string(), expiresAt: z.number() }));

type StoredSession = z.infer<typeof SESSIONS>[string];

/** `XDG_CONFIG_HOME`, `APPDATA` on Windows, `~/.config`. */
export function sessionFile(variables: Pick<Deno.Env, "get"> = Deno.env): string {
  const home = variables.get("HOME") ?? variables.get("USERPROFILE");
  const folder = variables.get("XDG_CONFIG_HOME") || variables.get("APPDATA") ||
    (home ? join(home, ".config") : null);
  if (folder === null) throw new CommandError("Set HOME: sessions are kept in ~/.config/quickback");
  return join(folder, "quickback", "sessions.json");
}

/** Null: nobody has signed in there, or the session is over. */
export async function readSession(file: string, origin: string): Promise<StoredSession | null> {
  const sessions = await readAll(file);
  const session = Object.hasOwn(sessions, origin) ? sessions[origin] : undefined;
  return session === undefined || session.expiresAt <= Date.now() ? null : session;
}

export async function keepSession(
  file: string,
  origin: string,
  session: StoredSession,
): Promise<void> {
  await writeAll(file, { ...await readAll(file), [origin]: session });
}

/** True when there was one. `origin` null: all of them. */
export async function forgetSession(file: string, origin: string | null): Promise<boolean> {
  const sessions = await readAll(file);
  const left = Object.entries(sessions).filter(([known]) => origin !== null && known !== origin);
  if (left.length === Object.keys(sessions).length) return false;
  await writeAll(file, Object.fromEntries(left));
  return true;
}

async function readAll(file: string): Promise<z.infer<typeof SESSIONS>> {
  try {
    const read = SESSIONS.safeParse(JSON.parse(await Deno.readTextFile(file)));
    if (read.success) return read.data;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`"${file}" is no file of sessions; remove it and sign in again`);
}

/** Beside it first, so that no moment has half of it, or all of it readable by others. */
async function writeAll(file: string, sessions: z.infer<typeof SESSIONS>): Promise<void> {
  await Deno.mkdir(dirname(file), OWN_FOLDER);
  const draft = `${file}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(draft, JSON.stringify(sessions), { createNew: true, mode: 0o600 });
  await Deno.rename(draft, file);
}
