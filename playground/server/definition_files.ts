/**
 * Writes definition files, each atomically and only over the version that the page has read. A symbolic link on the path
 * refuses the write, because it could lead out of the project.
 */
import { dirname, join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { contentHash, isProjectPath } from "../project_files.ts";
import { PlaygroundRefusal } from "./request_body.ts";

export class DefinitionFiles {
  readonly #folder: string;
  /**
   * Ends with the last queued write. Writes run one after the other, so that the compared version is the one that is replaced.
   */
  #turn: Promise<unknown> = Promise.resolve();

  /** Takes the absolute path of the project. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes a file; resolves with the hash of its new text. `replaces`: hash of the version to replace; null: the file must not
   * exist yet.
   */
  write(path: string, text: string, replaces: string | null): Promise<string> {
    return this.#inTurn(async () => {
      const file = await this.#located(path);
      await requireHash(file, replaces);
      await Deno.mkdir(dirname(file), { recursive: true });
      // The draft is a hidden file: neither `dev` nor a compile reads it.
      const draft = join(dirname(file), `.playground-${crypto.randomUUID()}`);
      const mode = (await infoOf(file))?.mode ?? null;
      try {
        await Deno.writeTextFile(draft, text, { createNew: true, mode: (mode ?? 0o644) & 0o777 });
        await Deno.rename(draft, file);
      } catch (error) {
        await ifThere(Deno.remove(draft));
        throw error;
      }
      return await contentHash(text);
    });
  }

  remove(path: string, hash: string): Promise<void> {
    return this.#inTurn(async () => {
      const file = await this.#located(path);
      await requireHash(file, hash);
      await Deno.remove(file);
    });
  }

  rename({ from, to, hash }: {
    readonly from: string;
    readonly to: string;
    readonly hash: string;
  }): Promise<void> {
    return this.#inTurn(async () => {
      const [source, target] = [await this.#located(from), await this.#located(to)];
      await requireHash(source, hash);
      await requireHash(target, null);
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.rename(source, target);
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // A file that may not be written is a refusal, not a failure of the playground.
    const result = this.#turn.then(work).catch((error) => {
      if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
      throw new PlaygroundRefusal(
        "DISK_REFUSED",
        "The file system does not let dev write this file",
      );
    });
    // The next write waits for the end of this one, whether it failed or not; the caller gets the error.
    this.#turn = result.catch(() => null);
    return result;
  }

  /** Returns the file's absolute path; refuses if a link on the path leads elsewhere. */
  async #located(path: string): Promise<string> {
    if (!isProjectPath(path)) {
      throw new PlaygroundRefusal(
        "PATH_REFUSED",
        `${
          JSON.stringify(path.slice(0, 200))
        } is no path of a definition: use quickback/features/<name>/<name>.ts`,
      );
    }
    let file = await Deno.realPath(this.#folder);
    const segments = path.split("/");
    for (const [index, segment] of segments.entries()) {
      file = join(file, segment);
      const isLast = index === segments.length - 1;
      const info = await infoOf(file);
      if (info === null) continue;
      if (info.isSymlink) {
        throw new PlaygroundRefusal("LINK_REFUSED", `"${path}" leads through a symbolic link`);
      }
      if (isLast ? info.isFile : info.isDirectory) continue;
      const what = isLast ? "a file" : "a folder";
      throw new PlaygroundRefusal("PATH_REFUSED", `"${path}" is in the way of ${what}`);
    }
    return file;
  }
}

async function requireHash(file: string, expected: string | null): Promise<void> {
  const bytes = await ifThere(Deno.readFile(file));
  const text = bytes && new TextDecoder().decode(bytes);
  const found = text === null ? null : await contentHash(text);
  if (found === expected) return;
  if (found === null) throw new PlaygroundRefusal("FILE_MISSING", "The file is gone from the disk");
  throw new PlaygroundRefusal(
    "FILE_CHANGED",
    expected === null
      ? "There is a file of that name already"
      : "The file was changed on disk since the page read it",
  );
}

async function infoOf(file: string): Promise<Deno.FileInfo | null> {
  return await ifThere(Deno.lstat(file));
}

/** Input of a compile of the folder as it is now. */
export interface CompileFiles {
  readonly files: RawFiles;
  readonly inputSchemas: Readonly<Record<string, unknown>>;
}

/** Reason why a folder has no readable project: one of its files is a link, or not a text. */
export interface Unreadable {
  readonly unreadable: string;
}

export function readable(compileFiles: CompileFiles | Unreadable): CompileFiles {
  if (!("unreadable" in compileFiles)) return compileFiles;
  throw new PlaygroundRefusal("PROJECT_UNREADABLE", compileFiles.unreadable);
}
