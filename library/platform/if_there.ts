/** Files that may be missing: nothing at a path is an answer, and every other failure is one. */

/** Result of a file operation; null: nothing is at its path, or the path leads through a file. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    return nullIfMissing(error);
  }
}

/** The same at once, for what cannot wait. */
export function ifThereSync<T>(operation: () => T): T | null {
  try {
    return operation();
  } catch (error) {
    return nullIfMissing(error);
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return null;
  }
  throw error;
}
