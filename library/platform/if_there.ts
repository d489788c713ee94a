/** File operations that may find nothing. A missing file is a result; any other failure is thrown. */

/** Returns the result of a file operation; null: nothing is at its path, or the path leads through a file. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    return nullIfMissing(error);
  }
}

/** Does the same synchronously. */
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
