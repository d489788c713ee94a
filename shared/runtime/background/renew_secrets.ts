/**
 * Encrypts the secrets of endpoints anew after a change of `AUTH_SECRET`. They do not expire, and without the previous secret
 * nothing could be delivered.
 */
import { replaceSealed, selectSealed } from "../data/webhooks/endpoints.ts";
import type { Database, Logger, SecretBox } from "../ports.ts";

const ENDPOINTS_AT_ONCE = 100;

/**
 * Makes a worker's step that takes the next endpoints, each once in the life of a process. It returns true while there may be
 * more.
 */
export function createRenewal(
  { database, logger, webhooks: { secrets } }: {
    readonly database: Database;
    readonly logger: Logger;
    readonly webhooks: { readonly secrets: SecretBox };
  },
): () => Promise<boolean> {
  let after: string | null = secrets.renew ? "" : null;
  let count = 0;
  const renewed = async (id: string, text: string) => await secrets.renew?.(id, text) ?? text;
  return async () => {
    if (after === null) return false;
    const found = await selectSealed(database, after, ENDPOINTS_AT_ONCE);
    for (const { id, secret, previousSecrets } of found) {
      const previous = previousSecrets.map((old) => renewed(id, old.secret));
      const anew = { id, secret: await renewed(id, secret), previous: await Promise.all(previous) };
      if (
        anew.secret !== secret ||
        anew.previous.some((one, at) => one !== previousSecrets[at]?.secret)
      ) {
        await database.write((transaction) => replaceSealed(transaction, anew, secret));
        count++;
      }
    }
    after = found.at(-1)?.id ?? null;
    if (after === null && count > 0) {
      const message = `Sealed the secrets of ${count} webhook endpoints anew, under AUTH_SECRET`;
      logger.log({ level: "info", message });
    }
    return after !== null;
  };
}
