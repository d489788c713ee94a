/**
 * The generated API in a tab: the runtime as it is, with ports of the tab. Runs in a worker of a sandboxed frame, without a
 * network and without the storage of the page; the page asks it over one channel, and it the page for
 * cryptography over another.
 */
import "./open_headers.ts";
import { expose, wrap } from "comlink";
import type { CryptoHost } from "../../playground/mod.ts";
import { installCrypto } from "./remote_crypto.ts";
import { TabApi } from "./tab_api.ts";

/** The first message brings the channels. */
globalThis.addEventListener("message", ({ ports: [questions, cryptography] }: MessageEvent) => {
  if (questions === undefined || cryptography === undefined) return;
  if (crypto.subtle === undefined) installCrypto(wrap<CryptoHost>(cryptography));
  expose(new TabApi(), questions);
}, { once: true });
