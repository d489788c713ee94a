/** What the container keeps of its compiles, in memory and in a folder. */
import { assertEquals } from "@std/assert";
import { CompileCache } from "../../../container/cache/compile_cache.ts";
import { DiskCache } from "../../../container/cache/disk_cache.ts";
import { type CompileEvent, outputFiles } from "../../../shared/service/mod.ts";
import { stepCompiler } from "../../../shared/service/step_compiler.ts";
import { BARE_HOST } from "../../support/sample_files.ts";
import { projectBody } from "../../support/build_service.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const CARRIED = { "src/carried.ts": "export const carried = 1;\n".repeat(100_000) };
const HOST = { ...BARE_HOST, vendored: CARRIED };
const { rawFiles } = JSON.parse(await projectBody());
const EVENTS = await Array.fromAsync(
  stepCompiler({ host: HOST, check: null, turn: () => Promise.resolve() }).compile({
    input: { files: rawFiles, actionInputSchemas: {} },
    complete: true,
    signal: new AbortController().signal,
  }),
);
const [KEY, OTHER] = ["a".repeat(64), "b".repeat(64)];
const CONTENT = new TextEncoder().encode("content");

Deno.test("what is kept is what was given", async () => {
  const cache = cacheOf({});
  assertEquals(await cache.get(KEY), null);
  await cache.set(KEY, EVENTS);
  assertEquals(await cache.get(KEY), EVENTS);
});

Deno.test("another process finds it in the folder, without what every output carries", async () => {
  await withTempFolder(async (folder) => {
    await cacheOf({ folder }).set(KEY, EVENTS);
    assertEquals(await cacheOf({ folder }).get(KEY), EVENTS);
    assertEquals(await cacheOf({ folder }).get(OTHER), null);
    const [size = 0] = sizesIn(folder);
    assertEquals(size < CARRIED["src/carried.ts"].length, true);
  });
});

Deno.test("another compiler, and other carried files, find nothing", async () => {
  await withTempFolder(async (folder) => {
    await cacheOf({ folder }).set(KEY, EVENTS);
    assertEquals(await cacheOf({ folder, program: "next" }).get(KEY), null);
    const vendored = { "src/carried.ts": "export const carried = 2;\n" };
    assertEquals(await cacheOf({ folder, vendored }).get(KEY), null);
  });
});

Deno.test("memory has an end: the least recently used goes first", async () => {
  const [one, two, three] = await Promise.all(["1", "2", "3"].map(eventsOf));
  const cache = cacheOf({ memoryMaxBytes: 2 * 2 * 700 });
  await cache.set("1", one ?? []);
  await cache.set("2", two ?? []);
  assertEquals(await cache.get("1"), one);
  await cache.set("3", three ?? []);
  assertEquals([await cache.get("1"), await cache.get("2"), await cache.get("3")], [
    one,
    null,
    three,
  ]);
});

Deno.test("an entry that was damaged is not there", async () => {
  await withTempFolder(async (folder) => {
    const cache = diskCache(folder);
    for (const damage of ["cut", "changed", "empty"]) {
      await cache.set(KEY, CONTENT);
      assertEquals(await cache.get(KEY), CONTENT);
      const entry = await Deno.readFile(`${folder}/${KEY}`);
      if (damage === "changed") entry.fill(0, entry.length - 1);
      const cut = damage === "cut" ? entry.length - 1 : damage === "empty" ? 0 : entry.length;
      await Deno.writeFile(`${folder}/${KEY}`, entry.subarray(0, cut));
      assertEquals(await cache.get(KEY), null, damage);
    }
  });
});

Deno.test("many who write the same leave one whole entry", async () => {
  await withTempFolder(async (folder) => {
    await Promise.all(Array.from({ length: 20 }, () => diskCache(folder).set(KEY, CONTENT)));
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), [KEY]);
    assertEquals(await diskCache(folder).get(KEY), CONTENT);
  });
});

Deno.test("a folder has an end: the oldest go first, with drafts that nobody finished", async () => {
  await withTempFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/draft-left`, "x".repeat(100));
    await Deno.utime(`${folder}/draft-left`, 1, 1);
    const cache = diskCache(folder, 400);
    for (const [at, name] of ["1", "2", "3", "4"].entries()) {
      const key = name.repeat(64);
      await cache.set(key, new Uint8Array(100));
      await Deno.utime(`${folder}/${key}`, at + 2, at + 2);
    }
    const sum = sizesIn(folder).reduce((a, b) => a + b, 0);
    assertEquals(sum <= 400, true);
    assertEquals(await cache.get("1".repeat(64)), null);
    assertEquals(await cache.get("4".repeat(64)), new Uint8Array(100));
  });
});

Deno.test("an entry that somebody else has written is not there", async () => {
  await withTempFolder(async (folder) => {
    await cacheOf({ folder }).set(KEY, EVENTS);
    const [{ name = "" } = {}] = [...Deno.readDirSync(folder)];
    const texts = ["no JSON", "{}", "[null]", '[{"kind":"packed","files":[["a",null,"b"]]}]'];
    for (const text of texts) {
      await diskCache(folder).set(name, new TextEncoder().encode(text));
      assertEquals(await cacheOf({ folder }).get(KEY), null, text);
    }
  });
});

Deno.test("a write that fails leaves no draft", async () => {
  await withTempFolder(async (folder) => {
    const faults: unknown[] = [];
    const cache = new DiskCache({
      folder,
      maxBytes: 1000,
      onFault: (error) => void faults.push(error),
    });
    await Deno.mkdir(`${folder}/${KEY}/in-the-way`, { recursive: true });
    await cache.set(KEY, CONTENT);
    assertEquals(await cache.get(KEY), null);
    assertEquals(faults.length, 2);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), [KEY]);
  });
});

Deno.test("a folder that cannot be used is told, and costs nothing but time", async () => {
  await withTempFolder(async (folder) => {
    const faults: unknown[] = [];
    await Deno.writeTextFile(`${folder}/file`, "");
    const cache = new DiskCache({
      folder: `${folder}/file`,
      maxBytes: 1000,
      onFault: (error) => void faults.push(error),
    });
    await cache.set(KEY, CONTENT);
    assertEquals(await cache.get(KEY), null);
    assertEquals(faults.length, 2);
  });
});

interface Given {
  readonly folder?: string;
  readonly program?: string;
  readonly vendored?: Readonly<Record<string, string>>;
  readonly memoryMaxBytes?: number;
}

function cacheOf(
  { folder, program = "this", vendored = CARRIED, memoryMaxBytes = 16 * 1024 * 1024 }: Given,
): CompileCache {
  return new CompileCache({
    host: { ...HOST, vendored },
    program: Promise.resolve(program),
    memoryMaxBytes,
    disk: folder === undefined ? null : diskCache(folder),
  });
}

function diskCache(folder: string, maxBytes = 16 * 1024 * 1024): DiskCache {
  return new DiskCache({
    folder,
    maxBytes,
    onFault: (error) => {
      throw error;
    },
  });
}

async function eventsOf(name: string): Promise<readonly CompileEvent[]> {
  const files = await outputFiles([{ path: "file", content: name.repeat(500) }]);
  return [{ kind: "emitted", files }];
}

function sizesIn(folder: string): readonly number[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => Deno.statSync(`${folder}/${name}`).size);
}
