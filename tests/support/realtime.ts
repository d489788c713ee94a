/** An API whose changes are listened to, with timers that run when a test lets time pass. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { memoryPubSub, type RealtimePorts, type Timer } from "../../shared/runtime/mod.ts";
import {
  type ApiOptions,
  type ApiUnderTest,
  BASE_URL,
  type Claims,
  isRecord,
  tokenFor,
} from "./api.ts";
import { withCompiledActions } from "./compiled_actions.ts";

export const EVENTS = "/broadcast/v1/events";

/** One event of a stream as it was sent. */
export interface Told {
  readonly event: string;
  readonly id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A subscriber over Server-Sent Events. */
export interface Listener {
  readonly response: Response;
  /** The next event that carries data. */
  next(): Promise<Told>;
  /** The next `count` frames as `type resource`, with the id where there is one. */
  brief(count: number): Promise<readonly string[]>;
  /** The id that the stream began with. */
  readonly from: string;
  /** True when the stream has ended. */
  hasEnded(): Promise<boolean>;
  leave(): Promise<void>;
}

export interface RealtimeUnderTest extends ApiUnderTest {
  listen(as: Claims, how?: Listening): Promise<Listener>;
  /** As `pass`, and the timers that are due run. */
  elapse(milliseconds: number): void;
}

export interface Listening {
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a token. */
  readonly cookie?: string;
}

export interface ManualTimer extends Timer {
  fire(): void;
}

/** Timers that run when they are told to. */
export function manualTimer(clock: { now(): number }): ManualTimer {
  const waiting = new Map<() => void, number>();
  return {
    after(milliseconds, run) {
      const once = () => run();
      waiting.set(once, clock.now() + milliseconds);
      return () => void waiting.delete(once);
    },
    fire() {
      for (const [run, at] of [...waiting]) {
        if (at > clock.now() || !waiting.delete(run)) continue;
        run();
      }
    },
  };
}

interface RealtimeOptions extends ApiOptions {
  readonly ports?: Partial<RealtimePorts>;
}

type UseRealtime = (api: RealtimeUnderTest) => Promise<void>;

export function withRealtime(
  files: RawFiles,
  body: UseRealtime,
  options: RealtimeOptions = {},
): Promise<void> {
  return listeningTo((use, rest) => withCompiledActions(files, use, rest), body, options);
}

/** The same over an API that is started so. */
export function listeningTo(
  start: (body: (api: ApiUnderTest) => Promise<void>, options: ApiOptions) => Promise<void>,
  body: UseRealtime,
  { ports, ...rest }: RealtimeOptions = {},
): Promise<void> {
  let timer: ManualTimer | null = null;
  return start((api) => body(listeningApi(api, () => timer?.fire())), {
    ...rest,
    realtime({ clock }) {
      timer = manualTimer(clock);
      return { pubSub: memoryPubSub(clock), timer, ...ports };
    },
  });
}

export function listeningApi(api: ApiUnderTest, fire: () => void): RealtimeUnderTest {
  return {
    ...api,
    async listen(as, { search = "", headers = {}, cookie } = {}) {
      const token = cookie === undefined
        ? { authorization: `Bearer ${await tokenFor(as, api.ports.clock.now())}` }
        : { cookie };
      const request = new Request(`${BASE_URL}${EVENTS}${search}`, {
        headers: { host: new URL(BASE_URL).host, ...token, ...headers },
      });
      return await listenerOf(await api.fetch(request, { clientIp: null }));
    },
    elapse(milliseconds) {
      api.pass(milliseconds);
      fire();
    },
  };
}

export async function listenerOf(response: Response): Promise<Listener> {
  assertEquals(response.status, 200, response.status === 200 ? undefined : await response.text());
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assert(response.body);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const block = async (): Promise<string | null> => {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf("\n\n");
    const found = text.slice(0, end);
    text = text.slice(end + 2);
    return found;
  };
  const next = async (): Promise<Told> => {
    for (let found = await block(); found !== null; found = await block()) {
      const told = toldIn(found);
      if (told) return told;
    }
    throw new Error("The stream has ended");
  };
  assertEquals(await block(), "retry: 2000");
  const open = await block();
  return {
    response,
    from: /^id: (\S+)\n: open$/.exec(open ?? "")?.[1] ?? "",
    next,
    async brief(count) {
      const told: string[] = [];
      while (told.length < count) told.push(briefOf((await next()).data));
      return told;
    },
    async hasEnded() {
      return await block() === null;
    },
    leave: () => reader.cancel(),
  };
}

export function briefOf({ type, resource, id }: Told["data"]): string {
  return [type, resource, ...(id === undefined ? [] : [id])].join(" ");
}

function toldIn(block: string): Told | null {
  const lines = block.split("\n").map((line) => line.split(/: (.*)/s));
  const field = (name: string) => lines.find(([key]) => key === name)?.[1] ?? null;
  const data = field("data");
  if (data === null) return null;
  const parsed: unknown = JSON.parse(data);
  if (!isRecord(parsed)) throw new Error(`No frame: ${data}`);
  return { event: field("event") ?? "message", id: field("id"), data: parsed };
}
