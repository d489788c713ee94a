/** Starts the page with the token of its address, or shows where to find that address. */
import "./without_eval.ts";
import { App } from "./app.ts";
import { Connection, Refused, takeToken } from "./connection.ts";
import { pageElement } from "./dom.ts";

async function start(): Promise<void> {
  const token = takeToken();
  if (token === null) return explain("Open the address that dev printed: it ends in a token");
  try {
    await new App(new Connection(token)).start();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    explain(error.message);
  }
}

function explain(text: string): void {
  const notice = pageElement("notice", HTMLElement);
  notice.textContent = text;
  notice.hidden = false;
}

await start();
