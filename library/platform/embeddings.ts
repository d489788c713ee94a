/** The operator's embeddings service over HTTP, with the requests and answers of OpenAI's `/v1/embeddings`. */
import { z } from "zod";
import { type Embeddings, EmbeddingsUnavailableError } from "../../shared/runtime/ports.ts";

export interface EmbeddingsOptions {
  readonly url: string;
  /** Bearer token; null: none. */
  readonly key: string | null;
  readonly model: string | null;
}

const PATIENCE_MS = 10_000;
/** Largest answer: about 4,096 numbers and some metadata. */
const ANSWER_MAX_BYTES = 512 * 1024;

const ANSWER = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) });

/** Returns the service. Without the variable there is none, and vectors made from texts wait. */
export function configuredEmbeddings(
  { embeddings }: { readonly embeddings: EmbeddingsOptions | null },
): { readonly embeddings?: Embeddings } {
  return embeddings === null ? {} : { embeddings: httpEmbeddings(embeddings) };
}

/** Makes the service. Its answers are never repeated in errors, because they may contain the text. */
export function httpEmbeddings({ url, key, model }: EmbeddingsOptions): Embeddings {
  return {
    async embed(input) {
      const parsed = ANSWER.safeParse(
        await answerOf(url, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({
            input,
            ...(model === null ? {} : { model }),
            encoding_format: "float",
          }),
          redirect: "error",
          signal: AbortSignal.timeout(PATIENCE_MS),
        }),
      );
      const [first] = parsed.data?.data ?? [];
      if (!first) throw new EmbeddingsUnavailableError("The service answered no embedding");
      return first.embedding;
    },
  };
}

async function answerOf(url: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, request);
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbeddingsUnavailableError(`The service answered ${response.status}`);
    }
    return JSON.parse(await boundedText(response));
  } catch (cause) {
    if (cause instanceof EmbeddingsUnavailableError) throw cause;
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
    const reason = isLate
      ? `did not answer within ${PATIENCE_MS / 1000} s`
      : cause instanceof SyntaxError
      ? "answered no JSON"
      : "cannot be reached";
    throw new EmbeddingsUnavailableError(`The service ${reason}`, { cause });
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_MAX_BYTES) {
      throw new EmbeddingsUnavailableError(`The service answered over ${ANSWER_MAX_BYTES} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
