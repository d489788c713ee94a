/** Uses the language service for more than direct answers: types of the project, type mistakes, and edits of several files. */
import { DECLARATIONS, ROUTES } from "../protocol.ts";
import type { Finding } from "./compile_stream.ts";
import type { Connection } from "./connection.ts";
import { askForName } from "./dialogs.ts";
import type { Editor, OfferedFix } from "./editor.ts";
import type { Mistake, ProjectEdits, Spot } from "./language/language.ts";
import type { LanguageClient } from "./language_client.ts";
import { hintFixes } from "./quick_fixes.ts";
import type { Workspace } from "./workspace.ts";

interface AssistantOptions {
  readonly connection: Connection;
  readonly client: LanguageClient;
  readonly workspace: Workspace;
  readonly editor: Editor;
  readonly open: (path: string, at: number) => void;
  /** Called when the known type mistakes have changed. */
  readonly onMistakes: () => void;
  readonly notice: (text: string) => void;
}

export class Assistant {
  readonly #options: AssistantOptions;
  /** Type mistakes by path. */
  readonly #mistakes = new Map<string, readonly Finding[]>();
  /** Fixes that TypeScript offers for a finding. */
  #fixes = new WeakMap<Finding, readonly OfferedFix[]>();
  /** Number of the newest check. */
  #turn = 0;
  #hasDeclarations = false;

  constructor(options: AssistantOptions) {
    this.#options = options;
  }

  get mistakes(): readonly Finding[] {
    return [...this.#mistakes.values()].flat();
  }

  /** Loads the service; the page works without it meanwhile. */
  async load(): Promise<void> {
    this.followFiles();
    const { client, editor: { path } } = this.#options;
    await client.load();
    await this.check();
    // The first completion pays for work that later ones share.
    if (path !== null) await client.language?.completions({ path, at: 0 });
  }

  /** Called when files were added, removed, or changed outside the editor. */
  followFiles(): void {
    const files = this.#options.workspace.files.map(({ path, text }) => [path, text]);
    this.#options.client.setDefinitions(Object.fromEntries(files));
  }

  /** Called when the definitions compile without mistakes: makes types from them, and checks the files that use those types. */
  async check(): Promise<void> {
    const turn = ++this.#turn;
    const { connection, client, workspace, editor, onMistakes } = this.#options;
    const { language } = client;
    if (language === null) return;
    const edits = Object.fromEntries(workspace.unsaved.map(({ path, text }) => [path, text]));
    const body = JSON.stringify(edits);
    const answer = await connection.json(ROUTES.declarations, { method: "POST", body });
    if (turn !== this.#turn) return;
    const { files, isCurrent } = DECLARATIONS.parse(answer);
    if (isCurrent || !this.#hasDeclarations) client.setDeclarations(files);
    this.#hasDeclarations = true;
    // Outdated types would report mistakes in correct code.
    if (!isCurrent) return;
    const paths = workspace.files.map(({ path }) => path).filter((path) => path.endsWith(".ts"))
      .toSorted((a, b) => Number(b === editor.path) - Number(a === editor.path));
    for (const known of this.#mistakes.keys()) {
      if (!paths.includes(known)) this.#mistakes.delete(known);
    }
    for (const path of paths) {
      const found = await language.mistakes(path);
      if (turn !== this.#turn) return;
      this.#mistakes.set(path, await this.#findings(path, found));
    }
    onMistakes();
  }

  /** Forgets the type mistakes. True if there were any: they are about a text that has changed since. */
  forget(): void {
    this.#turn++;
    this.#mistakes.clear();
  }

  /** Returns the fixes of a finding, each with the title that the user sees. */
  fixesOf(finding: Finding): readonly OfferedFix[] {
    const { editor, workspace } = this.#options;
    const known = this.#fixes.get(finding);
    if (known !== undefined) return known;
    const file = workspace.file(finding.file);
    if (file === null) return [];
    const fixes = hintFixes(finding, editor.stateOf(finding.file, file.text));
    return fixes.map(({ title, edit }) => ({
      title,
      apply: () => this.#apply({ [finding.file]: [edit] }, { [finding.file]: file.text }),
    }));
  }

  async goToDefinition(): Promise<void> {
    const spot = this.#spot();
    const found = spot && await this.#options.client.language?.definition(spot);
    if (found) this.#options.open(found.path, found.at);
    else this.#options.notice("Nothing in this project defines what stands here");
  }

  async rename(): Promise<void> {
    const { client, notice } = this.#options;
    const spot = this.#spot();
    const name = spot && await client.language?.renamed(spot);
    if (!spot || !name) {
      return notice(
        "Nothing that this project names stands here: a column is renamed where it is declared",
      );
    }
    const to = await askForName(name);
    if (to === null || to === name) return;
    const before = this.#texts();
    const edits = await client.language?.rename(spot, to);
    if (edits) this.#apply(edits, before);
  }

  async format(): Promise<void> {
    const { editor: { path }, client } = this.#options;
    if (path === null) return;
    const before = this.#texts();
    const edits = await client.language?.format(path);
    if (edits) this.#apply(edits, before);
  }

  /** Applies the edits, unless a text has changed since they were computed. */
  #apply(edits: ProjectEdits, before: Readonly<Record<string, string>>): void {
    const { workspace, editor } = this.#options;
    const isStale = Object.keys(edits).some((path) => workspace.file(path)?.text !== before[path]);
    if (isStale) return this.#options.notice("The text has changed meanwhile: try again");
    editor.apply(edits);
    editor.focus();
  }

  #texts(): Readonly<Record<string, string>> {
    const { files } = this.#options.workspace;
    return Object.fromEntries(files.map(({ path, text }) => [path, text]));
  }

  #spot(): Spot | null {
    const { path, at } = this.#options.editor;
    return path === null ? null : { path, at };
  }

  async #findings(path: string, mistakes: readonly Mistake[]): Promise<readonly Finding[]> {
    const { workspace, client: { language } } = this.#options;
    const text = workspace.file(path)?.text ?? "";
    return await Promise.all(mistakes.map(async (mistake) => {
      const finding = findingOf(path, text, mistake);
      const fixes = await language?.fixes(path, mistake) ?? [];
      const offered = fixes.map(({ title, edits }) => ({
        title,
        apply: () => this.#apply(edits, { ...this.#texts(), [path]: text }),
      }));
      this.#fixes.set(finding, offered);
      return finding;
    }));
  }
}

function findingOf(path: string, text: string, { from, to, code, message }: Mistake): Finding {
  const before = text.slice(0, from).split("\n");
  const [first = "", ...rest] = message.split("\n");
  return {
    severity: "error",
    code: `TS${code}`,
    message: first,
    // The last line of a long explanation is its conclusion.
    hint: rest.at(-1)?.trim() ?? null,
    file: path,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    length: to - from,
  };
}
