import pluralize from "pluralize";
export function shout(text: string): string {
  return pluralize(text).toUpperCase();
}
