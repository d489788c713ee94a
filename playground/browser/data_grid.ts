/**
 * Shows rows as a table: a click on a heading sorts, cells that the guards allow to update are edited in place, and masked
 * cells are marked.
 */
import type { Table } from "../protocol.ts";
import {
  cellText,
  type DataPage,
  type DataQuestion,
  type DataRecord,
  typedValue,
} from "./data_page.ts";
import { button, element, show } from "./dom.ts";
import { isMasked } from "./stored_rows.ts";

interface DataGridActs {
  readonly sort: (column: string) => void;
  readonly write: (id: string, column: string, value: unknown) => void;
  readonly history: (id: string) => void;
  /** Shows a text that says what is wrong with the typed value. */
  readonly refuse: (text: string) => void;
}

type Column = Table["columns"][number];

export class DataGrid {
  readonly element = element("div", {
    class: "data-scroll",
    tabindex: "0",
    role: "region",
    "aria-label": "Rows",
    hidden: true,
  });
  readonly #acts: DataGridActs;

  constructor(acts: DataGridActs) {
    this.#acts = acts;
  }

  /** Shows a page of rows; null clears the table. */
  show(table: Table, page: DataPage | null, sort: DataQuestion["sort"]): void {
    this.element.hidden = page === null || page.records.length === 0;
    if (page === null) return;
    const hasHistory = table.verbs.includes("history");
    const heads = table.columns.map(({ name }) => this.#head(name, sort));
    const rows = page.records.map((record) =>
      element(
        "tr",
        {},
        hasHistory ? this.#historyCell(String(record[table.key])) : null,
        ...table.columns.map((column) => this.#cell(column, record, table, page)),
      )
    );
    show(
      this.element,
      element(
        "table",
        { class: "data" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            hasHistory ? element("th", { scope: "col" }, "Changes") : null,
            ...heads,
          ),
        ),
        element("tbody", {}, ...rows),
      ),
    );
  }

  showStored(isShown: boolean): void {
    this.element.classList.toggle("with-stored", isShown);
  }

  #head(name: string, sort: DataQuestion["sort"]): HTMLTableCellElement {
    const direction = sort?.column !== name
      ? "none"
      : sort.isDescending
      ? "descending"
      : "ascending";
    const arrow = { none: "", ascending: " ↑", descending: " ↓" }[direction];
    return element(
      "th",
      { scope: "col", "aria-sort": direction },
      button(name + arrow, () => this.#acts.sort(name)),
    );
  }

  #historyCell(id: string): HTMLTableCellElement {
    return element(
      "td",
      {},
      button("History", () => this.#acts.history(id), {
        class: "quiet",
        "aria-label": `History of ${id}`,
      }),
    );
  }

  #cell(
    column: Column,
    record: DataRecord,
    table: Table,
    { stored }: DataPage,
  ): HTMLTableCellElement {
    const id = String(record[table.key]);
    const row = stored[id];
    const text = cellText(record[column.name]);
    const masked = column.masked && isMasked(column.name, record, row);
    const shown = masked
      ? element("mark", { class: "masked", title: "Masked for this caller" }, text)
      : text;
    const isWritable = column.updatable && table.verbs.includes("update");
    const cell = element("td", {
      "data-column": column.name,
      "data-type": column.type,
    });
    const view = isWritable
      ? element(
        "button",
        {
          type: "button",
          class: "data-value",
          "aria-label": `Edit ${column.name}: ${text}`,
          click: () => this.#edit(cell, column, { id, text: masked ? "" : text }),
        },
        shown,
      )
      : element("span", { class: "data-value" }, shown);
    const behind = row === undefined ? null : cellText(row[column.name]);
    cell.append(
      view,
      behind === null ? "" : element(
        "span",
        { class: `stored${behind === text ? "" : " differs"}` },
        element("span", { class: "unseen" }, "stored: "),
        behind === "" ? "NULL" : behind,
      ),
    );
    return cell;
  }

  /** Edits a cell in place: Enter and leaving the field write the value, Escape discards it. */
  #edit(
    cell: HTMLTableCellElement,
    column: Column,
    { id, text }: { readonly id: string; readonly text: string },
  ): void {
    const [...before] = cell.childNodes;
    let isOver = false;
    const end = (isKept: boolean) => {
      if (isOver) return;
      isOver = true;
      const { value } = input;
      cell.replaceChildren(...before);
      cell.querySelector("button")?.focus();
      if (!isKept || value === text) return;
      const typed = typedValue(value, column);
      if (typed !== undefined) return this.#acts.write(id, column.name, typed);
      this.#acts.refuse(
        `${column.name} takes no ${JSON.stringify(value)}: it is of the type ${column.type}`,
      );
    };
    const input = element("input", {
      class: "data-edit",
      "aria-label": `${column.name} of ${id}`,
      blur: () => end(true),
      keydown: (event) => {
        if (!(event instanceof KeyboardEvent)) return;
        if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter");
      },
    });
    input.value = text;
    cell.replaceChildren(input);
    input.focus();
    input.select();
  }
}
