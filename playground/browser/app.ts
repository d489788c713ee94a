/** The page as a whole: connects its parts with each other. */
import { ROUTES, STATUS, type Status } from "../protocol.ts";
import { apiClient } from "./api_document.ts";
import { ApiView } from "./api_view.ts";
import { CompilePanel, verdictOf } from "./compile_panel.ts";
import type { CompileRun } from "./compile_run.ts";
import type { Finding } from "./compile_stream.ts";
import { Compiler } from "./compiler.ts";
import { type Connection, Disconnected, Refused } from "./connection.ts";
import { askForNewFile, askForPath, askToRemove } from "./dialogs.ts";
import { pageElement } from "./dom.ts";
import { Editor, type Spot } from "./editor.ts";
import { showConflict, showFileHead } from "./file_head.ts";
import { FileTree } from "./file_tree.ts";
import { OutputPanel } from "./output_panel.ts";
import { Tabs } from "./tabs.ts";
import { type Change, firstText, Workspace } from "./workspace.ts";

/** A table: what a project is about stands in its longest one. */
const TABLE = /^quickback\/features\/[^/]+\/[^/]+\.ts$/;

export class App {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  /** Of what is typed. */
  readonly #validator: Compiler;
  /** Of what is saved; typing goes on meanwhile. */
  readonly #compiler: Compiler;
  readonly #editor: Editor;
  readonly #tree: FileTree;
  readonly #tabs: Tabs;
  readonly #compilePanel = new CompilePanel((finding) => this.#goTo(finding.file, finding));
  readonly #outputPanel = new OutputPanel();
  readonly #api: ApiView;
  #findings: readonly Finding[] = [];
  #isSaving = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#workspace = new Workspace(connection);
    this.#api = new ApiView(apiClient(connection), () => this.#tabs.open("api"));
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
    this.#editor = new Editor(
      pageElement("editor", HTMLElement),
      (path, text) => this.#workspace.edit(path, text),
    );
    this.#tree = new FileTree(pageElement("tree", HTMLElement), (path) => this.#open(path));
    this.#tabs = new Tabs(
      { list: pageElement("tabs", HTMLElement), panels: pageElement("tab-panels", HTMLElement) },
      [
        { name: "compile", title: "Compile", panel: this.#compilePanel.element },
        { name: "output", title: "Output", panel: this.#outputPanel.element },
        { name: "api", title: "API", panel: this.#api.panel.element },
        { name: "docs", title: "Docs", panel: this.#api.docs.element },
      ],
      () => {},
    );
  }

  async start(): Promise<void> {
    this.#workspace.onChange((change, path) => this.#changed(change, path));
    pageElement("run", HTMLButtonElement).addEventListener("click", () => void this.#save());
    pageElement("new-file", HTMLButtonElement)
      .addEventListener("click", () => void this.#create());
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      void this.#save();
    });
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
    await followDev(this.#connection, {
      onStatus: (status) => this.#showStatus(status),
      onFiles: () => void this.#attempt(() => this.#workspace.load()),
      onLost: () => this.#showLost(),
    });
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
    if (change === "files") this.#followFiles(path);
    if (change !== "saved") this.#compile();
    this.#showFiles();
  }

  /** The open file may have another text now, or be gone. */
  #followFiles(created: string | null): void {
    const current = this.#workspace.file(this.#editor.path ?? "");
    if (created !== null && this.#workspace.file(created) !== null) return this.#open(created);
    if (current !== null) return this.#editor.replaceText(current.text);
    const [first] = this.#workspace.files;
    if (first) this.#open(first.path);
  }

  /** As a whole when the disk has the same; else what is typed is only checked. */
  #compile(): void {
    if (this.#workspace.unsaved.length > 0) return this.#validator.runSoon();
    this.#validator.stop();
    void this.#compiler.run();
  }

  /** Writes every edited file; `dev` does the rest when it sees them. */
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

  /** Shows why it did not work, if it did not. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#notice(null);
      return true;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Disconnected)) throw error;
      this.#notice(error.message);
      return false;
    }
  }

  /** Shows a full compile. Its findings are left out while there are unsaved edits: it knows nothing of them. */
  #showFullRun(run: CompileRun): void {
    if (run.outcome === "valid") this.#outputPanel.show(run.files);
    if (this.#workspace.unsaved.length === 0) this.#showRun(run);
  }

  #showRun(run: CompileRun): void {
    this.#compilePanel.show(run);
    if (run.outcome === "running") return;
    pageElement("foot", HTMLElement).textContent = verdictOf(run);
    this.#findings = run.findings;
    this.#editor.showFindings(run.findings);
    this.#tabs.badge("compile", run.findings.length === 0 ? null : String(run.findings.length));
    this.#showFiles();
  }

  #showFiles(): void {
    const { files, unsaved } = this.#workspace;
    const current = this.#editor.path;
    this.#tree.show({ files, findings: this.#findings, current });
    const run = pageElement("run", HTMLButtonElement);
    run.disabled = unsaved.length === 0;
    const file = this.#workspace.file(current ?? "");
    showFileHead(pageElement("file-head", HTMLElement), file, {
      onRename: (path) => void this.#rename(path),
      onRemove: (path) => void this.#remove(path),
    });
    showConflict(pageElement("conflict", HTMLElement), file, {
      onMine: (path) => this.#workspace.keepMine(path),
      onDisk: (path) => this.#takeDisk(path),
    });
  }

  #takeDisk(path: string): void {
    this.#workspace.takeDisk(path);
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
    const line = pageElement("status", HTMLElement);
    line.className = `status ${status.phase}`;
    line.textContent = status.message;
    const link = pageElement("api-link", HTMLAnchorElement);
    link.hidden = status.api === null;
    if (status.api !== null) {
      link.href = status.api.origin + (status.api.docs ?? "/health");
      link.textContent = new URL(status.api.origin).host;
    }
    void this.#attempt(() => this.#api.follow(status));
    // The next compile follows the migrations that this one has written.
    if (status.phase === "serving") void this.#attempt(() => this.#workspace.load());
  }

  #showLost(): void {
    const line = pageElement("status", HTMLElement);
    line.className = "status failed";
    line.textContent = "dev has ended";
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

/** Follows the work of `dev`, as its server reports it. */
interface FeedEvents {
  readonly onStatus: (status: Status) => void;
  /** Somebody wrote to the project's folder. */
  readonly onFiles: () => void;
  /** `dev` is gone; it is asked again for as long as the page is open. */
  readonly onLost: () => void;
}

const AGAIN_MILLISECONDS = 2_000;

/** Listens for as long as the page is open. */
async function followDev(connection: Connection, events: FeedEvents): Promise<never> {
  for (;;) {
    try {
      for await (const { event, data } of connection.frames(ROUTES.events)) {
        if (event === "status") events.onStatus(STATUS.parse(data));
        if (event === "files") events.onFiles();
      }
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error;
    }
    events.onLost();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
  }
}
