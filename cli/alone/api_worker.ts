/**
 * Runs the generated API in a tab: the unchanged runtime, with ports of the tab. It runs in a worker of a sandboxed frame,
 * without a network and without the page's storage. The page calls it over one channel, and over another it calls the page for
 * cryptography.
 */
import "./open_headers.ts";
import { expose, wrap } from "comlink";
import type { CryptoHost } from "../../playground/mod.ts";
import { installCrypto } from "./remote_crypto.ts";
import { TabApi } from "./tab_api.ts";

/** The first message contains the channels. */
globalThis.addEventListener("message", ({ ports: [questions, cryptography] }: MessageEvent) => {
  if (questions === undefined || cryptography === undefined) return;
  if (crypto.subtle === undefined) installCrypto(wrap<CryptoHost>(cryptography));
  expose(new TabApi(), questions);
}, { once: true });
