/** Files that the page edits: the texts on disk, the texts in the editor, and the difference. */
import { type DefinitionFile, PROJECT, type Project, ROUTES, SAVED } from "../protocol.ts";
import { type Connection, Refused } from "./connection.ts";
import { memberName } from "./request_code.ts";

export interface WorkFile {
  readonly path: string;
  /** Edited text. */
  readonly text: string;
  /** Version on disk that the page last read; null: the file does not exist yet. */
  readonly saved: { readonly text: string; readonly hash: string } | null;
  /** True when the file was changed or removed on disk while it had unsaved edits. */
  readonly isContested: boolean;
}

export type Change = "text" | "files" | "saved";

export class Workspace {
  readonly #connection: Connection;
  readonly #files = new Map<string, WorkFile>();
  readonly #listeners: ((change: Change, path: string | null) => void)[] = [];
  #project: Project = { name: "", files: [], companions: {}, inputSchemas: {} };

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get name(): string {
    return this.#project.name;
  }

  get files(): readonly WorkFile[] {
    return [...this.#files.values()];
  }

  get unsaved(): readonly WorkFile[] {
    return this.files.filter(isUnsaved);
  }

  file(path: string): WorkFile | null {
    return this.#files.get(path) ?? null;
  }

  onChange(listener: (change: Change, path: string | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the request body of a compile of the edited project. */
  compileBody(): string {
    const edited = this.files.map(({ path, text }) => [path, text]);
    return JSON.stringify({
      rawFiles: { ...this.#project.companions, ...Object.fromEntries(edited) },
      actionInputSchemas: this.#project.inputSchemas,
    });
  }

  edit(path: string, text: string): void {
    const file = this.#files.get(path);
    if (file === undefined || file.text === text) return;
    this.#files.set(path, { ...file, text });
    this.#tell("text", path);
  }

  /** Creates a file; an existing one is only opened. */
  create(path: string, text: string): void {
    if (this.#files.has(path)) return this.#tell("files", path);
    this.#files.set(path, { path, text, saved: null, isContested: false });
    this.#tell("files", path);
  }

  /** Reads the disk again: unedited files take the text on disk, edited ones keep theirs. */
  async load(): Promise<void> {
    this.#project = PROJECT.parse(await this.#connection.json(ROUTES.project));
    const onDisk = new Map(this.#project.files.map((file) => [file.path, file]));
    const kept = this.files.filter((file) => !onDisk.has(file.path) && isUnsaved(file));
    const merged = [
      ...this.#project.files.map((file) => mergedFile(this.file(file.path), file)),
      ...kept.map((file) => file.saved === null ? file : { ...file, isContested: true }),
    ];
    const isSame = JSON.stringify(merged) === JSON.stringify(this.files);
    this.#files.clear();
    for (const file of merged) this.#files.set(file.path, file);
    // A change that this page has saved itself is not reported.
    if (!isSame) this.#tell("files", null);
  }

  /** Writes the edited text. It replaces only the version that the page has read. */
  async save(path: string): Promise<void> {
    const file = this.#files.get(path);
    if (file === undefined) return;
    const { text, saved } = file;
    const precondition = saved === null
      ? { "if-none-match": "*" }
      : { "if-match": `"${saved.hash}"` };
    try {
      const answer = await this.#connection.json(`${ROUTES.files}/${path}`, {
        method: "PUT",
        headers: { ...precondition, "content-type": "text/plain; charset=utf-8" },
        body: text,
      });
      const { hash } = SAVED.parse(answer);
      // The user may have typed on meanwhile.
      const now = this.#files.get(path) ?? file;
      this.#files.set(path, { ...now, saved: { text, hash }, isContested: false });
      this.#tell("saved", path);
    } catch (error) {
      if (error instanceof Refused && CONTEST_CODES.has(error.code)) await this.load();
      throw error;
    }
  }

  /** Keeps the edited text of a contested file: the next save replaces the version on disk. */
  keepMine(path: string): void {
    const file = this.#files.get(path);
    const onDisk = this.#project.files.find((one) => one.path === path);
    if (file === undefined) return;
    const saved = onDisk === undefined ? null : { text: onDisk.text, hash: onDisk.hash };
    this.#files.set(path, { ...file, saved, isContested: false });
    this.#tell("files", path);
  }

  /** Replaces the edited text by the version on disk. */
  takeDisk(path: string): void {
    const onDisk = this.#project.files.find((one) => one.path === path);
    if (onDisk === undefined) this.#files.delete(path);
    else this.#files.set(path, mergedFile(null, onDisk));
    this.#tell("files", path);
  }

  async remove(path: string): Promise<void> {
    const saved = this.#files.get(path)?.saved ?? null;
    if (saved !== null) {
      const headers = { "if-match": `"${saved.hash}"` };
      await this.#connection.send(`${ROUTES.files}/${path}`, { method: "DELETE", headers });
    }
    this.#files.delete(path);
    this.#tell("files", path);
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.#files.get(from);
    if (file === undefined) return;
    if (file.saved !== null) {
      await this.#connection.send(ROUTES.renames, {
        method: "POST",
        headers: { "if-match": `"${file.saved.hash}"`, "content-type": "application/json" },
        body: JSON.stringify({ from, to }),
      });
    }
    this.#files.delete(from);
    this.#files.set(to, { ...file, path: to });
    this.#tell("files", to);
  }

  #tell(change: Change, path: string | null): void {
    for (const listener of this.#listeners) listener(change, path);
  }
}

const CONTEST_CODES: ReadonlySet<string> = new Set(["FILE_CHANGED", "FILE_MISSING"]);

export function isUnsaved({ text, saved }: WorkFile): boolean {
  return saved === null || saved.text !== text;
}

function mergedFile(known: WorkFile | null, { path, text, hash }: DefinitionFile): WorkFile {
  const saved = { text, hash };
  if (known === null || !isUnsaved(known) || known.text === text) {
    return { path, text, saved, isContested: false };
  }
  const isContested = known.saved === null || known.saved.hash !== hash || known.isContested;
  // The known version stays: a save of a contested file is refused until the user has chosen one.
  return isContested ? { ...known, isContested } : { ...known, saved };
}

/** Matches the path of a table; a new file there begins with a definition that compiles. */

const TABLE = /^quickback\/features\/([^/]+)\/([^/]+)\.ts$/;
const ACTION = /^quickback\/features\/[^/]+\/actions\/(?:[^/]+\/)?([^/]+)\.ts$/;

export function firstText(path: string): string {
  const table = TABLE.exec(path)?.[2];
  if (table !== undefined && table !== "actions") return tableText(table);
  const action = ACTION.exec(path)?.[1];
  return action === undefined ? "" : `import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: ${JSON.stringify(action)},
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  execute: () => Promise.resolve({ success: true }),
});
`;
}

function tableText(name: string): string {
  return `import { feature, q } from "quickback";

export default feature(${memberName(name)}, {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
  delete: { access: { roles: ["AUTHENTICATED"] } },
});
`;
}
