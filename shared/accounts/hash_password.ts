/** Makes what accounts keep of a password (contract 5). The account library is loaded by the first one. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import("better-auth/crypto");
  return await library.hashPassword(password);
}
