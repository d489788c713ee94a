/** Reads projects from a local folder or zip, and writes them as a zip. */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { isProjectPath } from "../../project_files.ts";

type Texts = Readonly<Record<string, string>>;

/** Reads the folder that the user chose. The browser puts the folder's own name before each path. */
export async function filesOfFolder(chosen: FileList): Promise<Texts> {
  const files = [...chosen].map((file) => [belowRoot(file.webkitRelativePath), file] as const)
    .filter(([path]) => isProjectPath(path));
  return Object.fromEntries(
    await Promise.all(files.map(async ([path, file]) => [path, await file.text()] as const)),
  );
}

export async function filesOfZip(file: File): Promise<Texts> {
  const entries = unzipSync(new Uint8Array(await file.arrayBuffer()), {
    filter: ({ name }) => isProjectPath(belowRoot(name)),
  });
  return Object.fromEntries(
    Object.entries(entries).map(([name, bytes]) => [belowRoot(name), strFromU8(bytes)]),
  );
}

export function zipOf(files: Texts): Blob {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
  return new Blob([new Uint8Array(zipSync(Object.fromEntries(entries)))], {
    type: "application/zip",
  });
}

/** Folders that never contain definitions, such as `.quickback`, which has a folder `quickback` of its own. */
const PASSED_OVER = /(?:^|\/)(?:\.|node_modules\/)/;

/** Turns `shop/quickback/…` into `quickback/…`; a path that begins with `quickback/` stays. */
function belowRoot(path: string): string {
  const at = `/${path}`.indexOf("/quickback/");
  return at < 0 || PASSED_OVER.test(path.slice(0, at)) ? path : path.slice(at);
}
