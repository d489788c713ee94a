/**
 * `deno task pack`: writes the npm packages to `dist/`: quickback, and its client alone. Deno runs the product from its
 * sources. What authors and clients import under Node is bundled, with declarations.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENT_PACKAGE, PACKAGE, VERSION } from "../../shared/contract/mod.ts";
import { writeClientPackage } from "./client_package.ts";
import { writeLibrary } from "./library.ts";
import { packageManifest, runtimeConfig } from "./manifests.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that no command reads, imports or refers to. */
const LEFT_OUT = ["coverage", "dist", "node_modules", "tests", "tools"];

const DOCUMENTS = ["LICENSE", "README.md", "CHANGELOG.md"];

if (import.meta.main) {
  for (const make of [pack, packClient]) console.log(await make(join(ROOT, "dist")));
}

/** Writes the package and returns the path of its archive. */
export async function pack(folder: string): Promise<string> {
  return await packed(folder, PACKAGE, async (stage) => {
    await stageFiles(stage);
    await writeLibrary({ root: ROOT, out: join(stage, "lib") });
  });
}

/** Writes the client's package and returns the path of its archive. */
export async function packClient(folder: string): Promise<string> {
  return await packed(
    folder,
    CLIENT_PACKAGE,
    (stage) => writeClientPackage({ root: ROOT, out: stage }),
  );
}

async function packed(
  folder: string,
  name: string,
  write: (stage: string) => Promise<void>,
): Promise<string> {
  const stage = await Deno.makeTempDir({ prefix: "quickback-pack-" });
  try {
    await write(stage);
    await Deno.mkdir(folder, { recursive: true });
    await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], stage);
    return join(folder, `${name.replace("@", "").replace("/", "-")}-${VERSION}.tgz`);
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

async function stageFiles(stage: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(ROOT)) {
    if (!isDirectory || name.startsWith(".") || LEFT_OUT.includes(name)) continue;
    await copyFolder(join(ROOT, name), join(stage, "app", name));
  }
  for (const name of DOCUMENTS) await Deno.copyFile(join(ROOT, name), join(stage, name));
  for (const name of ["deno.lock", "CHANGELOG.md"]) {
    await Deno.copyFile(join(ROOT, name), join(stage, "app", name));
  }
  await Deno.copyFile(join(ROOT, "tools/packaging/quickback.cjs"), join(stage, "quickback.cjs"));
  const config = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  await writeJson(join(stage, "app/deno.json"), runtimeConfig(config));
  await writeJson(join(stage, "package.json"), packageManifest(config));
}

/** Copies a folder without tests and without files that a run or an editor left. */
async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (["node_modules", ".quickback", "tests"].includes(name)) continue;
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
