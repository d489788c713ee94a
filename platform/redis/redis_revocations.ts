/** Tells the other processes of an API at once which token was taken back (contract 5.2). What is missed is in the database. */
import { parsedJson } from "../../shared/lib/json.ts";
import type { Logger, Revocation, RevocationFeed } from "../../shared/runtime/ports.ts";

interface Publisher {
  publish(channel: string, message: string): Promise<unknown>;
}

/** A connection of its own, which does nothing else. */
interface Subscriber {
  subscribe(channel: string, heard: (message: string) => void): Promise<unknown>;
}

interface RedisRevocationsOptions {
  readonly client: Publisher;
  readonly openSubscriber: () => Promise<Subscriber>;
  /** Tells this API from every other in the same Redis. */
  readonly name: string;
  readonly logger: Logger;
}

export function redisRevocations(options: RedisRevocationsOptions): RevocationFeed {
  const { client, openSubscriber, name, logger } = options;
  const channel = `quickback:revoked:${name}`;
  const failed = (error: unknown) =>
    logger.log({ level: "warn", message: "Revocations go by the database alone", error });
  return {
    async tell(revocation) {
      await client.publish(channel, JSON.stringify(revocation)).catch(failed);
    },
    listen(heard) {
      openSubscriber()
        .then((subscriber) =>
          subscriber.subscribe(channel, (text) => {
            const revocation = revocationIn(text);
            if (revocation) heard(revocation);
          })
        )
        .catch(failed);
    },
  };
}

/** Null: no message of ours. */
function revocationIn(text: string): Revocation | null {
  const { tokenId, expiresAt } = Object(parsedJson(text));
  return typeof tokenId === "string" && Number.isFinite(expiresAt) ? { tokenId, expiresAt } : null;
}
