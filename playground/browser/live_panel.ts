/**
 * Shows the messages that the API sends on its own: change frames as a person receives them, and webhooks as the sink of `dev`
 * receives them.
 */
import { type Delivery, ROUTES, type Status } from "../protocol.ts";
import type { AskApi } from "./api_document.ts";
import { CallerSelect } from "./caller_select.ts";
import { type Connection, type Frame, refusalIn } from "./connection.ts";
import { button, element, show } from "./dom.ts";
import { parsedJson } from "../../shared/lib/json.ts";

const SHOWN_MAX = 100;

export class LivePanel {
  readonly element = element("section", { class: "panel live-panel" });
  readonly #connection: Connection;
  readonly #ask: AskApi;
  readonly #person = new CallerSelect("live-person");
  readonly #frames = element("ol", { class: "live-list", "aria-live": "polite" });
  readonly #deliveries = element("ol", { class: "live-list", "aria-live": "polite" });
  readonly #said = element("p", { class: "dim", role: "status" });
  readonly #listen = button("Listen", () => this.#toggle(), { class: "quiet" });
  readonly #events = element("div", { class: "live-part" });
  readonly #hooks = element("div", { class: "live-part" });
  #listening: AbortController | null = null;
  #newest = 0;
  #webhooks: Status["webhooks"] = null;

  constructor(connection: Connection, ask: AskApi) {
    this.#connection = connection;
    this.#ask = ask;
    show(
      this.element,
      element(
        "div",
        { class: "field inline" },
        element("label", { for: "live-person" }, "Hear as"),
        this.#person.element,
      ),
      this.#said,
      this.#events,
      this.#hooks,
    );
  }

  follow({ people, events, webhooks }: Status): void {
    this.#person.show(people);
    if (this.#events.childElementCount === 0 || this.#listening === null) this.#showEvents(events);
    this.#webhooks = webhooks;
    this.#showHooks();
  }

  receive(delivery: Delivery): void {
    if (delivery.number <= this.#newest) return;
    this.#newest = delivery.number;
    const type = delivery.headers.find(([name]) => name === "webhook-id")?.[1] ?? "";
    const event: unknown = Object(parsedJson(delivery.body))["type"];
    this.#add(
      this.#deliveries,
      `${String(event ?? "delivery")} · answered ${delivery.answered} · ${type}`,
      `${delivery.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${
        pretty(delivery.body)
      }`,
    );
  }

  #showEvents(events: string | null): void {
    show(
      this.#events,
      element("h3", {}, "Changes"),
      events === null
        ? element(
          "p",
          { class: "dim" },
          "The project has no realtime (realtime: { enabled: true })",
        )
        : element("p", { class: "dim" }, `GET ${events} `, this.#listen),
      this.#frames,
    );
  }

  #showHooks(): void {
    const { sink } = this.#webhooks ?? {};
    show(
      this.#hooks,
      element("h3", {}, "Webhooks"),
      sink === undefined
        ? element("p", { class: "dim" }, "The project sends none (webhooks: { outbound: true })")
        : element(
          "p",
          { class: "dim" },
          "The sink takes deliveries on this machine, without the internet: ",
          element("code", {}, sink),
          button("Register it", () => void this.#attempt(() => this.#register(sink)), {
            class: "quiet",
          }),
          button("Send a test", () => void this.#attempt(() => this.#test(sink)), {
            class: "quiet",
          }),
        ),
      this.#deliveries,
    );
  }

  #toggle(): void {
    if (this.#listening !== null) return this.#listening.abort();
    void this.#attempt(() => this.#follow());
  }

  /** Follows the stream until the user stops it, or the API ends it. */
  async #follow(): Promise<void> {
    const { signal } = this.#listening = new AbortController();
    const as = this.#person.name;
    this.#listen.textContent = "Stop";
    try {
      const frames = this.#connection.frames(ROUTES.frames, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ as }),
        signal,
      }, () => this.#said.textContent = `Listening as ${as ?? "nobody"}`);
      for await (const frame of frames) this.#showFrame(frame);
      this.#said.textContent = "The API ended the stream";
    } catch (error) {
      if (!signal.aborted) throw error;
      this.#said.textContent = "";
    } finally {
      this.#listening = null;
      this.#listen.textContent = "Listen";
    }
  }

  #showFrame({ event, data }: Frame): void {
    const { type, resource } = Object(data);
    const title = [type ?? event, resource].filter((word) => typeof word === "string").join(" · ");
    this.#add(this.#frames, title, JSON.stringify(data, null, 2));
  }

  #add(list: HTMLOListElement, title: string, text: string): void {
    const time = new Date().toLocaleTimeString();
    list.prepend(element(
      "li",
      {},
      element(
        "details",
        {},
        element("summary", {}, element("span", { class: "dim" }, `${time} `), title),
        element("pre", { class: "answer-body", tabindex: "0", "aria-label": title }, text),
      ),
    ));
    while (list.childElementCount > SHOWN_MAX) list.lastElementChild?.remove();
  }

  async #register(url: string): Promise<void> {
    const path = this.#webhooks?.endpoints ?? "";
    const body = JSON.stringify({ name: "playground", url, events: ["*"] });
    const { status, body: text } = await this.#post(path, body);
    this.#said.textContent = status === 201
      ? "Registered: what is emitted arrives below"
      : `Not registered: ${status} ${text.slice(0, 300)}`;
  }

  /** Sends a test delivery to the person's registered endpoint with that address. */
  async #test(url: string): Promise<void> {
    const path = this.#webhooks?.endpoints ?? "";
    const as = this.#person.name;
    const listed = await this.#ask({ as, method: "GET", path, headers: [], body: null });
    const { data }: { readonly data?: unknown } = Object(parsedJson(listed.body));
    const endpoint = Array.isArray(data) ? data.find((one) => Object(one).url === url) : undefined;
    if (endpoint === undefined) {
      this.#said.textContent = `${as ?? "nobody"} has not registered the sink`;
      return;
    }
    const { status, body } = await this.#post(`${path}/${Object(endpoint).id}/test`, "{}");
    this.#said.textContent = status < 300
      ? "A test is on its way"
      : `${status} ${body.slice(0, 300)}`;
  }

  #post(path: string, body: string) {
    const headers: [string, string][] = [["content-type", "application/json"]];
    return this.#ask({ as: this.#person.name, method: "POST", path, headers, body });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const refusal = await refusalIn(work);
    if (refusal !== null) this.#said.textContent = refusal;
  }
}

function pretty(body: string): string {
  const value = parsedJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}
