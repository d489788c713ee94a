/**
 * Requests and responses that keep every header. Browsers remove `Cookie`, `Origin` and `Set-Cookie` from theirs, because they
 * set them themselves on a network; these requests never reach one.
 */

const PlatformRequest = globalThis.Request;
const PlatformResponse = globalThis.Response;

function openHeaders(given: HeadersInit | undefined, own: Headers): Headers {
  const headers = new Headers(given);
  for (const [name, value] of own) if (!headers.has(name)) headers.set(name, value);
  return headers;
}

class OpenRequest extends PlatformRequest {
  readonly #headers: Headers;

  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    super(input, init);
    const given = init.headers ?? (input instanceof PlatformRequest ? input.headers : undefined);
    this.#headers = openHeaders(given, super.headers);
  }

  override get headers(): Headers {
    return this.#headers;
  }

  override clone(): Request {
    return new OpenRequest(super.clone(), { headers: this.#headers });
  }
}

class OpenResponse extends PlatformResponse {
  readonly #headers: Headers;

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init);
    this.#headers = openHeaders(init.headers, super.headers);
  }

  override get headers(): Headers {
    return this.#headers;
  }

  override clone(): Response {
    const { status, statusText } = this;
    return new OpenResponse(super.clone().body, { status, statusText, headers: this.#headers });
  }

  static override json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new OpenResponse(JSON.stringify(data), { ...init, headers });
  }
}

globalThis.Request = OpenRequest;
globalThis.Response = OpenResponse;
