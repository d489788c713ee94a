/** Turns words into a vector of a column (contract 4.3, "near"). Refuses with `EMBEDDINGS_UNAVAILABLE`. */
import { vectorDigits } from "../../column_types/mod.ts";
import { HEADERS } from "../../contract/mod.ts";
import type { VectorColumn } from "../../surface/mod.ts";
import { EmbeddingsUnavailableError, type Ports } from "../ports.ts";
import { refuse } from "../refusal.ts";

const RETRY_AFTER_SECONDS = 5;

/** Returns the vector in stored form. */
export async function embedded(
  { webhooks, logger }: Pick<Ports, "webhooks" | "logger">,
  { column, type }: VectorColumn,
  words: string,
): Promise<string> {
  try {
    const numbers = await webhooks?.embeddings?.embed(words);
    if (!numbers) throw new EmbeddingsUnavailableError("No service is set");
    const digits = vectorDigits(type, numbers);
    if (digits !== undefined) return digits;
    throw new EmbeddingsUnavailableError(
      `The service answered ${numbers.length} numbers for "${column.name}", which takes ${type.dimensions}`,
    );
  } catch (error) {
    if (!(error instanceof EmbeddingsUnavailableError)) throw error;
    const { message } = error;
    logger.log({ level: "warn", message: `No vector of the words was made: ${message}` });
    const headers = { [HEADERS.retryAfter]: String(RETRY_AFTER_SECONDS) };
    return refuse("EMBEDDINGS_UNAVAILABLE", { headers });
  }
}
