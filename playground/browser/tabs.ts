/** Tabs as the ARIA practices describe them: arrow keys select a tab, Tab moves into the panel. */
import { element, show } from "./dom.ts";
import type { Choice } from "./palette.ts";

interface Tab {
  readonly name: string;
  readonly title: string;
  readonly panel: HTMLElement;
}

export class Tabs {
  readonly #tabs:
    readonly (Tab & { readonly button: HTMLButtonElement; readonly badge: HTMLElement })[];
  readonly #onShow: (name: string) => void;

  constructor(
    hosts: { readonly list: Element; readonly panels: Element },
    tabs: readonly Tab[],
    onShow: (name: string) => void,
  ) {
    this.#onShow = onShow;
    this.#tabs = tabs.map((tab) => {
      const badge = element("span", { class: "badge", hidden: true });
      const control = element(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${tab.name}`,
          "aria-controls": `panel-${tab.name}`,
          click: () => this.open(tab.name),
        },
        tab.title,
        badge,
      );
      return { ...tab, button: control, badge };
    });
    for (const { name, panel } of this.#tabs) {
      panel.id = `panel-${name}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      panel.tabIndex = -1;
    }
    const list = element(
      "div",
      { class: "tabs", role: "tablist", "aria-label": "Results" },
      ...this.#tabs.map((tab) => tab.button),
    );
    list.addEventListener("keydown", (event) => this.#move(event));
    show(hosts.list, list);
    show(hosts.panels, ...this.#tabs.map(({ panel }) => panel));
    this.#select(tabs[0]?.name ?? "");
  }

  open(name: string): void {
    this.#select(name);
    // The row of tabs may be longer than a narrow window.
    document.getElementById(`tab-${name}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#onShow(name);
  }

  /** Returns one palette choice per tab. */
  choices(): readonly Choice[] {
    return this.#tabs.map(({ name, title }) => ({
      title: `Show ${title}`,
      about: "",
      run: () => this.open(name),
    }));
  }

  /** Shows a number beside a title; null removes it. */
  badge(name: string, text: string | null): void {
    const badge = this.#tabs.find((tab) => tab.name === name)?.badge;
    if (badge === undefined) return;
    badge.hidden = text === null;
    badge.textContent = text ?? "";
  }

  #select(name: string): void {
    for (const tab of this.#tabs) {
      const isOpen = tab.name === name;
      tab.panel.hidden = !isOpen;
      tab.button.setAttribute("aria-selected", String(isOpen));
      tab.button.tabIndex = isOpen ? 0 : -1;
    }
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = this.#tabs.findIndex(({ button }) => button === document.activeElement);
    if (step === undefined || at < 0) return;
    const next = this.#tabs[(at + step + this.#tabs.length) % this.#tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    next.button.focus();
    this.open(next.name);
  }
}
