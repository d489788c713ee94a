/** Head of the page: shows what `dev` does, and the API's address. */
import type { Status } from "../protocol.ts";
import { pageElement } from "./dom.ts";

export function showStatusLine({ phase, message, api }: Status): void {
  showStatusText(phase, message);
  const link = pageElement("api-link", HTMLAnchorElement);
  link.hidden = api === null;
  if (api === null) return;
  link.href = api.origin + (api.docs ?? "/health");
  link.textContent = new URL(api.origin).host;
}

export function showStatusText(phase: Status["phase"], text: string): void {
  const line = pageElement("status", HTMLElement);
  line.className = `status ${phase}`;
  line.textContent = text;
}
