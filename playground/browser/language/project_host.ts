/**
 * Provides the files of the language service: the library, the project's declarations, and its definitions with their edited
 * texts.
 */
import ts from "typescript";
import type { EditorLibrary } from "../../protocol.ts";

/** Folder of the project in the service's file tree. */
export const PROJECT_FOLDER = "/project/";
/** Folder of the declarations inside the project. */
export const DECLARATIONS_FOLDER = ".quickback/";
const LIBRARY_FOLDER = "/typescript/";

type Texts = Readonly<Record<string, string>>;

interface HeldFile {
  readonly snapshot: ts.IScriptSnapshot;
  readonly text: string;
  readonly version: number;
}

export class ProjectHost implements ts.LanguageServiceHost {
  readonly #library: Texts;
  readonly #options: ts.CompilerOptions;
  readonly #folders = new Set<string>();
  /** Files by path relative to the project. */
  readonly #files = new Map<string, HeldFile>();
  readonly #librarySnapshots = new Map<string, ts.IScriptSnapshot>();
  #version = 0;

  constructor({ options, files }: EditorLibrary) {
    this.#library = files;
    this.#options = ts.convertCompilerOptionsFromJson(options, PROJECT_FOLDER).options;
    for (const path of Object.keys(files)) this.#addFolders(path);
  }

  /** Replaces every file whose path has this prefix; a file with unchanged text keeps its version. */
  replaceAll(beginning: string, files: Texts): void {
    for (const path of this.#files.keys()) {
      if (path.startsWith(beginning) && !Object.hasOwn(files, path)) this.#remove(path);
    }
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    if (this.#files.get(path)?.text === text) return;
    const snapshot = ts.ScriptSnapshot.fromString(text);
    this.#files.set(path, { snapshot, text, version: ++this.#version });
    this.#addFolders(PROJECT_FOLDER + path);
  }

  /** Returns the text of a file; undefined if the project has no such file. */
  text(path: string): string | undefined {
    return this.#files.get(path)?.text;
  }

  getCompilationSettings(): ts.CompilerOptions {
    return this.#options;
  }

  getProjectVersion(): string {
    return String(this.#version);
  }

  getScriptFileNames(): string[] {
    // TypeScript reads these files: no SQL, and not the history of migrations.
    return [...this.#files.keys()].filter((path) =>
      /\.tsx?$/.test(path) && !path.startsWith("quickback/drizzle/")
    ).map((path) => PROJECT_FOLDER + path);
  }

  getScriptVersion(fileName: string): string {
    return String(this.#held(fileName)?.version ?? 0);
  }

  getScriptSnapshot(fileName: string): ts.IScriptSnapshot | undefined {
    const held = this.#held(fileName);
    if (held !== undefined) return held.snapshot;
    const text = this.#library[fileName];
    if (text === undefined) return undefined;
    const known = this.#librarySnapshots.get(fileName) ?? ts.ScriptSnapshot.fromString(text);
    this.#librarySnapshots.set(fileName, known);
    return known;
  }

  getCurrentDirectory(): string {
    return PROJECT_FOLDER;
  }

  getDefaultLibFileName(options: ts.CompilerOptions): string {
    return LIBRARY_FOLDER + ts.getDefaultLibFileName(options);
  }

  fileExists(path: string): boolean {
    return this.readFile(path) !== undefined;
  }

  readFile(path: string): string | undefined {
    return this.#held(path)?.text ?? this.#library[path];
  }

  directoryExists(path: string): boolean {
    return this.#folders.has(path.replace(/\/$/, ""));
  }

  getDirectories(): string[] {
    return [];
  }

  #held(fileName: string): HeldFile | undefined {
    if (!fileName.startsWith(PROJECT_FOLDER)) return undefined;
    return this.#files.get(fileName.slice(PROJECT_FOLDER.length));
  }

  #remove(path: string): void {
    this.#files.delete(path);
    this.#version++;
  }

  #addFolders(path: string): void {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      this.#folders.add(path.slice(0, end));
    }
  }
}
