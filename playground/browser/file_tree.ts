/**
 * Shows the project's files as a tree of folders. Unsaved files and files with mistakes are marked, also in words for screen
 * readers.
 */
import { button, element, show } from "./dom.ts";
import type { Finding } from "./compile_stream.ts";
import { isUnsaved, type WorkFile } from "./workspace.ts";

interface TreeView {
  readonly files: readonly WorkFile[];
  readonly findings: readonly Finding[];
  readonly current: string | null;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: WorkFile[];
}

/** Folder that contains every definition; the tree omits it. */
const ROOT = "quickback/";

export class FileTree {
  readonly #host: Element;
  readonly #open: (path: string) => void;
  /** Folders that the user closed. */
  readonly #closed = new Set<string>();
  /** Item that Tab focuses, once the user has moved in the tree. */
  #place: string | null = null;
  #view: TreeView = { files: [], findings: [], current: null };

  constructor(host: HTMLElement, open: (path: string) => void) {
    this.#host = host;
    this.#open = open;
    host.addEventListener("focusin", ({ target }) => {
      this.#place = target instanceof Element ? target.getAttribute("data-path") : null;
      this.#showPlace();
    });
    host.addEventListener("keydown", (event) => this.#byKey(event));
  }

  show(view: TreeView): void {
    this.#view = view;
    const root: Folder = { folders: new Map(), files: [] };
    for (const file of view.files) {
      const path = file.path.startsWith(ROOT) ? file.path.slice(ROOT.length) : file.path;
      let folder = root;
      for (const name of path.split("/").slice(0, -1)) {
        const known: Folder = folder.folders.get(name) ?? { folders: new Map(), files: [] };
        folder.folders.set(name, known);
        folder = known;
      }
      folder.files.push(file);
    }
    const focused = this.#items.find((item) => item === document.activeElement)?.dataset.path;
    const list = this.#list(root, "", 1);
    list.setAttribute("role", "tree");
    list.setAttribute("aria-labelledby", "files-title");
    show(this.#host, list);
    this.#showPlace();
    if (focused !== undefined) {
      this.#items.find(({ dataset }) => dataset.path === focused)?.focus();
    }
  }

  /** Visible items from top to bottom, without those of closed folders. */
  get #items(): readonly HTMLElement[] {
    return [...this.#host.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  }

  /** Makes one item reachable by Tab: the last focused one, or the open file. */
  #showPlace(): void {
    const items = this.#items;
    const at =
      [this.#place, this.#view.current].map((path) =>
        items.find(({ dataset }) => dataset.path === path)
      ).find((item) => item !== undefined) ?? items[0];
    for (const item of items) item.tabIndex = item === at ? 0 : -1;
  }

  /** Handles the keys of the ARIA practices for trees. Enter and Space work as for every button. */
  #byKey(event: KeyboardEvent): void {
    const items = this.#items;
    const at = items.findIndex((item) => item === event.target);
    const own = items[at];
    if (own === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = own.getAttribute("aria-expanded");
    const { key } = event;
    if (key === "ArrowRight" && isOpen === "false" || key === "ArrowLeft" && isOpen === "true") {
      own.click();
    } else {
      const next = nextItem(items, at, key);
      if (next === undefined) return;
      next.focus();
    }
    event.preventDefault();
  }

  #list({ folders, files }: Folder, path: string, level: number): HTMLUListElement {
    return element(
      "ul",
      { class: "tree", role: "group" },
      ...files.map((file) => element("li", { role: "none" }, this.#file(file, level))),
      ...[...folders].map(([name, folder]) => this.#folder(name, folder, `${path}${name}/`, level)),
    );
  }

  #folder(name: string, folder: Folder, path: string, level: number): HTMLLIElement {
    const isOpen = !this.#closed.has(path);
    const toggle = () => {
      if (isOpen) this.#closed.add(path);
      else this.#closed.delete(path);
      this.show(this.#view);
    };
    const own = button(name, toggle, {
      class: "folder",
      role: "treeitem",
      "data-path": path,
      "data-name": name,
      "aria-level": String(level),
      "aria-expanded": String(isOpen),
    });
    return element(
      "li",
      { role: "none" },
      own,
      isOpen ? this.#list(folder, path, level + 1) : null,
    );
  }

  #file(file: WorkFile, level: number): HTMLButtonElement {
    const { findings, current } = this.#view;
    const own = findings.filter((finding) => finding.file === file.path);
    const errors = own.filter(({ severity }) => severity === "error").length;
    const name = file.path.split("/").at(-1) ?? file.path;
    const made = button("", () => this.#open(file.path), {
      class: "file",
      role: "treeitem",
      "data-path": file.path,
      "data-name": name,
      "aria-level": String(level),
      ...(file.path === current ? { "aria-current": "true" } : {}),
    });
    made.append(
      element("span", { class: "file-name" }, name),
      ...(isUnsaved(file) ? [mark("unsaved", "●", "unsaved")] : []),
      ...(errors > 0 ? [mark("error", String(errors), errors === 1 ? "error" : "errors")] : []),
      ...(errors === 0 && own.length > 0 ? [mark("warning", String(own.length), "warnings")] : []),
    );
    return made;
  }
}

/** Returns the item that the key moves to from the index; undefined if there is none. */
function nextItem(
  items: readonly HTMLElement[],
  at: number,
  key: string,
): HTMLElement | undefined {
  const levelOf = (item: HTMLElement) => Number(item.getAttribute("aria-level"));
  const own = items.slice(at, at + 1).map(levelOf)[0] ?? 0;
  switch (key) {
    case "ArrowDown":
      return items[at + 1];
    case "ArrowUp":
      return items[at - 1];
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    case "ArrowLeft":
      return items.slice(0, at).findLast((item) => levelOf(item) < own);
    case "ArrowRight":
      return items.slice(at + 1, at + 2).find((item) => levelOf(item) > own);
    default: {
      if ([...key].length !== 1 || key === " ") return undefined;
      const letter = key.toLowerCase();
      return [...items.slice(at + 1), ...items.slice(0, at)].find(({ dataset }) =>
        dataset.name?.toLowerCase().startsWith(letter)
      );
    }
  }
}

/** Creates a symbol with a word for screen readers. */
function mark(kind: string, sign: string, word: string): HTMLElement {
  return element(
    "span",
    { class: `mark ${kind}`, title: word },
    element("span", { "aria-hidden": kind === "unsaved" ? "true" : "false" }, sign),
    element("span", { class: "unseen" }, ` ${word}`),
  );
}
