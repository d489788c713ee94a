/**
 * Sends requests to the running API: the user picks an operation of its description, and one of the people whom `dev` knows as
 * the caller.
 */
import type { ApiRequest, Status } from "../protocol.ts";
import { answerView } from "./api_answer.ts";
import type { ApiDocument, AskApi, Method, Operation, Parameter } from "./api_document.ts";
import { METHODS } from "./api_document.ts";
import { ApiRecords } from "./api_records.ts";
import { CallerSelect } from "./caller_select.ts";
import { CodeCopies } from "./code_copies.ts";
import { Disconnected, Refused } from "./connection.ts";
import type { DataClient } from "./data_page.ts";
import { button, coded, element, inlineField, show } from "./dom.ts";
import { QueryFields } from "./query_fields.ts";
import { RequestHistory } from "./request_history.ts";
import { type AskStored, maskedMembers } from "./stored_rows.ts";

export class ApiPanel {
  readonly element = element("section", { class: "panel api-panel" });
  readonly #ask: AskApi;
  readonly #stored: AskStored;
  readonly #records: ApiRecords;
  readonly #person = new CallerSelect("api-person");
  readonly #operation = element("select", {
    id: "api-operation",
    change: () => void this.#choose(),
  });
  readonly #method = element(
    "select",
    { "aria-label": "Method", class: "method", change: () => this.#showBody() },
    ...METHODS.map((method) => element("option", { value: method }, method)),
  );
  readonly #path = element("input", {
    "aria-label": "Path and query",
    class: "mono",
    spellcheck: "false",
    autocomplete: "off",
    input: () => this.#query.follow(),
  });
  readonly #query = new QueryFields({
    path: () => this.#path.value,
    onPath: (path) => this.#path.value = path,
  });
  readonly #body = element("textarea", {
    id: "api-body",
    rows: "8",
    spellcheck: "false",
  });
  readonly #bodyField = element(
    "div",
    { class: "field", hidden: true },
    element("label", { for: "api-body" }, "Body"),
    this.#body,
  );
  readonly #headerFields = element("div", {});
  readonly #about = element("p", { class: "dim" });
  readonly #answer = element("div", { "aria-live": "polite" });
  readonly #history = new RequestHistory((request) => this.#take(request));
  readonly #copies = new CodeCopies(() => this.#request());
  #document: ApiDocument | null = null;
  #headers: () => ApiRequest["headers"] = () => [];

  constructor({ ask, stored }: DataClient) {
    this.#ask = ask;
    this.#stored = stored;
    this.#body.addEventListener("keydown", (event) => this.#sendByKey(event));
    this.#records = new ApiRecords(ask);
    const send = element("button", { type: "submit", class: "primary" }, "Send");
    const line = element("div", { class: "request-line" }, this.#method, this.#path, send);
    const form = element(
      "form",
      {
        class: "request",
        submit: (event) => {
          event.preventDefault();
          void this.#send();
        },
      },
      inlineField("As", this.#person.element),
      inlineField("Operation", this.#operation),
      this.#about,
      line,
      this.#query.element,
      this.#headerFields,
      this.#bodyField,
      this.#copies.element,
      inlineField("History", this.#history.element),
    );
    show(this.element, form, this.#answer);
  }

  follow({ people, api, tables }: Status): void {
    this.#person.show(people);
    this.#copies.place = { origin: api?.origin ?? "", tables };
  }

  /** Shows the operations of the description. Null: the API publishes none, and the user writes requests by hand. */
  showDocument(document: ApiDocument | null): void {
    const chosen = this.#operation.value;
    this.#document = document;
    const groups = Map.groupBy(document?.operations ?? [], ({ tag }) => tag);
    show(
      this.#operation,
      ...[...groups].map(([tag, operations]) => {
        const options = operations.map(({ id, method, path, summary }) =>
          element("option", { value: id, title: `${method} ${path}` }, `${summary} · ${method}`)
        );
        return element("optgroup", { label: tag }, ...options);
      }),
    );
    this.#operation.disabled = document === null;
    const isKnown = document?.operations.some(({ id }) => id === chosen) ?? false;
    if (isKnown) this.#operation.value = chosen;
    else void this.#choose();
  }

  /** Selects the operation, as a click would. */
  open(id: string): void {
    this.#operation.value = id;
    void this.#choose();
  }

  async #choose(): Promise<void> {
    const operations = this.#document?.operations ?? [];
    const operation = operations.find(({ id }) => id === this.#operation.value);
    if (operation === undefined) {
      this.#about.textContent = "This API publishes no description: write the request by hand";
      return;
    }
    show(this.#about, ...coded(operation.description));
    this.#method.value = operation.method;
    this.#path.value = operation.path;
    this.#query.show(operation.parameters);
    const { element: fields, headers } = headerFields(operation.parameters);
    this.#headers = headers;
    show(this.#headerFields, fields);
    this.#body.value = "";
    this.#showBody();
    show(this.#answer);
    await this.#prefill(operation, operations);
  }

  /**
   * Fills the request in with ids of existing records. It reads them as the demo's first person, so that another person can be
   * shown requests that are refused.
   */
  async #prefill(operation: Operation, operations: readonly Operation[]): Promise<void> {
    const person = this.#person.element.options[0]?.value || null;
    try {
      const path = await this.#records.pathOf(operation, person);
      const body = operation.bodyExample === undefined
        ? ""
        : await this.#records.bodyOf(operation, { operations, person });
      if (this.#operation.value !== operation.id) return;
      this.#path.value = path;
      this.#query.follow();
      this.#body.value = body;
      this.#showBody();
      this.#body.rows = Math.min(Math.max(body.split("\n").length, 3), 14);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Disconnected)) throw error;
      // The API does not answer at the moment: the examples stay as they are.
      if (operation.bodyExample !== undefined) {
        this.#body.value = JSON.stringify(operation.bodyExample, null, 2);
      }
    }
  }

  /** Restores an earlier request unchanged. */
  #take({ as, method, path, body }: ApiRequest): void {
    this.#person.choose(as);
    this.#method.value = method;
    this.#path.value = path;
    this.#body.value = body ?? "";
    this.#query.follow();
    this.#showBody();
    show(this.#answer);
  }

  /** Shows the body's field where the operation takes a body, which few deletions do. */
  #showBody(): void {
    const { value } = this.#method;
    this.#bodyField.hidden = value === "GET" || (value === "DELETE" && this.#body.value === "");
  }

  #sendByKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.#send();
  }

  async #send(): Promise<void> {
    const request = this.#request();
    show(this.#answer, element("p", { class: "dim" }, "Asking…"));
    try {
      const answer = await this.#ask(request);
      this.#records.note(request.path, answer);
      this.#history.add(request, answer.status);
      const isRead = answer.status < 300;
      const { tables } = this.#copies.place;
      const masked = isRead
        ? await maskedMembers({ path: request.path, body: answer.body }, tables, this.#stored)
        : new Set<string>();
      show(this.#answer, answerView(answer, { method: request.method, masked }));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Disconnected)) throw error;
      show(
        this.#answer,
        element("p", { class: "refusal" }, error.message),
        button("Ask again", () => void this.#send(), { class: "quiet" }),
      );
    }
  }

  #request(): ApiRequest {
    const method: Method = METHODS.find((one) => one === this.#method.value) ?? "GET";
    const body = method === "GET" || this.#body.value.trim() === "" ? null : this.#body.value;
    return {
      as: this.#person.name,
      method,
      path: this.#path.value.startsWith("/") ? this.#path.value : `/${this.#path.value}`,
      headers: [
        ...this.#headers(),
        ...(body === null ? [] : [["content-type", "application/json"] satisfies [string, string]]),
      ],
      body,
    };
  }
}

/** Input fields for the request's headers. */
interface HeaderFields {
  /** Element of the fields; null if there are none. */
  readonly element: HTMLElement | null;
  /** Returns the headers that the user filled in. */
  readonly headers: () => ApiRequest["headers"];
}

function headerFields(parameters: readonly Parameter[]): HeaderFields {
  const inputs = parameters.filter((parameter) => parameter.in === "header").map((parameter) => ({
    parameter,
    input: element("input", { id: `header-${parameter.name}`, class: "mono", autocomplete: "off" }),
  }));
  return {
    element: inputs.length === 0 ? null : element(
      "details",
      { class: "parameters" },
      element("summary", {}, inputs.length === 1 ? "1 header" : `${inputs.length} headers`),
      ...inputs.map(({ parameter, input }) =>
        element(
          "div",
          { class: "field" },
          element("label", { for: input.id, title: parameter.description }, parameter.name),
          input,
        )
      ),
    ),
    headers: () =>
      inputs.filter(({ input }) => input.value !== "").map(({ parameter, input }) => [
        parameter.name,
        input.value,
      ]),
  };
}
