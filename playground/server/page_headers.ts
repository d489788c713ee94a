/** Headers of every answer: the page runs its own script and nothing else, and no other page can hold or read it. */

/** The editor writes a style sheet of its own under the nonce; the marks in its margin are `data:` images. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** The page's nonce stands in its text, and is another each time. */
export function guarded(response: Response, nonce: string): Response {
  response.headers.set("content-security-policy", policy(nonce));
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}
