/** Shows the statements that the database ran for a request, with their times. */
import type { ApiAnswer } from "../protocol.ts";
import { element } from "./dom.ts";

export function statementsView({ statements }: Pick<ApiAnswer, "statements">): HTMLElement | null {
  if (statements === null) return null;
  const time = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const count = statements.length === 1 ? "1 statement" : `${statements.length} statements`;
  return element(
    "details",
    { class: "statements" },
    element("summary", {}, `${count} of SQL, ${milliseconds(time)}`),
    element(
      "ol",
      {},
      ...statements.map(({ sql, args, rows, milliseconds: time }) =>
        element(
          "li",
          {},
          element("code", { class: "sql" }, sql),
          args.length === 0 ? null : element("p", { class: "mono dim" }, `? = ${args.join(", ")}`),
          element(
            "p",
            { class: "dim" },
            `${rows === 1 ? "1 row" : `${rows} rows`}, ${milliseconds(time)}`,
          ),
        )
      ),
    ),
  );
}

function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}
