/**
 * The makers of responses of Hono's `c`. Streams and files answer with them; from any other action they count for nothing
 * (contract 4.4 rules 4 and 6).
 */

type Init = number | { readonly status?: number; readonly headers?: HeadersInit } | undefined;
type More = Readonly<Record<string, string>> | undefined;

interface ResponseMakers {
  readonly header: (name: string, value?: string, options?: { readonly append?: boolean }) => void;
  readonly status: (status: number) => void;
  readonly json: (value: unknown, init?: Init, headers?: More) => Response;
  readonly text: (text: string, init?: Init, headers?: More) => Response;
  readonly html: (html: string, init?: Init, headers?: More) => Response;
  readonly body: (body: BodyInit | null, init?: Init, headers?: More) => Response;
  readonly redirect: (location: string, status?: number) => Response;
}

/** One set for each call: what `header` and `status` say holds for what is made after them. */
export function responseMakers(): ResponseMakers {
  const said = new Headers();
  let usual = 200;
  const made = (body: BodyInit | null, init: Init, more: More, type: string | null): Response => {
    const given = typeof init === "object" ? init : { status: init ?? usual };
    const headers = new Headers(said);
    if (type !== null) headers.set("content-type", type);
    for (const [name, value] of new Headers(given.headers)) headers.set(name, value);
    for (const [name, value] of Object.entries(more ?? {})) headers.set(name, value);
    return new Response(body, { status: given.status ?? usual, headers });
  };
  return {
    header(name, value, options) {
      if (value === undefined) said.delete(name);
      else if (options?.append) said.append(name, value);
      else said.set(name, value);
    },
    status: (status) => void (usual = status),
    json: (value, init, more) => made(JSON.stringify(value), init, more, "application/json"),
    text: (text, init, more) => made(text, init, more, "text/plain; charset=UTF-8"),
    html: (html, init, more) => made(html, init, more, "text/html; charset=UTF-8"),
    body: (body, init, more) => made(body, init, more, null),
    redirect: (location, status = 302) => made(null, status, { location }, null),
  };
}
