/** Folders of project files as the compiler takes them. */
import type { CompileHost, RawFiles } from "../../shared/compiler/mod.ts";

/** A host that carries nothing along: what a compile generates by itself. */
export const BARE_HOST: CompileHost = {
  version: "0.0.0",
  template: {},
  vendored: {},
  imports: { "drizzle-orm": "npm:drizzle-orm@0.0.0" },
  lock: { specifiers: new Map(), packages: new Map() },
};

/** Every file below a folder by its path in it; none when the folder does not exist. */
export async function filesBelow(folder: URL): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, folder);
      if (!entry.isDirectory) {
        files[entry.name] = await Deno.readTextFile(path);
        continue;
      }
      for (const [name, text] of Object.entries(await filesBelow(path))) {
        files[`${entry.name}/${name}`] = text;
      }
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}

/** The files of a project folder that are the compiler's business: SQL of earlier migrations is not, nor what stands beside. */
export async function projectFiles(folder: URL): Promise<RawFiles> {
  const files = await filesBelow(folder);
  const isRead = (path: string) =>
    path === "wrangler.toml" || (path.startsWith("quickback/") && !path.endsWith(".sql"));
  return Object.fromEntries(Object.entries(files).filter(([path]) => isRead(path)));
}
