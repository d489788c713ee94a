/** The project's files as a list of folders; what is unsaved or has mistakes is marked, also in words. */
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

/** Below this folder, which every definition has in common. */
const ROOT = "quickback/";

export class FileTree {
  readonly #host: Element;
  readonly #open: (path: string) => void;
  /** Folders that somebody closed. */
  readonly #closed = new Set<string>();

  constructor(host: Element, open: (path: string) => void) {
    this.#host = host;
    this.#open = open;
  }

  show(view: TreeView): void {
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
    const focused = document.activeElement?.getAttribute("data-path");
    show(this.#host, this.#list(root, "", view));
    if (focused) {
      this.#host.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #list({ folders, files }: Folder, path: string, view: TreeView): HTMLUListElement {
    return element(
      "ul",
      { class: "tree" },
      ...files.map((file) => element("li", {}, this.#file(file, view))),
      ...[...folders].map(([name, folder]) =>
        element("li", {}, this.#folder(name, folder, { path: `${path}${name}/`, view }))
      ),
    );
  }

  #folder(
    name: string,
    folder: Folder,
    { path, view }: { readonly path: string; readonly view: TreeView },
  ): HTMLDetailsElement {
    const details = element(
      "details",
      { open: !this.#closed.has(path) },
      element("summary", {}, name),
      this.#list(folder, path, view),
    );
    details.addEventListener("toggle", () => {
      if (details.open) this.#closed.delete(path);
      else this.#closed.add(path);
    });
    return details;
  }

  #file(file: WorkFile, { findings, current }: TreeView): HTMLButtonElement {
    const own = findings.filter((finding) => finding.file === file.path);
    const errors = own.filter(({ severity }) => severity === "error").length;
    const made = button("", () => this.#open(file.path), {
      class: "file",
      "data-path": file.path,
      ...(file.path === current ? { "aria-current": "true" } : {}),
    });
    made.append(
      element("span", { class: "file-name" }, file.path.split("/").at(-1) ?? file.path),
      ...(isUnsaved(file) ? [mark("unsaved", "●", "unsaved")] : []),
      ...(errors > 0 ? [mark("error", String(errors), errors === 1 ? "error" : "errors")] : []),
      ...(errors === 0 && own.length > 0 ? [mark("warning", String(own.length), "warnings")] : []),
    );
    return made;
  }
}

/** A sign for the eye with a word for the ear. */
function mark(kind: string, sign: string, word: string): HTMLElement {
  return element(
    "span",
    { class: `mark ${kind}`, title: word },
    element("span", { "aria-hidden": kind === "unsaved" ? "true" : "false" }, sign),
    element("span", { class: "unseen" }, ` ${word}`),
  );
}
