/** Generated files with the hash of their bytes (definitions 7). */
import { assertEquals } from "@std/assert";
import { sha256Hex } from "../../../shared/lib/bytes.ts";
import { CarriedFiles, outputFiles } from "../../../shared/service/compile/output_files.ts";

const HOST = {
  template: { "main.ts": "both();", "one.ts": "one();" },
  vendored: { "lib.ts": "lib();" },
  platforms: { cloudflare: { template: { "main.ts": "worker();" }, vendored: {} } },
};

Deno.test("every file has the hash of its bytes, whatever is carried under its path", async () => {
  const carried = new CarriedFiles(HOST);
  const outputs = [
    { "main.ts": "both();", "lib.ts": "lib();", "own.ts": "own();" },
    { "main.ts": "worker();", "lib.ts": "lib();", "own.ts": "other();" },
    { "main.ts": "edited();", "one.ts": "one();", "lib.ts": "both();" },
    { "main.ts": "both();" },
  ];
  for (const output of outputs) {
    const files = Object.entries(output).map(([path, content]) => ({ path, content }));
    const hashed = await Promise.all(
      files.map(async (file) => ({ ...file, sha256: await sha256Hex(file.content) })),
    );
    assertEquals(await outputFiles(files, carried), hashed);
    assertEquals(await outputFiles(files), hashed);
  }
});

Deno.test("a carried file is hashed once", () => {
  const carried = new CarriedFiles(HOST);
  const file = { path: "main.ts", content: "worker();" };
  const first = carried.hashed(file);
  assertEquals(first === null, false);
  assertEquals(carried.hashed({ ...file }) === first, true);
  assertEquals(carried.hashed({ ...file, content: "both();" }) === first, false);
  assertEquals(carried.hashed({ ...file, content: "edited();" }), null);
});
