/** Hashes a password as accounts store it (contract 5). The first call loads the account library. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import("better-auth/crypto");
  return await library.hashPassword(password);
}
