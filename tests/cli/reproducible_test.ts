/** The same project gives the same bytes, whoever compiles it, where, when and in which language (contract 9.6). */
import { join } from "node:path";
import { assert, assertEquals } from "@std/assert";
import { outputHash } from "../../cli/verify_output.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { filesBelow, projectFiles } from "../support/sample_files.ts";
import { inFolder, runCli } from "./command_line.ts";

const HELPDESK = new URL("../../examples/helpdesk/", import.meta.url);
const OWN = ".quickback-output.json";

type Files = Readonly<Record<string, string>>;

const PLACES: readonly {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly order: (paths: readonly string[]) => readonly string[];
}[] = [
  { folder: "a", env: { TZ: "UTC", LC_ALL: "C" }, order: (paths) => paths },
  {
    folder: "a folder/with ünïcode/and depth",
    env: { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
    order: (paths) => paths.toReversed(),
  },
];

Deno.test("folders, time zones, languages, file orders and processes make no difference", () =>
  inFolder(async (root) => {
    const definitions = await projectFiles(HELPDESK);
    const hashes: string[] = [];
    for (const { folder, env, order } of PLACES) {
      const [project, out] = [join(root, folder, "project"), join(root, folder, "out")];
      await writeAll(project, definitions, order);
      const { code, err } = await runCli(["compile", project, "--out", out], { cwd: root, env });
      assertEquals(code, 0, err);
      hashes.push(await hashOf(await filesBelow(new URL(`file://${encodeURI(out)}/`))));
    }
    const env = { TZ: "America/St_Johns", LC_ALL: "de_DE.UTF-8", SERVICE_API_KEY: KEY };
    await using service = new ServiceProcess("service", env);
    hashes.push(await hashOf(await compiledBy(await service.address, definitions)));
    assertEquals(new Set(hashes).size, 1, hashes.join("\n"));
    assertEquals(hashes.length, 3);
  }));

const KEY = "a-key-for-reproducible-builds";

async function writeAll(
  folder: string,
  files: Files,
  order: (paths: readonly string[]) => readonly string[],
): Promise<void> {
  for (const path of order(Object.keys(files))) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, path), files[path] ?? "");
  }
}

/** Keys in the other order than files are read in. */
async function compiledBy(address: string, definitions: Files): Promise<Files> {
  const rawFiles = Object.fromEntries(Object.entries(definitions).toReversed());
  const answer = await fetch(`${address}/compile`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": KEY },
    body: JSON.stringify({ rawFiles }),
  });
  const { files }: { files: readonly { path: string; content: string }[] } = await answer.json();
  assertEquals(answer.status, 200);
  assert(files.length > 0);
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

function hashOf(files: Files): Promise<string> {
  return outputHash(
    Object.entries(files).filter(([path]) => path !== OWN)
      .map(([path, content]) => ({ path, content })),
  );
}
