/** Offers the request as code to copy: a shell command, and a call of the typed client where the client has one. */
import type { ApiRequest, Table } from "../protocol.ts";
import { button, element, show } from "./dom.ts";
import { clientText, curlText } from "./request_code.ts";

export class CodeCopies {
  readonly element = element("div", { class: "copies" });
  readonly #said = element("span", { class: "dim", role: "status" });
  /** Renders both copies. `place` has the API's address and its tables. */
  place: { readonly origin: string; readonly tables: readonly Table[] } = {
    origin: "",
    tables: [],
  };

  constructor(request: () => ApiRequest) {
    const copy = async (text: string | null) => {
      await navigator.clipboard.writeText(text ?? "");
      this.#said.textContent = text === null ? "The client has no call for it" : `Copied: ${text}`;
    };
    show(
      this.element,
      button("Copy as curl", () => void copy(curlText(request(), this.place.origin)), {
        class: "quiet",
      }),
      button("Copy as client code", () => void copy(clientText(request(), this.place.tables)), {
        class: "quiet",
      }),
      this.#said,
    );
  }
}
