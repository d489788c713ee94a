/** The least that a signing secret must have. */

export const SECRET_MIN_BYTES = 32;

/** Throws for a secret that could be guessed: what it signs could be forged. */
export function requireStrongSecret(secret: Uint8Array): void {
  if (secret.byteLength >= SECRET_MIN_BYTES) return;
  throw new Error(
    `AUTH_SECRET has ${secret.byteLength} bytes, at least ${SECRET_MIN_BYTES} are needed: generate one with "openssl rand -base64 48"`,
  );
}
