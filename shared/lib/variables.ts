/** The texts that an operator sets for a process. */

/** Source of variables: `Deno.env`, a worker's bindings, or a map in tests. */
export interface Variables {
  get(name: string): string | undefined;
}

/** An empty variable counts as unset: `.env` files carry empty lines for what they leave out. */
export function setting(variables: Variables, name: string): string | null {
  return variables.get(name)?.trim() || null;
}

/** Items of a comma-separated variable; empty when it is unset. */
export function readList(text: string | null): readonly string[] {
  return (text ?? "").split(",").map((item) => item.trim()).filter((item) => item !== "");
}

/** `PORT`: 0 takes any that is free. Throws for what is no port. */
export function readPort(variables: Variables, whenUnset: number): number {
  const text = setting(variables, "PORT");
  if (text === null) return whenUnset;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65535)) throw new Error(`Cannot start: PORT must be 0 to 65535, not '${text}'`);
  return port;
}

/** The least that a signing secret must have. */
export const SECRET_MIN_BYTES = 32;

/** Throws for a secret that could be guessed: what it signs could be forged. */
export function requireStrongSecret(secret: Uint8Array): void {
  if (secret.byteLength >= SECRET_MIN_BYTES) return;
  throw new Error(
    `AUTH_SECRET has ${secret.byteLength} bytes, at least ${SECRET_MIN_BYTES} are needed: generate one with "openssl rand -base64 48"`,
  );
}
