/**
 * Runs TypeScript's language service on the project, in the worker. Positions are offsets in the text of a definition, paths
 * are relative to the project, and every answer is plain data.
 */
import ts from "typescript";
import type { EditorLibrary } from "../../protocol.ts";
import { DECLARATIONS_FOLDER, PROJECT_FOLDER, ProjectHost } from "./project_host.ts";

export interface Spot {
  readonly path: string;
  readonly at: number;
}

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Edits of several files, by path. The edits of one file are sorted and do not overlap. */
export type ProjectEdits = Readonly<Record<string, readonly TextEdit[]>>;

export interface Completion {
  readonly label: string;
  readonly kind: string;
  /** Text to insert; null if it equals the label. */
  readonly insert: string | null;
  readonly rank: number;
}

export interface Completions {
  /** Start of the replaced range. */
  readonly from: number;
  readonly options: readonly Completion[];
}

export interface Described {
  readonly from: number;
  readonly to: number;
  /** Signature as code. */
  readonly signature: string;
  readonly text: string;
}

export interface Signature {
  readonly before: string;
  readonly parameters: readonly string[];
  readonly after: string;
  /** Index of the parameter at the cursor. */
  readonly active: number;
  readonly text: string;
}

export interface Mistake {
  readonly from: number;
  readonly to: number;
  readonly code: number;
  readonly message: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: ProjectEdits;
}

const FORMAT = {
  ...ts.getDefaultFormatCodeSettings("\n"),
  indentSize: 2,
  tabSize: 2,
  semicolons: ts.SemicolonPreference.Insert,
};

const PREFERENCES: ts.UserPreferences = {
  includeCompletionsWithInsertText: true,
  includeCompletionsWithObjectLiteralMethodSnippets: false,
  quotePreference: "double",
  importModuleSpecifierPreference: "relative",
};

export class Language {
  readonly #host: ProjectHost;
  readonly #service: ts.LanguageService;

  constructor(library: EditorLibrary) {
    this.#host = new ProjectHost(library);
    this.#service = ts.createLanguageService(this.#host);
  }

  /** Sets all definitions, with their edited texts. */
  setDefinitions(files: Readonly<Record<string, string>>): void {
    this.#host.replaceAll("quickback/", files);
  }

  setDeclarations(files: Readonly<Record<string, string>>): void {
    this.#host.replaceAll(DECLARATIONS_FOLDER, files);
  }

  edit(path: string, text: string): void {
    this.#host.write(path, text);
  }

  /** Returns completions; null where nothing can be completed. */
  completions({ path, at }: Spot): Completions | null {
    const found = this.#service.getCompletionsAtPosition(fileOf(path), at, PREFERENCES);
    if (!found || found.entries.length === 0) return null;
    const word = /[\w$]*$/.exec(this.#text(path).slice(0, at))?.[0].length ?? 0;
    const from = found.optionalReplacementSpan?.start ?? at - word;
    return {
      from,
      options: found.entries.filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
        .map(({ name, kind, insertText, sortText }) => ({
          label: name,
          kind,
          insert: insertText ?? null,
          rank: Number.parseInt(sortText) || 0,
        })),
    };
  }

  /** Returns the details of one of the completions at the place. */
  describe({ path, at }: Spot, label: string): Described | null {
    const found = this.#service.getCompletionEntryDetails(
      fileOf(path),
      at,
      label,
      undefined,
      undefined,
      PREFERENCES,
      undefined,
    );
    if (!found) return null;
    return { from: at, to: at, ...described(found.displayParts, found.documentation, found.tags) };
  }

  hover({ path, at }: Spot): Described | null {
    const found = this.#service.getQuickInfoAtPosition(fileOf(path), at);
    if (!found) return null;
    const { start, length } = found.textSpan;
    return {
      from: start,
      to: start + length,
      ...described(found.displayParts, found.documentation, found.tags),
    };
  }

