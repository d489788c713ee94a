/** Headers that prove who calls: authored code has no business with them. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
]);

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

export function withoutCredentials(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => !isCredentialHeader(name)));
}
