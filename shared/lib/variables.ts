/** Variables that an operator sets for a process. */

/** A source of variables: `Deno.env`, a worker's bindings, or a map in tests. */
export interface Variables {
  get(name: string): string | undefined;
}

/** Returns a variable. An empty one counts as unset, because `.env` files contain empty lines. */
export function setting(variables: Variables, name: string): string | null {
  return variables.get(name)?.trim() || null;
}

/** Splits a comma-separated variable; the result is empty when it is unset. */
export function readList(text: string | null): readonly string[] {
  return (text ?? "").split(",").map((item) => item.trim()).filter((item) => item !== "");
}

/** Parses `PORT`. 0 means any free port. Throws for an invalid port. */
export function readPort(variables: Variables, whenUnset: number): number {
  const text = setting(variables, "PORT");
  if (text === null) return whenUnset;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65535)) throw new Error(`Cannot start: PORT must be 0 to 65535, not '${text}'`);
  return port;
}

/** Least length of a signing secret. */
export const SECRET_MIN_BYTES = 32;

/** Throws for a short secret, since whatever it signs could be forged. */
export function requireStrongSecret(secret: Uint8Array): void {
  if (secret.byteLength >= SECRET_MIN_BYTES) return;
  throw new Error(
    `AUTH_SECRET has ${secret.byteLength} bytes, at least ${SECRET_MIN_BYTES} are needed: generate one with "openssl rand -base64 48"`,
  );
}
