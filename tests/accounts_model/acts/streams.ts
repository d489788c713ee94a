/** Streams of changes, which go on after their request. */
import type { Session, Stream } from "../secrets.ts";
import { BASE_URL } from "../walked_api.ts";
import type { World } from "../world.ts";
import type { Act } from "./act.ts";
import { holderOf, inSession, organizationOf } from "./credentials.ts";
import { found } from "./organizations.ts";

async function listen(world: World, session: Session, place: number): Promise<void> {
  // Who acts in no organization hears nothing.
  if (place % 2 === 0 && await organizationOf(world, session) === null) await found(world, session);
  const stream = await openStream(world, session);
  world.tell(
    `the ${session.by} listens as ${session.account.address}`,
    stream === null ? 401 : 200,
  );
}

async function openStream(world: World, session: Session): Promise<Stream | null> {
  const cookie = [...session.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await world.api.fetch(
    new Request(`${BASE_URL}/broadcast/v1/events`, {
      headers: { host: new URL(BASE_URL).host, origin: BASE_URL, cookie },
    }),
  );
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    return null;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const stream = world.hold<Stream>({
    ...await holderOf(world, session),
    kind: "stream",
    session,
    heard: "",
    leave: () => reader.cancel(),
  });
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      stream.heard += next.value;
    }
  };
  read().catch(() => {});
  return stream;
}

export const STREAM_ACTS: Readonly<Record<string, Act>> = {
  "listen": inSession("receivers", listen),
};
