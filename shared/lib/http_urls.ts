/** Absolute http and https URLs in the syntax of RFC 3986, without credentials. */

const PATH_CHARACTER = "(?:[a-z0-9\\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})";
const HTTP_URL = new RegExp(
  "^https?://" +
    "(?:\\[[0-9a-f:.]+\\]|(?:[a-z0-9\\-._~]|%[0-9a-f]{2})+)" +
    "(?::\\d{1,5})?" +
    `(?:/${PATH_CHARACTER}*)*` +
    `(?:\\?(?:${PATH_CHARACTER}|[/?])*)?` +
    `(?:#(?:${PATH_CHARACTER}|[/?])*)?$`,
  "i",
);

/** Stricter than `new URL`, which accepts `javascript:`, strips line breaks and reads backslashes as slashes. */
export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}
