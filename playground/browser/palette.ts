/** List to choose from by typing: commands, files, and lines of files. */
import { element, pageElement, show } from "./dom.ts";

export interface Choice {
  readonly title: string;
  /** Keys of a command, or the place of a line. */
  readonly about: string;
  readonly run: () => void;
}

const SHOWN_MAX = 40;

/** Opens the palette. `choices` returns those that match the typed text, best first. */
export function openPalette(label: string, choices: (typed: string) => readonly Choice[]): void {
  const dialog = pageElement("dialog", HTMLDialogElement);
  const list = element("ul", {
    class: "choices",
    id: "choices",
    role: "listbox",
    "aria-label": label,
  });
  let shown: readonly Choice[] = [];
  let chosen = 0;
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-label": label,
    "aria-expanded": "true",
    "aria-controls": "choices",
    placeholder: label,
    spellcheck: "false",
    autocomplete: "off",
  });
  const draw = () => {
    input.setAttribute("aria-activedescendant", shown.length === 0 ? "" : `choice-${chosen}`);
    show(list, ...shown.map((choice, index) => option(choice, index, index === chosen)));
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  };
  const take = (index: number) => {
    const choice = shown[index];
    if (choice === undefined) return;
    dialog.close();
    choice.run();
  };
  const search = () => {
    shown = choices(input.value.trim()).slice(0, SHOWN_MAX);
    chosen = 0;
    draw();
  };
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") take(chosen);
    else if (step !== undefined && shown.length > 0) {
      chosen = (chosen + step + shown.length) % shown.length;
      draw();
    } else return;
    event.preventDefault();
  });
  list.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("[role=option]") : null;
    if (row !== null) take([...list.children].indexOf(row));
  });
  show(dialog, element("h2", { id: "dialog-title", class: "unseen" }, label), input, list);
  search();
  dialog.showModal();
  input.focus();
}

function option({ title, about }: Choice, index: number, isChosen: boolean): HTMLElement {
  return element(
    "li",
    {
      role: "option",
      id: `choice-${index}`,
      class: "choice",
      "aria-selected": String(isChosen),
    },
    element("span", { class: "choice-title" }, title),
    element("span", { class: "choice-about" }, about),
  );
}

/** True when the text contains the typed letters in that order, with any gaps. */
export function isLike(typed: string, text: string): boolean {
  const [wanted, own] = [typed.toLowerCase().replaceAll(" ", ""), text.toLowerCase()];
  let at = -1;
  return [...wanted].every((letter) => (at = own.indexOf(letter, at + 1)) >= 0);
}
