/**
 * Shows the query of a request as fields. Filters and other parameters are added by name, and the fields follow edits of the
 * path.
 */
import type { Parameter } from "./api_document.ts";
import { button, element, show } from "./dom.ts";

interface QueryFieldsOptions {
  /** Returns the path with its query, as typed. */
  readonly path: () => string;
  readonly onPath: (path: string) => void;
}

export class QueryFields {
  readonly element = element("div", { class: "query-fields" });
  readonly #options: QueryFieldsOptions;
  readonly #rows = element("div", { class: "query-rows" });
  readonly #adders = element("div", { class: "adders" });
  #parameters: readonly Parameter[] = [];

  constructor(options: QueryFieldsOptions) {
    this.#options = options;
    show(this.element, this.#rows, this.#adders);
  }

  /** Shows the parameters of the chosen operation. */
  show(parameters: readonly Parameter[]): void {
    this.#parameters = parameters.filter((parameter) => parameter.in === "query");
    const filters = this.#parameters.filter(({ isFilter }) => isFilter);
    const others = this.#parameters.filter(({ isFilter }) => !isFilter);
    show(
      this.#adders,
      this.#adder("Add filter", Map.groupBy(filters, ({ name }) => name.split(".")[0] ?? name)),
      this.#adder("Add parameter", new Map([["Parameters", others]])),
    );
    this.follow();
  }

  /** Updates the fields after another change of the path. */
  follow(): void {
    const pairs = [...this.#query()];
    const inputs = pairs.map(([name, value], at) => this.#row(name, value, at));
    show(this.#rows, ...inputs);
  }

  #adder(
    label: string,
    groups: ReadonlyMap<string, readonly Parameter[]>,
  ): HTMLSelectElement | null {
    const count = [...groups.values()].flat().length;
    if (count === 0) return null;
    const select = element(
      "select",
      { class: "adder", "aria-label": label, change: () => this.#add(select) },
      element("option", { value: "" }, `${label} (${count})`),
      ...[...groups].map(([group, parameters]) =>
        element(
          "optgroup",
          { label: group },
          ...parameters.map(({ name, description }) =>
            element("option", { value: name, title: description }, name)
          ),
        )
      ),
    );
    return select;
  }

  #add(select: HTMLSelectElement): void {
    const { value: name } = select;
    select.value = "";
    if (name === "") return;
    const query = this.#query();
    query.append(name, this.#parameterOf(name)?.choices[0] ?? "");
    this.#write(query);
    this.follow();
    this.#rows.querySelector<HTMLInputElement>(".query-row:last-child input")?.focus();
  }

  #row(name: string, value: string, at: number): HTMLElement {
    const { choices = [], description = "" } = this.#parameterOf(name) ?? {};
    const id = `query-${at}`;
    const input = element("input", {
      id,
      class: "mono",
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.#change(at, input.value),
      ...(choices.length === 0 ? {} : { list: `${id}-choices` }),
    });
    input.value = value;
    return element(
      "div",
      { class: "query-row" },
      element("label", { for: id, title: description }, name),
      input,
      choices.length === 0 ? null : element(
        "datalist",
        { id: `${id}-choices` },
        ...choices.map((choice) => element("option", { value: choice })),
      ),
      button("×", () => this.#change(at, null), {
        class: "quiet",
        "aria-label": `Without ${name}`,
      }),
    );
  }

  /** Sets the value of a parameter; null removes the parameter. */
  #change(place: number, value: string | null): void {
    const pairs = [...this.#query()].flatMap(([name, known], at): [string, string][] =>
      at !== place ? [[name, known]] : value === null ? [] : [[name, value]]
    );
    this.#write(new URLSearchParams(pairs));
    if (value === null) this.follow();
  }

  #parameterOf(name: string): Parameter | null {
    return this.#parameters.find((one) => one.name === name) ?? null;
  }

  #query(): URLSearchParams {
    return new URLSearchParams(this.#options.path().split("?").slice(1).join("?"));
  }

  #write(query: URLSearchParams): void {
    const [path] = this.#options.path().split("?");
    // Brackets and commas are left readable: the API accepts them unescaped.
    const text = query.toString().replaceAll("%2C", ",").replaceAll("%5B", "[").replaceAll(
      "%5D",
      "]",
    );
    this.#options.onPath(text === "" ? `${path}` : `${path}?${text}`);
  }
}
