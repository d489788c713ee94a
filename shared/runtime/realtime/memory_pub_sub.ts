/** The log of events of an API that runs alone: it is in this process and keeps the last events (contract 6.3). */
import { EVENTS_KEPT_MAX } from "../../contract/mod.ts";
import type { Clock, EventListener, PublishedEvent, PubSub } from "../ports.ts";
import { compareEventIds, timeOfEvent } from "../../lib/ids.ts";

/** Maximum characters that are kept, however few events they are. */
const KEPT_MAX_LENGTH = 16 * 1024 * 1024;

export function memoryPubSub(clock: Clock, eventsMax = EVENTS_KEPT_MAX): PubSub {
  const listeners = new Set<EventListener>();
  const kept: PublishedEvent[] = [];
  const started = `${clock.now()}-0`;
  let last = started;
  /** The newest place whose successor is still kept. */
  let forgotten = started;
  let length = 0;
  const keep = (event: PublishedEvent) => {
    kept.push(event);
    length += event.text.length;
    while (kept.length > eventsMax || (length > KEPT_MAX_LENGTH && kept.length > 1)) {
      const oldest = kept.shift();
      if (!oldest) break;
      length -= oldest.text.length;
      forgotten = oldest.id;
    }
  };
  return {
    publish(texts) {
      for (const text of texts) {
        // Times count up even when the clock stands still or goes back.
        const now = clock.now();
        const [time = 0, count = 0] = last.split("-").map(Number);
        const event = { id: now > time ? `${now}-0` : `${time}-${count + 1}`, text };
        last = event.id;
        keep(event);
        for (const listener of [...listeners]) listener.event(event);
      }
      return Promise.resolve();
    },
    listen(listener) {
      listeners.add(listener);
      return Promise.resolve(() => void listeners.delete(listener));
    },
    position() {
      // The place must not reveal when others published: it is a place of now, before all events to come.
      if (clock.now() > timeOfEvent(last)) last = `${clock.now()}-0`;
      return Promise.resolve(last);
    },
    after(id, limit) {
      const isKnown = compareEventIds(id, forgotten) >= 0 && compareEventIds(id, last) <= 0;
      if (!isKnown) return Promise.resolve(null);
      const from = kept.findIndex((event) => compareEventIds(event.id, id) > 0);
      return Promise.resolve(from < 0 ? [] : kept.slice(from, from + limit));
    },
  };
}
