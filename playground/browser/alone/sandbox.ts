/** Frame in which a project's code runs: it has its own origin, no network access, and a worker inside it. */
import { expose, type Remote, wrap } from "comlink";
import { CryptoHost } from "./crypto_host.ts";
import type { SandboxedApi } from "./sandboxed_api.ts";

/** Frame that ends with `close`. A new frame keeps no state of an earlier one. */
export interface Sandbox {
  readonly api: Remote<SandboxedApi>;
  close(): void;
}

export async function openSandbox(frame: string, script: string): Promise<Sandbox> {
  const answer = await fetch(script);
  if (!answer.ok) throw new Error(`${script} answers ${answer.status}`);
  const text = await answer.text();
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.hidden = true;
  element.title = "The project's API";
  element.src = frame;
  const loaded = new Promise((resolve) =>
    element.addEventListener("load", resolve, { once: true })
  );
  document.body.append(element);
  await loaded;
  const { port1, port2 } = new MessageChannel();
  const cryptography = new MessageChannel();
  expose(new CryptoHost(), cryptography.port1);
  // The frame has an opaque origin, which no target origin can match.
  element.contentWindow?.postMessage({ text }, "*", [port2, cryptography.port2]);
  return { api: wrap<SandboxedApi>(port1), close: () => element.remove() };
}
