/** Reads `multipart/form-data` with one file as a stream, and holds only bytes that the reader has not taken yet. */
import type { Readable } from "node:stream";
import { PART_HEADER_MAX_BYTES } from "../../../shared/contract/mod.ts";
import { FormError, type FormFile } from "../../../shared/runtime/ports.ts";

/** Implements `FilePorts.readForm`. */
export async function readForm(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): Promise<FormFile> {
  const parser = await parserOf(contentType);
  const found = Promise.withResolvers<FormFile>();
  /** Resolves at the parser's end, or when nobody reads on. */
  const ended = Promise.withResolvers<void>();
  found.promise.catch(() => {});
  ended.promise.catch(() => {});
  let file: Readable | null = null;
  const fail = (error: unknown) => {
    found.reject(error);
    ended.reject(error);
    file?.destroy();
  };
  parser.on("file", (_field, stream, name, _encoding, type) => {
    // The parser reports its error here, or ends.
    stream.on("error", (error) => fail(formError(error)));
    if (file !== null) {
      stream.resume();
      return fail(new FormError("The form holds more than one file"));
    }
    file = stream;
    found.resolve({ name: name ?? "", type: type || null, body: contentOf(stream, ended) });
  });
  parser.on("field", () => fail(new FormError("The form holds a field that is no file")));
  parser.on("partsLimit", () => fail(new FormError("The form holds more than one part")));
  parser.on("error", (error) => fail(formError(error)));
  parser.on("finish", () => {
    found.reject(new FormError("The form holds no file"));
    ended.resolve();
  });
  pumped(withWholeHeader(body), parser, ended.promise).catch(fail);
  return await found.promise;
}

const LINE_ENDS = /^(?:\r\n)*/;
const HEADER_END = "\r\n\r\n";

/**
 * Yields the same bytes after checking that the first part's header is within its limit. The parser would cut a longer one in
 * silence.
 */
async function* withWholeHeader(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("latin1");
  let begun: Uint8Array[] | null = [];
  let text = "";
  for await (const chunk of body) {
    if (begun === null) {
      yield chunk;
      continue;
    }
    begun.push(chunk);
    text += decoder.decode(chunk.subarray(0, PART_HEADER_MAX_BYTES), { stream: true });
    const head = text.replace(LINE_ENDS, "");
    if (!"--".startsWith(head.slice(0, 2))) {
      throw new FormError("The form does not begin with its boundary");
    }
    const end = head.indexOf(HEADER_END);
    if (end === -1 ? head.length >= PART_HEADER_MAX_BYTES : end >= PART_HEADER_MAX_BYTES) {
      throw new FormError(`The header of a part takes more than ${PART_HEADER_MAX_BYTES} bytes`);
    }
    if (end === -1) continue;
    yield* begun;
    begun = null;
  }
  yield* begun ?? [];
}

async function parserOf(contentType: string) {
  // The module is loaded with the first form.
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // A field is only detected, so its value is not kept.
      limits: { fieldSize: 1, parts: 2, headerSize: PART_HEADER_MAX_BYTES },
      isPartAFile: (_field, _type, name) => name !== undefined,
      preservePath: true,
    });
  } catch (error) {
    throw formError(error);
  }
}

function formError(error: unknown): FormError {
  return new FormError("The body is no form that can be read", { cause: error });
}

/** Writes to the parser as fast as the file's reader takes the bytes. Stops when the reader stops. */
async function pumped(
  body: AsyncIterable<Uint8Array>,
  parser: Awaited<ReturnType<typeof parserOf>>,
  ended: Promise<void>,
): Promise<void> {
  let isOver = false;
  let wake = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  ended.then(over, over);
  for await (const chunk of body) {
    if (isOver) return;
    if (parser.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      parser.once("drain", resolve);
    });
  }
  parser.end();
}

async function* contentOf(
  file: Readable,
  { promise, resolve }: PromiseWithResolvers<void>,
): AsyncGenerator<Uint8Array> {
  try {
    try {
      for await (const chunk of file) yield chunk;
    } catch (error) {
      // This throws the reason of the destruction, if there is one.
      await promise;
      throw formError(error);
    }
    await promise;
  } finally {
    resolve();
  }
}
