/**
 * Shows the changes of a row as a caller may see them today, newest first: who made them, when, and the values before and
 * after.
 */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import type { Table } from "../protocol.ts";
import type { AskApi } from "./api_document.ts";
import { cellText, NEXT, refusalOf } from "./data_page.ts";
import { button, element, show } from "./dom.ts";

const STATE = z.record(z.string(), z.unknown()).nullable();
const CHANGES = z.object({
  data: z.array(z.object({
    kind: z.enum(["create", "update", "delete", "restore"]),
    at: z.string(),
    actorUserId: z.string().nullable(),
    impersonatorUserId: z.string().nullable(),
    operation: z.string().nullable(),
    before: STATE,
    after: STATE,
  })),
  pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
});

type State = z.infer<typeof STATE>;

const PAGE_SIZE = 10;
const DONE = { create: "made", update: "changed", delete: "deleted", restore: "restored" } as const;

interface Asked {
  readonly table: Table;
  readonly id: string;
  /** Name of the caller; null for nobody. */
  readonly as: string | null;
}

export class RowHistory {
  readonly element = element("section", { class: "row-history", hidden: true, tabindex: "-1" });
  readonly #ask: AskApi;
  readonly #list = element("ol", { class: "changes-of-row" });
  readonly #more = element("div", { class: "data-pages" });
  readonly #said = element("p", { class: "dim", role: "status" });
  /** Number of the newest read: an older one's answer is not shown. */
  #turn = 0;

  constructor(ask: AskApi) {
    this.#ask = ask;
  }

  close(): void {
    this.#turn += 1;
    this.element.hidden = true;
  }

  async open(asked: Asked): Promise<void> {
    const title = `History of ${asked.id}`;
    show(this.#list);
    show(
      this.element,
      element(
        "div",
        { class: "data-actions" },
        element("h3", {}, title),
        button("Close", () => this.close(), { class: "quiet" }),
      ),
      this.#said,
      this.#list,
      this.#more,
    );
    this.element.setAttribute("aria-label", title);
    this.element.hidden = false;
    await this.#read(asked, null);
    this.element.focus();
  }

  async #read(asked: Asked, cursor: string | null): Promise<void> {
    const { table, id, as } = asked;
    const turn = ++this.#turn;
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (cursor !== null) query.set(NEXT, cursor);
    const path = `${table.path}/${encodeURIComponent(id)}/history?${query}`;
    const answer = await this.#ask({ as, method: "GET", path, headers: [], body: null });
    if (turn !== this.#turn) return;
    show(this.#more);
    const page = answer.status === 200
      ? CHANGES.safeParse(parsedJson(answer.body)).data
      : undefined;
    if (page === undefined) {
      this.#said.textContent = refusalOf(answer);
      return;
    }
    this.#list.append(...page.data.map(changeItem));
    this.#said.textContent = this.#list.childElementCount === 0
      ? "No change of it is kept"
      : "The newest first, as this caller may see them today";
    const { hasMore, nextCursor } = page.pagination;
    if (!hasMore || nextCursor === null) return;
    show(
      this.#more,
      button("Older changes", () => void this.#read(asked, nextCursor), { class: "quiet" }),
    );
  }
}

function changeItem(change: z.infer<typeof CHANGES>["data"][number]): HTMLElement {
  const { kind, at, actorUserId, impersonatorUserId, operation, before, after } = change;
  const instead = impersonatorUserId === null ? "" : `, in their place ${impersonatorUserId}`;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return element(
    "li",
    {},
    element("strong", {}, DONE[kind]),
    ` by ${actorUserId ?? "nobody who signed in"}${instead} at `,
    element("time", { datetime: at }, at),
    operation === null ? null : element("span", { class: "dim" }, ` ${operation}`),
    element(
      "dl",
      {},
      ...fields.flatMap((field) => [
        element("dt", {}, field),
        element("dd", {}, ...fromTo(before, after, field)),
      ]),
    ),
  );
}

/** Shows the values before and after; only one of them if the record was created or removed. */
function fromTo(before: State, after: State, field: string): readonly (HTMLElement | string)[] {
  const shown = (tag: "del" | "ins", state: State) => {
    if (state === null) return [];
    const value = state[field];
    // Null and absent values are shown differently from an empty text.
    const text = value === undefined ? "none" : value === null ? "NULL" : cellText(value);
    return [element(tag, {}, text)];
  };
  const [from, to] = [shown("del", before), shown("ins", after)];
  return from.length > 0 && to.length > 0 ? [...from, " → ", ...to] : [...from, ...to];
}
