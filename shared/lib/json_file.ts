/** A value as JSON text for a file: two spaces, keys in the order they were given, one final newline. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
