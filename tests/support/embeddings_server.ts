/** A stand-in for an operator's embeddings service: a text's vector counts its words, and nothing is random. */
import { freePort } from "./free_port.ts";

export interface EmbeddingsServer {
  readonly url: string;
  /** Bodies and credentials that came. */
  readonly heard: readonly {
    readonly body: Record<string, unknown>;
    readonly key: string | null;
  }[];
  /** Has it answer so, until told otherwise; null: as it should. */
  answers(response: ((text: string) => Response | Promise<Response>) | null): void;
}

/** `words`: one for each dimension. A text with none of them is equally far from all. */
export async function withEmbeddings<T>(
  words: readonly string[],
  body: (server: EmbeddingsServer) => Promise<T>,
): Promise<T> {
  const heard: { body: Record<string, unknown>; key: string | null }[] = [];
  let other: ((text: string) => Response | Promise<Response>) | null = null;
  const port = freePort();
  const server = Deno.serve(
    { port, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const asked: Record<string, unknown> = await request.json();
      heard.push({ body: asked, key: request.headers.get("authorization") });
      const text = String(asked["input"]);
      if (other) return await other(text);
      const said = text.toLowerCase().split(/\W+/);
      const embedding = words.map((word) => said.filter((one) => one === word).length + 0.01);
      return Response.json({
        object: "list",
        data: [{ object: "embedding", index: 0, embedding }],
      });
    },
  );
  try {
    return await body({
      url: `http://127.0.0.1:${port}/v1/embeddings`,
      heard,
      answers: (response) => void (other = response),
    });
  } finally {
    await server.shutdown();
  }
}
