/** This repository's files, which the container carries into outputs and lists as templates. */

const ROOT = new URL("../", import.meta.url);

/** Repository-relative paths. */
export function filesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))].flatMap((entry) =>
    entry.isDirectory ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]
  );
}

export function readText(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}
