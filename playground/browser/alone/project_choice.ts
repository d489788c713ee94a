/**
 * Shows the first choice of a page without a server: which project to open. A project in the address opens only after a click.
 */
import { button, element, pageElement, show } from "../dom.ts";
import type { Template } from "./template.ts";
import { filesOfFolder, filesOfZip } from "./project_archives.ts";
import { linkedFiles } from "./share_link.ts";

interface ChosenProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Resolves once the user has chosen a project. Nothing is compiled or run before that. */
export async function chooseProject(templates: readonly Template[]): Promise<ChosenProject> {
  const linked = await linkedFiles(location.hash);
  const { promise, resolve } = Promise.withResolvers<ChosenProject>();
  const dialog = pageElement("dialog", HTMLDialogElement);
  const said = element("p", { class: "warned", role: "alert" });
  const take = (name: string, files: ChosenProject["files"]) => {
    if (Object.keys(files).length === 0) {
      said.textContent = "It holds no definitions: they are in the folder quickback";
      return;
    }
    dialog.removeEventListener("cancel", keep);
    dialog.close();
    resolve({ name, files });
  };
  const keep = (event: Event) => event.preventDefault();
  dialog.addEventListener("cancel", keep);
  show(
    dialog,
    element("h2", { id: "dialog-title" }, "Open a project"),
    ...(linked === null ? [] : [linkedChoice(linked, take)]),
    ...templates.map(({ name, title, description, files }) =>
      element(
        "p",
        { class: "choice" },
        button(title, () => take(name, files), { class: "primary" }),
        ` ${description}`,
      )
    ),
    ...fileChoices(take, said),
    said,
  );
  dialog.showModal();
  return await promise;
}

type Take = (name: string, files: ChosenProject["files"]) => void;

/** Shows the linked project, which is somebody else's code, by name before it runs. */
function linkedChoice(files: ChosenProject["files"], take: Take): HTMLElement {
  const names = Object.keys(files).map((path) => path.split("/").at(-1)).join(", ");
  return element(
    "div",
    { class: "linked-project" },
    element("p", {}, `This address holds a project: ${names}`),
    element(
      "p",
      { class: "dim" },
      "Opened, it is compiled, and its code runs in this tab, without a network and without anything that pages keep.",
    ),
    button("Open it", () => take("shared", files), { class: "primary" }),
  );
}

function fileChoices(take: Take, said: HTMLElement): readonly HTMLElement[] {
  const folder = element("input", { type: "file", id: "open-folder", webkitdirectory: true });
  folder.addEventListener("change", () => {
    const { files } = folder;
    if (files !== null) void filesOfFolder(files).then((found) => take("folder", found));
  });
  const zip = element("input", { type: "file", id: "open-zip", accept: ".zip" });
  zip.addEventListener("change", () => {
    const [file] = zip.files ?? [];
    if (file === undefined) return;
    filesOfZip(file).then(
      (found) => take(file.name.replace(/\.zip$/, ""), found),
      () => said.textContent = `${file.name} is no zip that can be read`,
    );
  });
  return [
    element("p", { class: "field" }, element("label", { for: "open-folder" }, "A folder"), folder),
    element("p", { class: "field" }, element("label", { for: "open-zip" }, "A zip"), zip),
  ];
}
