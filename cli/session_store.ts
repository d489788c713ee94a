/** Stores sessions of build services by origin, in a file that only this user can read (definitions 8, `login`). */
import { dirname, join } from "node:path";
import { z } from "zod";
import { OWN_FOLDER } from "../library/platform/own_file.ts";
import { CommandError } from "./exit_codes.ts";

const SESSIONS = z.record(z.string(), z.object({ token: z.string(), expiresAt: z.number() }));

type StoredSession = z.infer<typeof SESSIONS>[string];

/** Returns the file's path, from `XDG_CONFIG_HOME`, from `APPDATA` on Windows, or in `~/.config`. */
export function sessionFile(variables: Pick<Deno.Env, "get"> = Deno.env): string {
  const home = variables.get("HOME") ?? variables.get("USERPROFILE");
  const folder = variables.get("XDG_CONFIG_HOME") || variables.get("APPDATA") ||
    (home ? join(home, ".config") : null);
  if (folder === null) throw new CommandError("Set HOME: sessions are kept in ~/.config/quickback");
  return join(folder, "quickback", "sessions.json");
}

/** Returns the session; null: the user has not signed in there, or the session has expired. */
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

/** Removes a session; returns true if there was one. `origin` null: all of them. */
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

/** Writes to a draft first, so that the file is never incomplete or readable by other users. */
async function writeAll(file: string, sessions: z.infer<typeof SESSIONS>): Promise<void> {
  await Deno.mkdir(dirname(file), OWN_FOLDER);
  const draft = `${file}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(draft, JSON.stringify(sessions), { createNew: true, mode: 0o600 });
  await Deno.rename(draft, file);
}
