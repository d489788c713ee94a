/** Files of records on a disk (contract 4.7, 8): crashes at every step, what is collected, and how much is held meanwhile. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderStore } from "../../library/platform/mod.ts";
import { vacuumInto } from "../../library/platform/libsql/vacuum.ts";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import type { LogEntry } from "../../shared/runtime/ports.ts";
import { openPapers, STEPS } from "../support/killed_upload.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const SCRIPT = fileURLToPath(new URL("../support/killed_upload.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const TEXT = { "content-type": "text/plain" };
/** Is left in its store by each collection. */
const MARK = "_collection";

type Papers = Awaited<ReturnType<typeof openPapers>>;

async function withPapers(body: (papers: Papers, folder: string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    const papers = await openPapers(folder);
    try {
      await papers.database.migrate(schemaOf(papers.project));
      await body(papers, folder);
    } finally {
      await papers.close();
    }
  });
}

async function newPaper({ ask }: Papers): Promise<string> {
  const answer = await ask("", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  return (await answer.json()).id;
}

async function send({ ask }: Papers, id: string, body: BodyInit): Promise<number> {
  const answer = await ask(`/${id}/scan`, { method: "PUT", body, headers: TEXT });
  await answer.body?.cancel();
  return answer.status;
}

async function textOf({ ask }: Papers, id: string): Promise<string> {
  return await (await ask(`/${id}/scan`)).text();
}

async function keysOf({ store }: Pick<Papers, "store">): Promise<readonly string[]> {
  const keys = (await Array.fromAsync(store.list(""))).map(({ key }) => key);
  return keys.filter((key) => key !== MARK).sort();
}

async function collect({ project, ports }: Papers, later = 3_600_000): Promise<void> {
  const clock = { now: () => Date.now() + later };
  const step = createCollection(project, { ...ports, clock, files: ports.files ?? null });
  while (await step());
}

for (const step of STEPS) {
  Deno.test(`a kill at the step "${step}" loses no file and leaves none`, async () => {
    await withPapers(async (papers, folder) => {
      const id = await newPaper(papers);
      assertEquals(await send(papers, id, "before"), 200);
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", "--config", CONFIG, SCRIPT, folder, id, step],
        stdout: "null",
      });
      const { signal } = await child.output();
      assertEquals(signal, "SIGKILL");
      const after = step === "committed" ? "x".repeat(100_000) + "y".repeat(100_000) : "before";
      assertEquals(await textOf(papers, id), after);
      assert((await keysOf(papers)).length === 2, "What was cut off stands beside the file");
      await collect(papers);
      assertEquals((await keysOf(papers)).length, 1);
      assertEquals(await textOf(papers, id), after);
    });
  });
}

Deno.test("a file of the second in which a collection begins is not collected, whatever its store rounds to", async () => {
  await withPapers(async (papers) => {
    const id = await newPaper(papers);
    assertEquals(await send(papers, id, "first"), 200);
    const files = papers.ports.files;
    assert(files);
    const [{ modifiedAt } = { modifiedAt: 0 }] = await Array.fromAsync(files.store.list(""));
    // All of a second's files are as old as its beginning, as a bucket tells it.
    const second = modifiedAt - modifiedAt % 1000;
    const rounded = {
      ...files.store,
      async *list(prefix: string) {
        for await (const object of files.store.list(prefix)) {
          yield { ...object, modifiedAt: second };
        }
      },
    };
    const collectAt = async (now: number) => {
      const step = createCollection(papers.project, {
        ...papers.ports,
        clock: { now: () => now },
        files: { ...files, store: rounded, graceMs: 0 },
      });
      while (await step());
    };
    await files.store.put(
      "org_1/papers/file_00000000000000000000000000000000",
      ReadableStream.from([]),
    );
    await collectAt(second + 999);
    assertEquals((await keysOf(papers)).length, 2);
    await collectAt(second + 1000);
    assertEquals((await keysOf(papers)).length, 1);
  });
});

Deno.test("what nothing refers to is collected after its time, and what a deleted record refers to is kept", async () => {
  await withPapers(async (papers) => {
    const [replaced, removed, deleted] = [
      await newPaper(papers),
      await newPaper(papers),
      await newPaper(papers),
    ];
    for (const id of [replaced, removed, deleted]) await send(papers, id, `one of ${id}`);
    await send(papers, replaced, "another");
    await (await papers.ask(`/${removed}/scan`, { method: "DELETE" })).body?.cancel();
    await (await papers.ask(`/${deleted}`, { method: "DELETE" })).body?.cancel();
    const patient = { ...papers, ports: { ...papers.ports } };
    const files = papers.ports.files;
    assert(files);
    await collect({
      ...patient,
      ports: { ...papers.ports, files: { ...files, graceMs: 7_200_000 } },
    });
    assertEquals((await keysOf(papers)).length, 4);
    await collect(papers);
    assertEquals((await keysOf(papers)).length, 2);
    assertEquals(await textOf(papers, replaced), "another");
  });
});

