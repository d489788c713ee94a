/** `fetch` as a page of another origin has it (Fetch, 4.8 and 4.9): asks before it sends, and reads what it is let read. */

/** Request headers that need no leave, and those that a browser sets itself. */
const SAFE_REQUEST_HEADERS = [
  "accept",
  "accept-language",
  "content-language",
  "content-length",
  "host",
];
const SAFE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
const SAFE_ANSWER_HEADERS = [
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
];

/** Throws a `TypeError`, as a browser does, where the server does not let the page send or read. */
export function pageFetch(
  origin: string,
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const asked = [...request.headers.keys()].filter((name) => needsLeave(name, request.headers));
    if (asked.length > 0 || !["GET", "HEAD", "POST"].includes(request.method)) {
      const answer = await fetch(
        new Request(request.url, {
          method: "OPTIONS",
          headers: {
            origin,
            "access-control-request-method": request.method,
            "access-control-request-headers": asked.join(","),
          },
        }),
      );
      const refused = asked.filter((name) => !listed(answer, "allow-headers").includes(name));
      if (!listed(answer, "allow-methods").includes(request.method.toLowerCase())) {
        refused.push(request.method);
      }
      requireAdmitted(answer, origin);
      if (refused.length > 0) throw new TypeError(`The page may not send ${refused.join(", ")}`);
    }
    request.headers.set("origin", origin);
    const answer = await fetch(request);
    requireAdmitted(answer, origin);
    const shown = [...SAFE_ANSWER_HEADERS, ...listed(answer, "expose-headers")];
    const headers = [...answer.headers].filter(([name]) => shown.includes(name));
    return new Response(answer.body, { status: answer.status, headers });
  };
}

function needsLeave(name: string, headers: Headers): boolean {
  if (SAFE_REQUEST_HEADERS.includes(name)) return false;
  const type = headers.get(name)?.split(";")[0]?.trim().toLowerCase() ?? "";
  return name !== "content-type" || !SAFE_TYPES.includes(type);
}

function listed({ headers }: Response, name: string): readonly string[] {
  const list = headers.get(`access-control-${name}`) ?? "";
  return list.split(",").map((one) => one.trim().toLowerCase());
}

function requireAdmitted({ headers }: Response, origin: string): void {
  const admitted = headers.get("access-control-allow-origin");
  if (admitted !== origin) throw new TypeError(`Origin ${origin} is not admitted: ${admitted}`);
}
