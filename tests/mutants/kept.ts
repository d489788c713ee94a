/** Findings of earlier runs, below `.quickback/mutants`: one JSON file each, named by what it depends on. */

const FOLDER = ".quickback/mutants";

/** The kept value of this key, or the one that is made now; what `make` throws is not kept. */
export async function kept<T>(key: string, make: () => Promise<T>): Promise<T> {
  const path = `${FOLDER}/${key}.json`;
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const made = await make();
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(made));
  return made;
}

export async function forgetAll(): Promise<void> {
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.remove(FOLDER, { recursive: true });
}

/** The start of the text's SHA-256, in hexadecimal digits. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 24);
}