  signature({ path, at }: Spot): Signature | null {
    const found = this.#service.getSignatureHelpItems(fileOf(path), at, undefined);
    const item = found?.items[found.selectedItemIndex];
    // In a call over several lines, the cursor is inside something else than the call.
    const isFar = this.#text(path).slice(found?.applicableSpan.start, at).includes("\n");
    if (!found || !item || isFar) return null;
    const parameter = item.parameters[found.argumentIndex];
    return {
      before: ts.displayPartsToString(item.prefixDisplayParts),
      parameters: item.parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts)),
      after: shortened(ts.displayPartsToString(item.suffixDisplayParts)),
      active: found.argumentIndex,
      text: ts.displayPartsToString(parameter?.documentation) ||
        ts.displayPartsToString(item.documentation),
    };
  }

  /** Returns the definition of the name at the place; null if it is in no file of the project. */
  definition({ path, at }: Spot): Spot | null {
    const found = this.#service.getDefinitionAtPosition(fileOf(path), at) ?? [];
    for (const { fileName, textSpan } of found) {
      const target = this.#authored(pathOf(fileName));
      if (target === null) continue;
      return { path: target, at: target === pathOf(fileName) ? textSpan.start : 0 };
    }
    return null;
  }

  /** Returns the text that a rename would replace; null where nothing can be renamed. */
  renamed(spot: Spot): string | null {
    const info = this.#service.getRenameInfo(fileOf(spot.path), spot.at, {});
    return info.canRename && this.rename(spot, info.displayName) !== null ? info.displayName : null;
  }

  /** Returns the edits of a rename; null if it would have to change a file that the user cannot edit. */
  rename({ path, at }: Spot, name: string): ProjectEdits | null {
    const places = (keepsNames: boolean) =>
      this.#service.findRenameLocations(fileOf(path), at, false, false, {
        providePrefixAndSuffixTextForRename: keepsNames,
      }) ?? [];
    // An import is renamed with its export; the key of `{ name }` is a separate name, and stays.
    const keys = new Map(
      places(true).filter(({ prefixText, suffixText }) => /:/.test(`${prefixText}${suffixText}`))
        .map((place) => [`${place.fileName} ${place.textSpan.start}`, place]),
    );
    const edits = new Map<string, TextEdit[]>();
    for (const { fileName, textSpan: { start, length } } of places(false)) {
      const own = pathOf(fileName);
      if (!isDefinition(own)) return null;
      const { prefixText = "", suffixText = "" } = keys.get(`${fileName} ${start}`) ?? {};
      const edit = { from: start, to: start + length, insert: prefixText + name + suffixText };
      edits.set(own, [...edits.get(own) ?? [], edit]);
    }
    return sorted(edits);
  }

  format(path: string): ProjectEdits {
    const changes = this.#service.getFormattingEditsForDocument(fileOf(path), FORMAT);
    return sorted(new Map([[path, changes.map(editOf)]]));
  }

  /** Returns the mistakes of one file. Packages that only the project's own installation contains are assumed to exist. */
  mistakes(path: string): readonly Mistake[] {
    const file = fileOf(path);
    return [
      ...this.#service.getSyntacticDiagnostics(file),
      ...this.#service.getSemanticDiagnostics(file),
    ]
      .filter(({ code }) => !MODULE_NOT_FOUND.includes(code))
      .map(({ start = 0, length = 1, code, messageText }) => ({
        from: start,
        to: start + length,
        code,
        message: ts.flattenDiagnosticMessageText(messageText, "\n").replace(/\.$/, ""),
      }));
  }

  fixes(path: string, { from, to, code }: Mistake): readonly Fix[] {
    const found = this.#service.getCodeFixesAtPosition(
      fileOf(path),
      from,
      to,
      [code],
      FORMAT,
      PREFERENCES,
    );
    return found.flatMap(({ description, changes }) => {
      const paths = changes.map(({ fileName }) => pathOf(fileName));
      if (!paths.every(isDefinition)) return [];
      const edits = changes.map(({ fileName, textChanges }) =>
        [pathOf(fileName), textChanges.map(editOf)] as const
      );
      return [{ title: description, edits: sorted(new Map(edits)) }];
    });
  }

  #text(path: string): string {
    return this.#host.text(path) ?? "";
  }

  /**
   * Returns the definition that a declaration was made from; a definition's own path stays. Null: there is not exactly one such
   * definition.
   */
  #authored(path: string): string | null {
    if (isDefinition(path)) return path;
    const name = DECLARED.exec(path)?.[1];
    if (name === undefined) return null;
    const end = `/${name}.ts`;
    const [only, ...others] = this.#host.getScriptFileNames().map(pathOf)
      .filter((own) => isDefinition(own) && own.endsWith(end));
    return only === undefined || others.length > 0 ? null : only;
  }
}

/** Matches `.quickback/types/schema/tickets.ts`. */
const DECLARED = /^\.quickback\/types\/schema\/([^/]+)\.ts$/;

const MODULE_NOT_FOUND = [2307, 2792, 7016];

function isDefinition(path: string): boolean {
  return path.startsWith("quickback/");
}

function fileOf(path: string): string {
  return PROJECT_FOLDER + path;
}

/** Returns the path relative to the project; a file of the library keeps its absolute path. */
function pathOf(fileName: string): string {
  return fileName.startsWith(PROJECT_FOLDER) ? fileName.slice(PROJECT_FOLDER.length) : fileName;
}

function editOf({ span: { start, length }, newText }: ts.TextChange): TextEdit {
  return { from: start, to: start + length, insert: newText };
}

function sorted(edits: ReadonlyMap<string, readonly TextEdit[]>): ProjectEdits {
  return Object.fromEntries(
    [...edits].map(([path, own]) => [path, own.toSorted((a, b) => a.from - b.from)]),
  );
}

const RETURN_TYPE_MAX = 80;

/** Shortens the type of a table, which would fill the screen. */
function shortened(text: string): string {
  return text.length <= RETURN_TYPE_MAX ? text : `${text.slice(0, RETURN_TYPE_MAX - 1)}…`;
}

function described(
  signature: readonly ts.SymbolDisplayPart[] | undefined,
  documentation: readonly ts.SymbolDisplayPart[] | undefined,
  tags: readonly ts.JSDocTagInfo[] | undefined,
): Pick<Described, "signature" | "text"> {
  const words =
    tags?.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text && [...text])}`) ?? [];
  return {
    signature: ts.displayPartsToString(signature && [...signature]),
    text: [ts.displayPartsToString(documentation && [...documentation]), ...words]
      .filter((line) => line.trim() !== "").join("\n"),
  };
}
