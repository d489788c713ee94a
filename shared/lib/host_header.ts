/** Form of a `Host` header (RFC 9110, 7.2): a name or an address, and a port. */

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
const HOST = new RegExp(`^(?:${NAME}(?:\\.${NAME})*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
const HOST_MAX_LENGTH = 262;

/** False for what would change how a URL made from it is read, such as a slash. */
export function isHostWellFormed(host: string): boolean {
  return host.length <= HOST_MAX_LENGTH && HOST.test(host);
}
