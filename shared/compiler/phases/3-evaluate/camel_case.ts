/** `internal-notes` → `internalNotes`: the table that a file is named after. */
export function camelCase(name: string): string {
  return name.replace(/[-_]+([A-Za-z0-9])/g, (_, next: string) => next.toUpperCase());
}
