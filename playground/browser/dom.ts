/** Elements without a framework: texts become text nodes, so nothing that the page shows can become markup. */

type Child = Node | string | null;

type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

/** Attributes that are functions are listeners by the name of their event. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "string") made.setAttribute(name, value);
    else made.toggleAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** An element of the page itself, of the class that it must have. */
export function pageElement<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${id}"`);
}

/** Removes what is shown, and shows this. */
export function show(host: Element, ...children: readonly Child[]): void {
  host.replaceChildren(...children.filter((child) => child !== null));
}

export function button(
  label: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element("button", { type: "button", click: onClick, ...attributes }, label);
}

/** Elements of a text in which backticks mark code. */
export function coded(text: string): readonly (HTMLElement | string)[] {
  return text.split("`").map((part, at) => at % 2 === 1 ? element("code", {}, part) : part);
}

/** A choice with its label before it. */
export function inlineField(label: string, control: HTMLSelectElement): HTMLElement {
  return element(
    "div",
    { class: "field inline" },
    element("label", { for: control.id }, label),
    control,
  );
}
