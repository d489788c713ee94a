/** Lets the user choose the person who sends a request, or nobody. */
import type { Status } from "../protocol.ts";
import { element, show } from "./dom.ts";

const NOBODY = "";

export class CallerSelect {
  readonly element: HTMLSelectElement;

  constructor(id: string, onChange: () => void = () => {}) {
    this.element = element("select", { id, change: onChange });
  }

  /** Name of the chosen person; null for nobody. */
  get name(): string | null {
    return this.element.value === NOBODY ? null : this.element.value;
  }

  choose(name: string | null): void {
    this.element.value = name ?? NOBODY;
  }

  /** Offers the people. The choice stays if that person is still among them. */
  show(people: Status["people"]): void {
    const chosen = this.element.value;
    const offered = [...people.map(({ name }) => name), NOBODY];
    const known = [...this.element.options].map(({ value }) => value);
    if (known.join("\n") === offered.join("\n")) return;
    show(
      this.element,
      ...people.map(({ name, about }) => element("option", { value: name }, `${name}: ${about}`)),
      element("option", { value: NOBODY }, "nobody, without a token"),
    );
    // "Nobody" is either the user's choice, or the only option so far.
    const keeps = offered.includes(chosen) && (chosen !== NOBODY || known.length > 1);
    this.element.value = keeps ? chosen : offered[0] ?? NOBODY;
  }
}
