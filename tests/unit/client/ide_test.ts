/** `quickback/ide` against the build service itself, over HTTP (contract 4.8, stream protocol v2). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, compileStream, type CompileStreamEvent } from "quickback/ide";
import {
  compileRequest,
  json,
  KEY,
  projectBody,
  testService,
} from "../../support/build_service.ts";

const { rawFiles } = JSON.parse(await projectBody());
const CONFIG = "quickback/quickback.config.ts";

/** Gives the body the address of a service that answers so. */
async function serving(
  answer: (request: Request) => Response | Promise<Response>,
  body: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  try {
    await body(`http://127.0.0.1:${server.addr.port}/`);
  } finally {
    await server.shutdown();
  }
}

const service = (body: (url: string) => Promise<void>) => serving(testService().fetch, body);

function kindsOf(events: readonly CompileStreamEvent[]): readonly string[] {
  return [...new Set(events.map(({ type }) => type))];
}

Deno.test("a compile tells its phases, its files and that it is done: together the JSON answer", () =>
  service(async (url) => {
    const events = await Array.fromAsync(compileStream(url, rawFiles, { key: KEY }));
    assertEquals(kindsOf(events), ["progress", "meta", "file", "done"]);
    const whole = await json(await testService().fetch(compileRequest(await projectBody())));
    const files = events.flatMap((event) => {
      if (event.type !== "file") return [];
      const { type: _type, ...file } = event;
      return [file];
    });
    assertEquals<unknown>(files, whole.files);
    const announced = events.find((event) => event.type === "meta");
    assertEquals(announced?.type === "meta" ? announced.fileCount : null, files.length);
  }));

Deno.test("a validation sends no file", () =>
  service(async (url) => {
    const options = { key: KEY, complete: false };
    const events = await Array.fromAsync(compileStream(url, rawFiles, options));
    assertEquals(kindsOf(events), ["progress", "meta", "done"]);
  }));

Deno.test("mistakes are the last event, each with its place and the way out", () =>
  service(async (url) => {
    const broken = { ...rawFiles, [CONFIG]: 'export default { nam: "a" };' };
    const events = await Array.fromAsync(compileStream(url, broken, { key: KEY }));
    const last = events.at(-1);
    assert(last?.type === "error");
    assertEquals(last.code, "COMPILE_FAILED");
    assertEquals([last.errors?.[0]?.file, last.errors?.[0]?.line], [CONFIG, 1]);
    assert(last.errors?.some(({ hint }) => hint !== null));
  }));

Deno.test("a wrong key is refused before the stream begins", () =>
  service(async (url) => {
    const options = { key: "another-key-of-16-or-more" };
    const refused: unknown = await Array.fromAsync(compileStream(url, rawFiles, options))
      .catch((error: unknown) => error);
    assert(refused instanceof ApiError);
    assertEquals([refused.status, refused.code], [401, "AUTH_INVALID_TOKEN"]);
  }));

Deno.test("a signal ends the compile, at the service too", async () => {
  const cancelled = Promise.withResolvers<void>();
  const stream = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(
            'event: progress\ndata: {"stage":"read","message":"Reading"}\n\n',
          ),
        ),
      cancel: () => cancelled.resolve(),
    });
  await serving(() => new Response(stream()), async (url) => {
    const ending = new AbortController();
    const seen: string[] = [];
    await assertRejects(async () => {
      for await (
        const { type } of compileStream(url, rawFiles, { key: KEY, signal: ending.signal })
      ) {
        seen.push(type);
        ending.abort();
      }
    }, DOMException);
    assertEquals(seen, ["progress"]);
    await cancelled.promise;
  });
});

Deno.test("a stream that is cut off is an error, and is not begun again", async () => {
  let count = 0;
  const answer = () => {
    count++;
    return new Response(
      'event: meta\ndata: {"fileCount":2,"version":"1"}\n\nevent: later\ndata: {}\n\n',
    );
  };
  await serving(answer, async (url) => {
    const events: CompileStreamEvent[] = [];
    await assertRejects(
      async () => {
        for await (const event of compileStream(url, rawFiles, { key: KEY })) events.push(event);
      },
      Error,
      "before its last event",
    );
    assertEquals([kindsOf(events), count], [["meta"], 1]);
  });
});