Deno.test("what was not put there by an API is left alone, however old it is", async () => {
  await withPapers(async (papers, folder) => {
    const others = ["app.db", "org_1/papers/report.pdf", "_put/put_1", "backups/2026.tar"];
    const left = `org_1/papers/file_${"0".repeat(32)}`;
    for (const path of [...others, left]) {
      await papers.store.put(path, ReadableStream.from([new Uint8Array(3)]));
    }
    await Deno.mkdir(join(folder, "files/.uploads"), { recursive: true });
    await Deno.writeTextFile(join(folder, "files/.uploads/notes.txt"), "mine");
    await collect(papers);
    assertEquals(await keysOf(papers), [...others, ".uploads/notes.txt"].sort());
  });
});

Deno.test("a copy of a database removes nothing from a store in which the database itself goes on", async () => {
  await withPapers(async (papers, folder) => {
    await send(papers, await newPaper(papers), "one");
    await collect(papers);
    const trial = join(folder, "trial");
    await Deno.mkdir(trial);
    await vacuumInto(join(folder, "app.db"), join(trial, "app.db"));
    const later = await newPaper(papers);
    await send(papers, later, "two");
    await collect(papers);
    const copy = await openPapers(trial, { wrapStore: () => papers.store });
    const said: string[] = [];
    const logger = { log: ({ message }: LogEntry) => void said.push(message) };
    const told = { ...copy, ports: { ...copy.ports, logger } };
    try {
      await collect(told);
      assertEquals([await textOf(papers, later), said.length], ["two", 1]);
      assertStringIncludes(said[0] ?? "", "Give each a STORAGE_URL of its own");
      await collect(papers);
      assertEquals((await keysOf(papers)).length, 2);
      // As somebody says who has only the copy left.
      await papers.store.remove(MARK);
      await collect(told);
      assertEquals((await keysOf(papers)).length, 1);
    } finally {
      await copy.close();
    }
  });
});

Deno.test("one instance collects at a time, and another goes on where one has died", async () => {
  await withPapers(async (papers) => {
    const id = await newPaper(papers);
    await send(papers, id, "one");
    await send(papers, id, "two");
    const time = { now: Date.now() + 3_600_000 };
    const { project, ports } = papers;
    const steps = [0, 1].map(() =>
      createCollection(project, {
        ...ports,
        files: ports.files ?? null,
        clock: { now: () => time.now },
      })
    );
    const [one, other] = steps;
    assert(one && other);
    // The first one is not asked again: it has died.
    assertEquals(await one(), true);
    assertEquals(await other(), false);
    assertEquals((await keysOf(papers)).length, 2);
    time.now += 10_000;
    while (await other());
    assertEquals((await keysOf(papers)).length, 1);
  });
});

Deno.test("a store keeps whole objects alone, under keys that lead nowhere else", async () => {
  await withTempFolder(async (folder) => {
    const store = folderStore(join(folder, "files"));
    const broken = async function* () {
      yield new Uint8Array(10);
      throw new RangeError("cut");
    };
    await assertRejects(() => store.put("org/papers/file_1", broken()), RangeError);
    assertEquals(await keysOf({ store }), []);
    for (const key of ["../file", "a/../b", "/etc/passwd", "a//b", ".uploads/x", "a\0b"]) {
      await assertRejects(() => store.put(key, broken()), TypeError, "No key");
    }
    const whole = async function* () {
      yield new TextEncoder().encode("abc");
      yield new TextEncoder().encode("def");
    };
    assertEquals(await store.put("org/papers/file_2", whole()), {
      size: 6,
      sha256: "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721",
    });
    assertEquals(await new Response(await store.get("org/papers/file_2")).text(), "abcdef");
    const modeOf = async (path: string) => (await Deno.stat(join(folder, path))).mode ?? 0;
    assertEquals((await modeOf("files")) & 0o077, 0);
    assertEquals((await modeOf("files/org/papers/file_2")) & 0o777, 0o600);
    const part = await store.get("org/papers/file_2", { start: 1, end: 3 });
    assertEquals(await new Response(part).text(), "bcd");
    assertEquals(await store.get("org/papers/file_3"), null);
    await store.remove("org/papers/file_3");
    await store.remove("org/papers/file_2");
    assertEquals(await keysOf({ store }), []);
  });
});

Deno.test("a file of 64 MiB comes and goes with less than one of them held", async () => {
  await withPapers(async (papers, folder) => {
    const id = await newPaper(papers);
    const [chunk, chunks, held] = [64 * 1024, 1024, { sent: 0, most: 0 }];
    const written = async () => {
      const uploads = join(folder, "files", ".uploads");
      const [name] = await Array.fromAsync(Deno.readDir(uploads)).catch(() => []);
      return name ? (await Deno.stat(join(uploads, name.name))).size : 0;
    };
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (held.sent === chunk * chunks) return controller.close();
        if (held.sent % (16 * chunk) === 0) {
          held.most = Math.max(held.most, held.sent - await written());
        }
        held.sent += chunk;
        controller.enqueue(new Uint8Array(chunk));
      },
    }, { highWaterMark: 0 });
    assertEquals(await send(papers, id, body), 200);
    assert(held.most <= 1024 * 1024, `${held.most} bytes were held on their way in`);
    const answer = await papers.ask(`/${id}/scan`);
    assertEquals(answer.headers.get("content-length"), String(chunk * chunks));
    let size = 0;
    let most = 0;
    for await (const bytes of answer.body ?? []) {
      size += bytes.length;
      most = Math.max(most, bytes.length);
    }
    assertEquals(size, chunk * chunks);
    assert(most <= 1024 * 1024, `${most} bytes came at once`);
  });
});
