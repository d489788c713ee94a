/** Writes JSON pointers (RFC 6901, section 3). */

export function pointerTo(...members: readonly (string | number)[]): string {
  return members.map((member) => `/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
