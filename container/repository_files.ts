/** This repository's files, for outputs and templates. */

const ROOT = new URL("../", import.meta.url);

/** Lists the files below a folder as repository paths. */
export function filesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))].flatMap((entry) =>
    entry.isDirectory ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]
  );
}

export function readText(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}
