/** The files of a documentation browser as a generated project gets them: in a process with that project's pins. */
import type { DocsBrowserKind } from "../../library/platform/docs_browser.ts";
import { readCompileHost } from "../../container/host.ts";
import { denoLockText } from "../../shared/compiler/lock/deno_lock.ts";
import { lockOf } from "../../shared/compiler/lock/lock_of.ts";
import type { DocsBrowser } from "../../shared/runtime/ports.ts";
import { withTempFolder } from "./temp_folder.ts";

const MODULE = new URL("../../library/platform/docs_browser.ts", import.meta.url);

/** This repository has no pin of its own for the heavier one. */
export function installedDocsBrowser(kind: DocsBrowserKind): Promise<DocsBrowser> {
  return withTempFolder(async (folder) => {
    const { imports, lock } = readCompileHost({ version: "0.0.0" });
    const config = { imports, nodeModulesDir: "none" };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    const locked = lockOf(Object.values(imports), lock);
    await Deno.writeTextFile(`${folder}/deno.lock`, denoLockText(locked));
    await Deno.writeTextFile(`${folder}/write.ts`, scriptFor(kind));
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--frozen", "--no-check", "write.ts"],
      cwd: folder,
      stdout: "null",
      stderr: "piped",
    });
    const { success, stderr } = await command.output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const [script, style] = await Promise.all(
      ["script", "style"].map((name) => Deno.readFile(`${folder}/${name}`)),
    );
    if (!script || !style) throw new Error("The browser has no files");
    return { script: () => Promise.resolve(script), style: () => Promise.resolve(style) };
  });
}

function scriptFor(kind: DocsBrowserKind): string {
  // Like any project's program, it loads some package: that fetches those of the import map.
  return `import "nanoid";
import { docsBrowser } from ${JSON.stringify(MODULE.href)};
const browser = docsBrowser(${JSON.stringify(kind)});
await Deno.writeFile("script", await browser.script());
await Deno.writeFile("style", await browser.style());
`;
}
