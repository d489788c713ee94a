/** Parameters of a request beside its path: names to add to the query, and fields for headers. */
import type { ApiRequest } from "../protocol.ts";
import type { Parameter } from "./api_document.ts";
import { button, element } from "./dom.ts";

interface ParametersView {
  /** Null where there are none. */
  readonly element: HTMLElement | null;
  /** Those that somebody filled in. */
  readonly headers: () => ApiRequest["headers"];
}

export function parametersView(
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
