/** Dialogs that ask for a path, a name, or a confirmation. Escape cancels. */
import { button, element, pageElement, show } from "./dom.ts";

const SUGGESTED = "quickback/features/notes/notes.ts";

/** Asks for the path of a new file; null if the user cancels. */
export function askForNewFile(known: readonly string[]): Promise<string | null> {
  return askForPath(
    "New definition",
    known.includes(SUGGESTED) ? "quickback/features/" : SUGGESTED,
  );
}

export async function askForPath(title: string, path: string): Promise<string | null> {
  const input = element("input", {
    id: "dialog-path",
    value: path,
    spellcheck: "false",
    autocomplete: "off",
    required: true,
    pattern: "quickback/.+",
  });
  const isGiven = await ask(title, [
    element("label", { for: "dialog-path" }, "Path in the project"),
    input,
    element(
      "p",
      { class: "dim" },
      "features/<name>/<name>.ts is a table, features/<name>/actions/<action>.ts an action",
    ),
  ], title === "Rename" ? "Rename" : "Create");
  return isGiven ? input.value.trim() : null;
}

/** Asks for a new name of the thing with this name; null if the user cancels. */
export async function askForName(name: string): Promise<string | null> {
  const input = element("input", {
    id: "dialog-name",
    value: name,
    spellcheck: "false",
    autocomplete: "off",
    required: true,
    pattern: "[A-Za-z_$][\\w$]*",
  });
  const content = [element("label", { for: "dialog-name" }, `New name of ${name}`), input];
  return await ask("Rename in all files", content, "Rename") ? input.value.trim() : null;
}

export function askToRemove(path: string): Promise<boolean> {
  return ask("Delete this file?", [element("p", {}, path)], "Delete");
}

function ask(
  title: string,
  content: readonly HTMLElement[],
  yes: string,
): Promise<boolean> {
  const dialog = pageElement("dialog", HTMLDialogElement);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const form = element(
    "form",
    {
      submit: (event) => {
        event.preventDefault();
        dialog.close("yes");
      },
    },
    element("h2", { id: "dialog-title" }, title),
    ...content,
    element(
      "div",
      { class: "dialog-actions" },
      button("Cancel", () => dialog.close(""), { class: "quiet" }),
      element("button", { type: "submit", class: "primary" }, yes),
    ),
  );
  show(dialog, form);
  dialog.returnValue = "";
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  dialog.showModal();
  return promise;
}
