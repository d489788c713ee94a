/** Creates elements without a framework. Texts become text nodes, so shown data cannot become markup. */

type Child = Node | string | null;

type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

/** Creates an element. An attribute whose value is a function is a listener for the event of that name. */
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

/** Returns an element of the page by id; throws if it is not of the given class. */
export function pageElement<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${id}"`);
}

/** Replaces the content of the host. */
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

/** Returns the elements of a text in which backticks mark code. */
export function coded(text: string): readonly (HTMLElement | string)[] {
  return text.split("`").map((part, at) => at % 2 === 1 ? element("code", {}, part) : part);
}

/** Returns a select box with its label before it. */
export function inlineField(label: string, control: HTMLSelectElement): HTMLElement {
  return element(
    "div",
    { class: "field inline" },
    element("label", { for: control.id }, label),
    control,
  );
}
