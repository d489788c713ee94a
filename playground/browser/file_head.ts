/**
 * Bar above the editor: shows the file's name and its commands, and resolves conflicts when the file was changed on disk too.
 */
import { button, element, show } from "./dom.ts";
import { isUnsaved, type WorkFile } from "./workspace.ts";

export function showFileHead(
  host: Element,
  file: WorkFile | null,
  onRename: (path: string) => void,
  onRemove: (path: string) => void,
): void {
  if (!isNews(host, file === null ? "" : `${file.path} ${isUnsaved(file)}`)) return;
  if (file === null) return show(host, element("h2", {}, "No file"));
  const { path } = file;
  const name = path.split("/").at(-1) ?? path;
  show(
    host,
    element(
      "h2",
      { class: "file-title" },
      element("span", { class: "dim" }, path.slice(0, -name.length)),
      name,
      isUnsaved(file) ? element("span", { class: "unsaved-word" }, "unsaved") : null,
    ),
    element(
      "div",
      { class: "file-actions" },
      button("Rename", () => onRename(path), { class: "quiet" }),
      button("Delete", () => onRemove(path), { class: "quiet" }),
    ),
  );
}

export function showConflict(
  host: HTMLElement,
  file: WorkFile | null,
  { onMine, onDisk }: {
    readonly onMine: (path: string) => void;
    readonly onDisk: (path: string) => void;
  },
): void {
  host.hidden = !file?.isContested;
  if (!isNews(host, file?.isContested ? file.path : "")) return;
  if (!file?.isContested) return show(host);
  show(
    host,
    element("span", {}, "This file was changed on disk while you edited it."),
    button("Keep mine", () => onMine(file.path), { class: "quiet" }),
    button("Take the disk's", () => onDisk(file.path), { class: "quiet" }),
  );
}

/** True if the host shows another subject. Content of the same subject stays, and keeps the focus. */
function isNews(host: Element, subject: string): boolean {
  if (host.getAttribute("data-subject") === subject) return false;
  host.setAttribute("data-subject", subject);
  return true;
}
