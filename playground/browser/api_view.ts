/** Tabs that show the running API: both follow the description that it publishes. */
import type { Status } from "../protocol.ts";
import { type ApiDocument, type AskApi, type Operation, readApiDocument } from "./api_document.ts";
import { ApiPanel } from "./api_panel.ts";
import { button, coded, element, show } from "./dom.ts";
import type { DataClient } from "./data_page.ts";

export class ApiView {
  readonly panel: ApiPanel;
  readonly docs: DocsPanel;
  readonly #ask: AskApi;
  /** Text of the last description. */
  #text = "";

  constructor(client: DataClient, openApiTab: () => void) {
    this.#ask = client.ask;
    this.panel = new ApiPanel(client);
    this.docs = new DocsPanel((id) => {
      openApiTab();
      this.panel.open(id);
    });
  }

  /** Reads the description again when a new API serves. */
  async follow(status: Status): Promise<void> {
    const { phase, api, people } = status;
    this.panel.follow(status);
    if (phase !== "serving" || api === null) return;
    const document = api.openapi === null ? "" : await this.#description(api.openapi, people);
    if (document === this.#text && document !== "") return;
    this.#text = document;
    const read: ApiDocument | null = readApiDocument(document);
    this.panel.showDocument(read);
    this.docs.show(read, api);
  }

  async #description(path: string, people: Status["people"]): Promise<string> {
    const as = people[0]?.name ?? null;
    const { status, body } = await this.#ask({ as, method: "GET", path, headers: [], body: null });
    return status === 200 ? body : "";
  }
}

/** Shows the API in words, from its own description: its operations, who may call them, and their answers. */
class DocsPanel {
  readonly element = element("section", { class: "panel docs-panel" });
  readonly #tryIt: (operationId: string) => void;

  constructor(tryIt: (operationId: string) => void) {
    this.#tryIt = tryIt;
    show(this.element, element("p", { class: "dim" }, "Nothing serves yet"));
  }

  show(document: ApiDocument | null, api: Status["api"]): void {
    if (api === null) return;
    const { origin, docs, openapi } = api;
    const link = (path: string | null, text: string) =>
      path === null ? null : element(
        "a",
        { class: "link", href: origin + path, target: "_blank", rel: "noreferrer" },
        text,
      );
    show(
      this.element,
      element(
        "p",
        { class: "docs-links" },
        link(docs, "Documentation browser"),
        link(openapi, "openapi.json"),
        link("/llms.txt", "llms.txt"),
      ),
      document === null
        ? element("p", { class: "dim" }, "This API publishes no description (openapi.publish)")
        : this.#document(document),
    );
  }

  #document({ title, version, description, tags, operations }: ApiDocument): HTMLElement {
    const byTag = Map.groupBy(operations, ({ tag }) => tag);
    return element(
      "div",
      { class: "docs" },
      element("h2", {}, title, element("span", { class: "dim" }, ` ${version}`)),
      element("p", {}, ...coded(description)),
      ...tags.map(({ name, description: about }) =>
        element(
          "section",
          { class: "docs-group" },
          element("h3", {}, name),
          element("p", { class: "dim" }, ...coded(about)),
          ...(byTag.get(name) ?? []).map((operation) => this.#operation(operation)),
        )
      ),
    );
  }

  #operation({ id, method, path, summary, description, answers }: Operation): HTMLElement {
    return element(
      "details",
      { class: "docs-operation" },
      element(
        "summary",
        {},
        element("span", { class: `verb ${method.toLowerCase()}` }, method),
        element("span", { class: "mono" }, path),
      ),
      element("p", {}, element("strong", {}, summary)),
      element("p", {}, ...coded(description)),
      element(
        "dl",
        { class: "answers" },
        ...answers.flatMap(([status, meaning]) => [
          element("dt", {}, status),
          element("dd", {}, ...coded(meaning)),
        ]),
      ),
      button("Try it", () => this.#tryIt(id), { class: "quiet" }),
    );
  }
}
