/** Imports between the files of one bundle, to explain how a file came into it. */

export class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();

  add(importer: string, imported: string): void {
    const importers = this.#importers.get(imported) ?? new Set<string>();
    this.#importers.set(imported, importers.add(importer));
  }

  /** The shortest way to the file, itself last, from a file that `isFirst`; of equals the first by name. */
  chainTo(file: string, isFirst: (file: string) => boolean): readonly string[] {
    const next = new Map<string, string | null>([[file, null]]);
    let chain = [file];
    for (const current of next.keys()) {
      const outside = [...this.#importers.get(current) ?? []].toSorted();
      if (isFirst(current)) chain = way(current, next);
      if (isFirst(current) && !outside.some((one) => isFirst(one))) break;
      for (const importer of outside) if (!next.has(importer)) next.set(importer, current);
    }
    return chain;
  }
}

function way(from: string, next: ReadonlyMap<string, string | null>): string[] {
  const files: string[] = [];
  for (let at: string | null = from; at !== null; at = next.get(at) ?? null) files.push(at);
  return files;
}
