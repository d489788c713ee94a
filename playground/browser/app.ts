/** Connects the parts of the page with each other. */
import type { Status } from "../protocol.ts";
import { apiClient } from "./api_document.ts";
import { ApiView } from "./api_view.ts";
import { Assistant } from "./assistant.ts";
import { ChangesPanel } from "./changes_panel.ts";
import { commandOf, commandsOf } from "./commands.ts";
import { CompilePanel, verdictOf } from "./compile_panel.ts";
import type { CompileRun } from "./compile_run.ts";
import type { Finding } from "./compile_stream.ts";
import { Compiler } from "./compiler.ts";
import { type Connection, refusalIn } from "./connection.ts";
import { DataPanel } from "./data_panel.ts";
import { followDev } from "./dev_feed.ts";
import { DiagramPanel } from "./diagram_panel.ts";
import { askForNewFile, askForPath, askToRemove } from "./dialogs.ts";
import { pageElement } from "./dom.ts";
import { Editor, type Spot } from "./editor.ts";
import { showConflict, showFileHead } from "./file_head.ts";
import { FileTree } from "./file_tree.ts";
import { LanguageClient } from "./language_client.ts";
import { LivePanel } from "./live_panel.ts";
import { OutputPanel } from "./output_panel.ts";
import { openPalette } from "./palette.ts";
import { ProblemsPanel } from "./problems_panel.ts";
import { RightsPanel } from "./rights_panel.ts";
import { foundCommands, foundFiles } from "./search.ts";
import { showStatusLine, showStatusText } from "./status_line.ts";
import { storedClient } from "./stored_rows.ts";
import { Tabs } from "./tabs.ts";
import { type Change, firstText, Workspace } from "./workspace.ts";

/** Media query for a window that is wide enough for two editors. */
const WIDE = "(width >= 1280px)";

/** Matches the file of a table. The page opens the longest one first, because it says most about the project. */
const TABLE = /^quickback\/features\/[^/]+\/[^/]+\.ts$/;

