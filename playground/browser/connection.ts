/** Sends requests to the playground's own server, with the token of this run. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { REFUSAL, TOKEN_HEADER } from "../protocol.ts";

/** Thrown when the server, or the build service behind it, refuses; the message gives the reason and the way out. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Thrown when nothing answers, because `dev` has ended. */
export class Disconnected extends Error {
  override readonly name = "Disconnected";
}

/** Runs the work and returns the reason why the server refused it; null if it succeeded. */
export async function refusalIn(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Refused || error instanceof Disconnected) return error.message;
    throw error;
  }
}

export interface Frame {
  readonly event: string;
  readonly data: unknown;
}

const KEPT = "playground-token";

/** Takes the token out of the address and keeps it for reloads of this tab; null if there is none. */
export function takeToken(): string | null {
  const given = location.hash.slice(1);
  if (given !== "") {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEPT);
}

/** Signature of the platform's `fetch`; tests pass a server of their own. */
type Fetch = (path: string, init: RequestInit) => Promise<Response>;

export class Connection {
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor(token: string, fetchFrom: Fetch = (path, init) => fetch(path, init)) {
    this.#token = token;
    this.#fetch = fetchFrom;
  }

  /** Sends a request and returns the answer; throws if it is no success. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set(TOKEN_HEADER, this.#token);
    const response = await answered(this.#fetch(path, { ...init, headers }));
    if (response.ok) return response;
    const refusal = REFUSAL.safeParse(await response.json().catch(() => null));
    if (!refusal.success) throw new Refused("", `The playground answered ${response.status}`);
    throw new Refused(refusal.data.code, refusal.data.detail);
  }

  async json(path: string, init: RequestInit = {}): Promise<unknown> {
    return await (await this.send(path, init)).json();
  }

  /** Yields the frames of a stream as they arrive; `onOpen` is called before the first. */
  async *frames(
    path: string,
    init: RequestInit = {},
    onOpen = () => {},
  ): AsyncGenerator<Frame, void, void> {
    const { body } = await this.send(path, init);
    onOpen();
    if (body === null) return;
    const events = body.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    const reader = events.getReader();
    try {
      for (;;) {
        const { done, value } = await answered(reader.read());
        if (done) return;
        yield { event: value.event ?? "message", data: JSON.parse(value.data) };
      }
    } finally {
      reader.releaseLock();
    }
  }
}

async function answered<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError) throw new Disconnected("dev has ended", { cause: error });
    throw error;
  }
}
