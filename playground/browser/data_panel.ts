/** Shows each table as a grid, as a caller sees it through the API; beside it, the stored rows (development only). */
import { PLANTED, ROUTES, type Status, type Table } from "../protocol.ts";
import { CallerSelect } from "./caller_select.ts";
import { type Connection, refusalIn } from "./connection.ts";
import { DataGrid } from "./data_grid.ts";
import {
  type DataClient,
  type DataQuestion,
  NEXT,
  PREVIOUS,
  readPage,
  refusalOf,
} from "./data_page.ts";
import { button, element, inlineField, show } from "./dom.ts";
import { RowHistory } from "./row_history.ts";

/** Suffixes of a filter's name, with the words for them. */
const OPERATORS = [
  ["", "is"],
  [".ne", "is not"],
  [".gt", "is more than"],
  [".lt", "is less than"],
  [".like", "is like"],
  [".in", "is one of"],
] as const;

export class DataPanel {
  readonly element = element("section", { class: "panel data-panel" });
  readonly #connection: Connection;
  readonly #client: DataClient;
  readonly #person = new CallerSelect("data-person", () => void this.#first());
  readonly #table = element("select", { id: "data-table", change: () => this.#chooseTable() });
  readonly #column = element("select", { "aria-label": "Column of the filter" });
  readonly #operator = element(
    "select",
    { "aria-label": "Comparison" },
    ...OPERATORS.map(([ending, words]) => element("option", { value: ending }, words)),
  );
  readonly #value = element("input", { "aria-label": "Value of the filter", autocomplete: "off" });
  readonly #stored = element("input", {
    type: "checkbox",
    id: "data-stored",
    change: () => this.#grid.showStored(this.#stored.checked),
  });
  readonly #said = element("p", { class: "dim", role: "status" });
  readonly #pages = element("div", { class: "data-pages" });
  readonly #grid = new DataGrid({
    sort: (column) => this.#sortBy(column),
    write: (id, column, value) => void this.#attempt(() => this.#write(id, column, value)),
    history: (id) => void this.#showHistory(id),
    refuse: (text) => this.#say(text),
  });
  readonly #history: RowHistory;
  #tables: readonly Table[] = [];
  #question: Omit<DataQuestion, "as" | "table"> = { filter: null, sort: null, cursor: null };
  /** Number of the newest read: an older one's answer is not shown. */
  #turn = 0;

  constructor(connection: Connection, client: DataClient) {
    this.#connection = connection;
    this.#client = client;
    this.#history = new RowHistory(client.ask);
    const filter = element(
      "form",
      {
        class: "data-filter",
        submit: (event) => {
          event.preventDefault();
          void this.#first();
        },
      },
      this.#column,
      this.#operator,
      this.#value,
      element("button", { type: "submit", class: "quiet" }, "Filter"),
    );
    show(
      this.element,
      inlineField("Rows as", this.#person.element),
      inlineField("Table", this.#table),
      filter,
      element(
        "div",
        { class: "data-actions" },
        element("label", { class: "check" }, this.#stored, " beside it what is stored"),
        button("Read again", () => void this.#read(), { class: "quiet" }),
        button("Plant the seed", () => void this.#attempt(() => this.#seed()), { class: "quiet" }),
        button("Empty the database…", () => void this.#attempt(() => this.#reset()), {
          class: "quiet",
        }),
      ),
      this.#said,
      this.#grid.element,
      this.#pages,
      this.#history.element,
    );
  }

  follow({ people, tables, phase }: Status): void {
    const hadPeople = this.#person.element.options.length > 1;
    this.#person.show(people);
    const readable = tables.filter(({ verbs }) => verbs.includes("read"));
    const isSame = JSON.stringify(readable) === JSON.stringify(this.#tables);
    this.#tables = readable;
    if (!isSame) this.#showTables();
    const isNews = !isSame || (!hadPeople && people.length > 0);
    if (phase === "serving" && isNews && !this.element.hidden) void this.#first();
  }

  /** Called when the tab is opened. */
  opened(): void {
    void this.#read();
  }

  #showTables(): void {
    const { value } = this.#table;
    show(this.#table, ...this.#tables.map(({ name }) => element("option", { value: name }, name)));
    if (this.#tables.some(({ name }) => name === value)) this.#table.value = value;
    this.#showColumns();
  }

  #showColumns(): void {
    const columns = this.#chosen()?.columns ?? [];
    show(this.#column, ...columns.map(({ name }) => element("option", { value: name }, name)));
  }

  #chosen(): Table | null {
    return this.#tables.find(({ name }) => name === this.#table.value) ?? null;
  }

  #chooseTable(): void {
    this.#showColumns();
    this.#value.value = "";
    this.#question = { ...this.#question, sort: null };
    void this.#first();
  }

  #sortBy(column: string): void {
    const { sort } = this.#question;
    const isDescending = sort?.column === column && !sort.isDescending;
    this.#question = { ...this.#question, sort: { column, isDescending } };
    void this.#first();
  }

  /** Reads the first page with the current filter and sort. */
  async #first(): Promise<void> {
    const value = this.#value.value.trim();
    const filter = value === "" ? null : { name: this.#column.value + this.#operator.value, value };
    this.#question = { ...this.#question, filter, cursor: null };
    await this.#read();
  }

  #read(): Promise<void> {
    return this.#attempt(async () => {
      const table = this.#chosen();
      if (table === null) return this.#say("No table with routes is served yet");
      const turn = ++this.#turn;
      this.#history.close();
      const question = { ...this.#question, table, as: this.#person.name };
      const page = await readPage(question, this.#client);
      if (turn !== this.#turn) return;
      this.#grid.show(table, typeof page === "string" ? null : page, question.sort);
      if (typeof page === "string") {
        show(this.#pages);
        return this.#say(page);
      }
      const { records, next, previous, isLast } = page;
      this.#say(records.length === 0 ? "No rows for this caller" : "");
      show(
        this.#pages,
        this.#pager("Previous page", PREVIOUS, question.cursor === null ? null : previous),
        this.#pager("Next page", NEXT, isLast ? null : next),
      );
    });
  }

  #showHistory(id: string): Promise<void> {
    return this.#attempt(async () => {
      const table = this.#chosen();
      if (table !== null) await this.#history.open({ table, id, as: this.#person.name });
    });
  }

  #pager(title: string, parameter: string, value: string | null): HTMLButtonElement | null {
    if (value === null) return null;
    return button(title, () => {
      this.#question = { ...this.#question, cursor: { parameter, value } };
      void this.#read();
    }, { class: "quiet" });
  }

  /** Writes through the API as the chosen caller, so that guards apply. */
  async #write(id: string, column: string, value: unknown): Promise<void> {
    const table = this.#chosen();
    if (table === null) return;
    const answer = await this.#client.ask({
      as: this.#person.name,
      method: "PATCH",
      path: `${table.path}/${encodeURIComponent(id)}`,
      headers: [["content-type", "application/json"]],
      body: JSON.stringify({ [column]: value }),
    });
    await this.#read();
    this.#say(answer.status < 300 ? `${column} is written` : refusalOf(answer));
  }

  async #reset(): Promise<void> {
    if (
      !confirm(
        "Empty the development database? Its rows and accounts go, and the demo is made anew.",
      )
    ) return;
    this.#say("Emptying the database");
    await this.#connection.send(ROUTES.reset, { method: "POST" });
    await this.#first();
  }

  /** Plants the seed, whose rows belong to its own organizations. `stored` shows them to any caller. */
  async #seed(): Promise<void> {
    this.#say("Planting the seed");
    const answer = await this.#connection.send(ROUTES.seed, { method: "POST" });
    const { said } = PLANTED.parse(await answer.json());
    await this.#first();
    this.#say(said);
  }

  #say(text: string): void {
    this.#said.textContent = text;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const refusal = await refusalIn(work);
    if (refusal !== null) this.#say(refusal);
  }
}