export class App {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  /** Compiler that validates what is being typed. */
  readonly #validator: Compiler;
  /** Compiler of the saved files; typing continues while it runs. */
  readonly #compiler: Compiler;
  readonly #editor: Editor;
  readonly #assistant: Assistant;
  readonly #tree: FileTree;
  readonly #tabs: Tabs;
  readonly #compilePanel = new CompilePanel((finding) => this.#goTo(finding.file, finding));
  readonly #problemsPanel = new ProblemsPanel({
    open: (finding) => this.#goTo(finding.file, finding),
    fixes: (finding) => this.#assistant.fixesOf(finding),
  });
  readonly #rightsPanel = new RightsPanel((file, line) => this.#goTo(file, { line, column: 1 }));
  readonly #diagramPanel = new DiagramPanel();
  readonly #changesPanel = new ChangesPanel();
  readonly #outputPanel = new OutputPanel();
  readonly #api: ApiView;
  readonly #live: LivePanel;
  readonly #data: DataPanel;
  readonly #commands = commandsOf({
    save: () => this.#save(),
    find: () => this.#find(),
    search: () => this.#editor.search(),
    define: () => this.#assistant.goToDefinition(),
    rename: () => this.#assistant.rename(),
    fix: () => this.#chooseFix(),
    format: () => this.#assistant.format(),
    wrap: () => this.#toggleWrapping(),
    split: () => this.#split(),
    other: () => this.#editor.useOther(),
    create: () => this.#create(),
    commands: () => this.#chooseCommand(),
  });
  /** Findings of the last compile. */
  #findings: readonly Finding[] = [];
  #isSaving = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#workspace = new Workspace(connection);
    const client = { ask: apiClient(connection), stored: storedClient(connection) };
    this.#api = new ApiView(client, () => this.#tabs.open("api"));
    this.#live = new LivePanel(connection, client.ask);
    this.#data = new DataPanel(connection, client);
    const body = () => this.#workspace.compileBody();
    this.#validator = new Compiler({
      connection,
      complete: false,
      body,
      onNews: (run) => this.#showRun(run),
    });
    this.#compiler = new Compiler({
      connection,
      complete: true,
      body,
      onNews: (run) => this.#showFullRun(run),
    });
    const language = new LanguageClient();
    this.#editor = new Editor(pageElement("editor", HTMLElement), {
      language,
      onEdit: (path, text) => {
        language.edit(path, text);
        this.#workspace.edit(path, text);
      },
      textOf: (path) => this.#workspace.file(path)?.text ?? null,
      onPane: () => this.#showFiles(),
      fixes: (finding) => this.#assistant.fixesOf(finding),
      goToDefinition: () => void this.#assistant.goToDefinition(),
      rename: () => void this.#assistant.rename(),
      format: () => void this.#assistant.format(),
      fix: () => this.#chooseFix(),
    });
    this.#assistant = new Assistant({
      connection,
      client: language,
      workspace: this.#workspace,
      editor: this.#editor,
      open: (path, at) => this.#openAt(path, at),
      onMistakes: () => this.#showFindings(),
      notice: (text) => this.#say(text),
    });
    this.#tree = new FileTree(pageElement("tree", HTMLElement), (path) => this.#open(path));
    this.#tabs = new Tabs(
      { list: pageElement("tabs", HTMLElement), panels: pageElement("tab-panels", HTMLElement) },
      [
        { name: "compile", title: "Compile", panel: this.#compilePanel.element },
        { name: "problems", title: "Problems", panel: this.#problemsPanel.element },
        { name: "rights", title: "Rights", panel: this.#rightsPanel.element },
        { name: "diagram", title: "Diagram", panel: this.#diagramPanel.element },
        { name: "changes", title: "Changes", panel: this.#changesPanel.element },
        { name: "output", title: "Output", panel: this.#outputPanel.element },
        { name: "api", title: "API", panel: this.#api.panel.element },
        { name: "data", title: "Data", panel: this.#data.element },
        { name: "live", title: "Live", panel: this.#live.element },
        { name: "docs", title: "Docs", panel: this.#api.docs.element },
      ],
      (name) => {
        if (name === "data") this.#data.opened();
        if (name === "diagram") void this.#diagramPanel.opened();
      },
    );
  }

  async start(): Promise<void> {
    this.#workspace.onChange((change, path) => this.#changed(change, path));
    pageElement("run", HTMLButtonElement).addEventListener("click", () => void this.#save());
    pageElement("new-file", HTMLButtonElement)
      .addEventListener("click", () => void this.#create());
    pageElement("find", HTMLButtonElement).addEventListener("click", () => this.#find());
    pageElement("commands", HTMLButtonElement)
      .addEventListener("click", () => this.#chooseCommand());
    document.addEventListener("keydown", (event) => this.#byKey(event));
    addEventListener("beforeunload", (event) => {
      if (this.#workspace.unsaved.length > 0) event.preventDefault();
    });
    await this.#workspace.load();
    const { files, name } = this.#workspace;
    pageElement("project-name", HTMLElement).textContent = name;
    document.title = `${name} · quickback playground`;
    const [first = files[0]] = files.filter(({ path }) => TABLE.test(path))
      .toSorted((a, b) => b.text.length - a.text.length);
    if (first) this.#open(first.path);
    void this.#loadLanguage();
    await followDev(this.#connection, {
      onStatus: (status) => this.#showStatus(status),
      onFiles: () => void this.#attempt(() => this.#workspace.load()),
      onDelivery: (delivery) => this.#live.receive(delivery),
      onLost: () => this.#showLost(),
    });
  }

  /** Loads the language service once the page can be used, because the service is three times the page's size. */
  async #loadLanguage(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    const isLoaded = await this.#attempt(() => this.#assistant.load());
    pageElement("editor", HTMLElement).dataset.language = isLoaded ? "ready" : "absent";
  }

  #byKey(event: KeyboardEvent): void {
    const command = commandOf(event, this.#commands);
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  }

  #find(): void {
    openPalette(
      "Find a file, or a line of one",
      (typed) =>
        foundFiles(
          typed,
          this.#workspace.files,
          (path, line) => this.#goTo(path, { line, column: 1 }),
        ),
    );
  }

  #chooseCommand(): void {
    const choices = [...this.#commands, ...this.#tabs.choices()];
    openPalette("Run a command", (typed) => foundCommands(typed, choices));
  }

  #split(): void {
    if (!matchMedia(WIDE).matches) {
      return this.#say("Two editors side by side need a wider window: 1280 px or more");
    }
    if (this.#editor.split()) this.#showFiles();
    else this.#say("Open another file first: a second editor shows it");
  }

  #toggleWrapping(): void {
    this.#say(this.#editor.toggleWrapping() ? "Long lines are wrapped" : "Long lines run on");
  }

  /** Offers the fixes of the mistakes in the cursor's line; a single fix is applied at once. */
  #chooseFix(): void {
    const { path, line } = this.#editor;
    const fixes = this.#allFindings().filter((one) => one.file === path && one.line === line)
      .flatMap((finding) => this.#assistant.fixesOf(finding));
    const [first, ...others] = fixes;
    if (first === undefined) return this.#say("No correction is known here");
    if (others.length === 0) return first.apply();
    const choices = fixes.map(({ title, apply }) => ({ title, about: "", run: apply }));
    openPalette("Correct what is wrong here", (typed) => foundCommands(typed, choices));
  }

  /** Shows a message at the foot of the editor until the next compile. */
  #say(text: string): void {
    pageElement("foot", HTMLElement).textContent = text;
  }

  #openAt(path: string, at: number): void {
    const text = this.#workspace.file(path)?.text.slice(0, at).split("\n") ?? [];
    this.#goTo(path, { line: text.length, column: (text.at(-1)?.length ?? 0) + 1 });
  }

  #open(path: string): void {
    const file = this.#workspace.file(path);
    if (file === null) return;
    this.#editor.open(path, file.text);
    this.#showFiles();
  }

  #goTo(path: string, spot: Spot): void {
    this.#open(path);
    if (this.#editor.path === path) this.#editor.goTo(spot);
  }

  #changed(change: Change, path: string | null): void {
    if (change === "files") {
      this.#assistant.followFiles();
      this.#followFiles(path);
    }
    if (change !== "saved") this.#compile();
    this.#showFiles();
  }

  /** Updates the editor after a change of files: the open file may have another text now, or be gone. */
  #followFiles(created: string | null): void {
    this.#editor.followTexts();
    if (created !== null && this.#workspace.file(created) !== null) return this.#open(created);
    if (this.#workspace.file(this.#editor.path ?? "") !== null) return;
    const [first] = this.#workspace.files;
    if (first) this.#open(first.path);
  }

  /** Compiles fully if nothing is unsaved; otherwise only validates the edited texts. */
  #compile(): void {
    this.#assistant.forget();
    if (this.#workspace.unsaved.length > 0) return this.#validator.runSoon();
    this.#validator.stop();
    void this.#compiler.run();
  }

  /** Writes every edited file; `dev` compiles when it sees the change. */
  async #save(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    await this.#saveAll();
    this.#isSaving = false;
  }

  async #saveAll(): Promise<void> {
    const [contested] = this.#workspace.unsaved.filter(({ isContested }) => isContested);
    if (contested) return this.#open(contested.path);
    const edited = this.#workspace.unsaved;
    const hasSaved = await this.#attempt(async () => {
      for (const { path } of edited) await this.#workspace.save(path);
    });
    if (hasSaved) this.#compile();
  }

  /** Runs the work and shows the reason if it fails. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    const refusal = await refusalIn(work);
    this.#notice(refusal);
    return refusal === null;
  }

  /** Shows a full compile. While there are unsaved edits its findings are left out, because they are about the saved texts. */
  #showFullRun(run: CompileRun): void {
    if (run.outcome === "valid") {
      this.#outputPanel.show(run.files);
      this.#rightsPanel.show(run.files);
      this.#diagramPanel.show(run.files);
    }
    if (this.#workspace.unsaved.length === 0) this.#showRun(run);
  }

  #showRun(run: CompileRun): void {
    this.#compilePanel.show(run);
    if (run.outcome === "running") return;
    pageElement("foot", HTMLElement).textContent = verdictOf(run);
    this.#findings = run.findings;
    this.#tabs.badge("compile", run.findings.length === 0 ? null : String(run.findings.length));
    this.#showFindings();
    if (run.outcome === "valid") void this.#attempt(() => this.#assistant.check());
  }

  #showFindings(): void {
    const findings = this.#allFindings();
    this.#editor.showFindings(findings);
    this.#problemsPanel.show(findings);
    this.#tabs.badge("problems", findings.length === 0 ? null : String(findings.length));
    this.#showFiles();
  }

  #allFindings(): readonly Finding[] {
    return [...this.#findings, ...this.#assistant.mistakes];
  }

  #showFiles(): void {
    const { files, unsaved } = this.#workspace;
    const current = this.#editor.path;
    this.#tree.show({ files, findings: this.#allFindings(), current });
    const run = pageElement("run", HTMLButtonElement);
    run.disabled = unsaved.length === 0;
    const file = this.#workspace.file(current ?? "");
    showFileHead(
      pageElement("file-head", HTMLElement),
      file,
      (path) => void this.#rename(path),
      (path) => void this.#remove(path),
    );
    showConflict(pageElement("conflict", HTMLElement), file, {
      onMine: (path) => this.#workspace.keepMine(path),
      onDisk: (path) => this.#workspace.takeDisk(path),
    });
  }

  async #create(): Promise<void> {
    const path = await askForNewFile(this.#workspace.files.map((file) => file.path));
    if (path !== null) this.#workspace.create(path, firstText(path));
  }

  async #rename(path: string): Promise<void> {
    const to = await askForPath("Rename", path);
    if (to === null || to === path) return;
    await this.#attempt(() => {
      this.#editor.renamed(path, to);
      return this.#workspace.rename(path, to);
    });
  }

  async #remove(path: string): Promise<void> {
    if (!await askToRemove(path)) return;
    await this.#attempt(() => this.#workspace.remove(path));
  }

  #showStatus(status: Status): void {
    showStatusLine(status);
    void this.#attempt(() => this.#api.follow(status));
    this.#live.follow(status);
    this.#data.follow(status);
    this.#changesPanel.follow(status);
    // The next compile continues from the migrations that this one has written.
    if (status.phase === "serving") void this.#attempt(() => this.#workspace.load());
  }

  #showLost(): void {
    showStatusText("failed", "dev has ended");
    this.#notice(
      "dev has ended: start it again. What you typed stays here until you close this tab",
    );
  }

  #notice(text: string | null): void {
    const notice = pageElement("notice", HTMLElement);
    notice.hidden = text === null;
    notice.textContent = text ?? "";
  }
}
