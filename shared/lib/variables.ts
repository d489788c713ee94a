/** The texts that an operator sets for a process. */

/** Where they come from: `Deno.env`, a worker's bindings, or a map in tests. */
export interface Variables {
  get(name: string): string | undefined;
}

/** An empty variable counts as unset: `.env` files carry empty lines for what they leave out. */
export function setting(variables: Variables, name: string): string | null {
  return variables.get(name)?.trim() || null;
}

/** What commas part; nothing of an unset variable. */
export function readList(text: string | null): readonly string[] {
  return (text ?? "").split(",").map((item) => item.trim()).filter((item) => item !== "");
}
