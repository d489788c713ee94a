/** The tabs that show the running API: both follow what it publishes. */
import type { Status } from "../protocol.ts";
import type { AskApi } from "./api_client.ts";
import { type ApiDocument, readApiDocument } from "./api_document.ts";
import { ApiPanel } from "./api_panel.ts";
import { DocsPanel } from "./docs_panel.ts";

export class ApiView {
  readonly panel: ApiPanel;
  readonly docs: DocsPanel;
  readonly #ask: AskApi;
  /** Text that the last description was read from. */
  #text = "";

  constructor(ask: AskApi, openApiTab: () => void) {
    this.#ask = ask;
    this.panel = new ApiPanel(ask);
    this.docs = new DocsPanel((id) => {
      openApiTab();
      this.panel.open(id);
    });
  }

  /** Reads the description again when a new API serves. */
  async follow({ phase, api, people }: Status): Promise<void> {
    this.panel.showPeople(people);
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
