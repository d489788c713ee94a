/** Lists the requests of this tab, newest first; the user can send one again. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import { API_REQUEST, type ApiRequest } from "../protocol.ts";
import { element, show } from "./dom.ts";

const KEPT = "playground-requests";
const KEPT_MAX = 50;

const ENTRIES = z.array(z.object({ request: API_REQUEST, status: z.number() }));
type Entry = z.infer<typeof ENTRIES>[number];

export class RequestHistory {
  readonly element = element("select", { id: "api-history", change: () => this.#choose() });
  readonly #onChoice: (request: ApiRequest) => void;
  #entries: readonly Entry[] = ENTRIES.safeParse(
    parsedJson(sessionStorage.getItem(KEPT) ?? "[]"),
  ).data ?? [];

  constructor(onChoice: (request: ApiRequest) => void) {
    this.#onChoice = onChoice;
    this.#draw();
  }

  add(request: ApiRequest, status: number): void {
    this.#entries = [{ request, status }, ...this.#entries].slice(0, KEPT_MAX);
    sessionStorage.setItem(KEPT, JSON.stringify(this.#entries));
    this.#draw();
  }

  #draw(): void {
    const count = this.#entries.length;
    show(
      this.element,
      element("option", { value: "" }, count === 0 ? "No requests yet" : `${count} sent before`),
      ...this.#entries.map(({ request: { as, method, path }, status }, at) =>
        element("option", { value: String(at) }, `${status} ${method} ${path} · ${as ?? "nobody"}`)
      ),
    );
    this.element.disabled = count === 0;
  }

  #choose(): void {
    const entry = this.#entries[Number(this.element.value || -1)];
    this.element.value = "";
    if (entry) this.#onChoice(entry.request);
  }
}
