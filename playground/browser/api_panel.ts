/** Requests to the running API: chosen from its own description, sent in the name of one of the demo's people. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import type { ApiAnswer, ApiRequest, Status } from "../protocol.ts";
import { answerView } from "./api_answer.ts";
import type { ApiDocument, AskApi, Method, Operation, Parameter } from "./api_document.ts";
import { METHODS } from "./api_document.ts";
import { Disconnected, Refused } from "./connection.ts";
import { button, coded, element, show } from "./dom.ts";

const NOBODY = "";

export class ApiPanel {
  readonly element = element("section", { class: "panel api-panel" });
  readonly #ask: AskApi;
  readonly #records: ApiRecords;
  readonly #person = element("select", { id: "api-person" });
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
  readonly #parameters = element("div", {});
  readonly #about = element("p", { class: "dim" });
  readonly #answer = element("div", { "aria-live": "polite" });
  #document: ApiDocument | null = null;
  #headers: () => ApiRequest["headers"] = () => [];

  constructor(ask: AskApi) {
    this.#ask = ask;
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
      field("As", this.#person),
      field("Operation", this.#operation),
      this.#about,
      line,
      this.#parameters,
      this.#bodyField,
    );
    show(this.element, form, this.#answer);
  }

  showPeople(people: Status["people"]): void {
    const chosen = this.#person.value;
    const known = [...people.map(({ name }) => name), NOBODY];
    if (known.length - 1 === this.#person.options.length - 1 && known.includes(chosen)) return;
    show(
      this.#person,
      ...people.map(({ name, about }) => element("option", { value: name }, `${name}: ${about}`)),
      element("option", { value: NOBODY }, "nobody, without a token"),
    );
    this.#person.value = known.includes(chosen) && chosen !== NOBODY ? chosen : known[0] ?? NOBODY;
  }

  /** Null: the API publishes none; requests are written by hand. */
  showDocument(document: ApiDocument | null): void {
    const chosen = this.#operation.value;
    this.#document = document;
    const groups = Map.groupBy(document?.operations ?? [], ({ tag }) => tag);
    show(this.#operation, ...[...groups].map(([tag, operations]) => groupOf(tag, operations)));
    this.#operation.disabled = document === null;
    const isKnown = document?.operations.some(({ id }) => id === chosen) ?? false;
    if (isKnown) this.#operation.value = chosen;
    else void this.#choose();
  }

  /** Chooses the operation, as if somebody had. */
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
    const parameters = parametersView(operation.parameters, (name) => this.#addToQuery(name));
    this.#headers = parameters.headers;
    show(this.#parameters, parameters.element);
    this.#body.value = "";
    this.#showBody();
    show(this.#answer);
    await this.#prefill(operation, operations);
  }

  /** With ids of records that exist; as the demo's first person, so that others can be shown what they may not have. */
  async #prefill(operation: Operation, operations: readonly Operation[]): Promise<void> {
    const person = this.#person.options[0]?.value || null;
    try {
      const path = await this.#records.pathOf(operation, person);
      const body = operation.bodyExample === undefined
        ? ""
        : await this.#records.bodyOf(operation, { operations, person });
      if (this.#operation.value !== operation.id) return;
      this.#path.value = path;
      this.#body.value = body;
      this.#showBody();
      this.#body.rows = Math.min(Math.max(body.split("\n").length, 3), 14);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Disconnected)) throw error;
      // The API is not there at the moment: the examples stay as they are.
      if (operation.bodyExample !== undefined) {
        this.#body.value = JSON.stringify(operation.bodyExample, null, 2);
      }
    }
  }

  #addToQuery(name: string): void {
    const { value } = this.#path;
    this.#path.value = `${value}${value.includes("?") ? "&" : "?"}${encodeURIComponent(name)}=`;
    this.#path.focus();
  }

  /** Few deletions take one. */
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
      show(this.#answer, answerView(answer, request.method));
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
      as: this.#person.value === NOBODY ? null : this.#person.value,
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

function field(label: string, control: HTMLSelectElement): HTMLElement {
  return element(
    "div",
    { class: "field inline" },
    element("label", { for: control.id }, label),
    control,
  );
}

function groupOf(tag: string, operations: readonly Operation[]): HTMLElement {
  const options = operations.map(({ id, method, path, summary }) =>
    element("option", { value: id, title: `${method} ${path}` }, `${summary} · ${method}`)
  );
  return element("optgroup", { label: tag }, ...options);
}

/** Parameters of a request beside its path: names to add to the query, and fields for headers. */
interface ParametersView {
  /** Null where there are none. */
  readonly element: HTMLElement | null;
  /** Those that somebody filled in. */
  readonly headers: () => ApiRequest["headers"];
}

function parametersView(
  parameters: readonly Parameter[],
  addToQuery: (name: string) => void,
): ParametersView {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const inputs = parameters.filter((parameter) => parameter.in === "header").map((parameter) => ({
    parameter,
    input: element("input", { id: `header-${parameter.name}`, class: "mono", autocomplete: "off" }),
  }));
  const count = query.length + inputs.length;
  return {
    element: count === 0 ? null : element(
      "details",
      { class: "parameters" },
      element("summary", {}, count === 1 ? "1 parameter" : `${count} parameters`),
      ...inputs.map(({ parameter, input }) =>
        element(
          "div",
          { class: "field" },
          element("label", { for: input.id, title: parameter.description }, parameter.name),
          input,
        )
      ),
      element(
        "div",
        { class: "names" },
        ...query.map(({ name, description }) =>
          button(name, () => addToQuery(name), { class: "name", title: description })
        ),
      ),
    ),
    headers: () =>
      inputs.filter(({ input }) => input.value !== "").map(({ parameter, input }) => [
        parameter.name,
        input.value,
      ]),
  };
}

/** Ids of records that exist, so that a request is prefilled with one that means something. */
const PAGE = z.object({ data: z.array(z.object({ id: z.union([z.string(), z.number()]) })) });
const RECORD = z.object({ id: z.union([z.string(), z.number()]) });

/** `/api/v1/tickets/{id}` and what follows. */
const OF_RECORD = /^(.+?)\/\{id\}/;

class ApiRecords {
  readonly #ask: AskApi;
  /** By the path of their collection. */
  readonly #ids = new Map<string, string>();

  constructor(ask: AskApi) {
    this.#ask = ask;
  }

  /** Remembers an id from an answer, for requests to its collection. */
  note(path: string, { status, body }: ApiAnswer): void {
    const collection = path.split("?")[0] ?? path;
    const value = parsedJson(body);
    const listed = status === 200 ? PAGE.safeParse(value).data?.data[0]?.id : undefined;
    const made = status === 201 ? RECORD.safeParse(value).data?.id : undefined;
    const id = made ?? listed;
    if (id !== undefined) this.#ids.set(collection, String(id));
  }

  /** The operation's path with the id of a record, where there is one. */
  async pathOf({ path }: Operation, person: string | null): Promise<string> {
    const collection = OF_RECORD.exec(path)?.[1];
    const id = collection === undefined ? null : await this.#idIn(collection, person);
    return id === null ? path : path.replace("{id}", encodeURIComponent(id));
  }

  /** The example with ids of records in place of made-up ones, as far as an example's id belongs to one collection only. */
  async bodyOf(
    { bodyExample }: Operation,
    { operations, person }: {
      readonly operations: readonly Operation[];
      readonly person: string | null;
    },
  ): Promise<string> {
    let text = JSON.stringify(bodyExample, null, 2);
    for (const [example, collection] of collectionsByExample(operations)) {
      if (!text.includes(JSON.stringify(example))) continue;
      const id = await this.#idIn(collection, person);
      if (id !== null) text = text.replaceAll(JSON.stringify(example), JSON.stringify(id));
    }
    return text;
  }

  async #idIn(collection: string, person: string | null): Promise<string | null> {
    const known = this.#ids.get(collection);
    if (known !== undefined) return known;
    const path = `${collection}?limit=1`;
    this.note(
      path,
      await this.#ask({ as: person, method: "GET", path, headers: [], body: null }),
    );
    return this.#ids.get(collection) ?? null;
  }
}

function collectionsByExample(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { path, parameters } of operations) {
    const collection = OF_RECORD.exec(path)?.[1];
    const example = parameters.find(({ name }) => name === "id")?.example;
    if (collection === undefined || typeof example !== "string") continue;
    found.set(example, (found.get(example) ?? new Set()).add(collection));
  }
  return new Map(
    [...found].flatMap(([example, collections]) =>
      collections.size === 1 ? [...collections].map((one) => [example, one] as const) : []
    ),
  );
}
