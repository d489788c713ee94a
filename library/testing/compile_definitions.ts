/** Compiles a folder of definitions with the command line beside this module. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ifThereSync } from "../platform/if_there.ts";

/** Paths of the command line: in the package, and in the repository. */
const COMMANDS = ["../quickback.cjs", "../../cli/main.ts"];

/**
 * Compiles the folder and calls the body with the output, which is deleted afterwards. Throws the compile's message if it
 * fails.
 */
export async function withCompiled<T>(
  folder: string,
  body: (output: string) => Promise<T>,
): Promise<T> {
  const command = COMMANDS.map((path) => new URL(path, import.meta.url)).find(isThere);
  if (command === undefined) {
    throw new Error(
      `"${folder}" is a folder of definitions, and an output that carries the runtime has no compiler: run ` +
        "'quickback compile' and name its output",
    );
  }
  const work = await Deno.makeTempDir({ prefix: "quickback-testing-" });
  try {
    const out = join(work, "output");
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--allow-all",
        fileURLToPath(command),
        ...["compile", folder, "--out", out, "--vendor", "--empty-database"],
      ],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    if (success) return await body(out);
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("").trim();
    throw new Error(`"${folder}" does not compile:\n${said}`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function isThere(address: URL): boolean {
  return address.protocol === "file:" &&
    (ifThereSync(() => Deno.statSync(address).isFile) ?? false);
}
