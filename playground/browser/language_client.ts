/** Connects the page with the language service: starts its worker, sends it the project, and calls it. */
import { type Remote, wrap } from "comlink";
import { PATHS } from "../paths.ts";
import type { Language } from "./language/language.ts";
import type { LanguageWorker } from "./language/worker.ts";
import { workerAddress } from "./worker_address.ts";

type Texts = Readonly<Record<string, string>>;

export class LanguageClient {
  #language: Remote<Language> | null = null;
  #definitions: Texts = {};
  #declarations: Texts = {};

  /** Returns the service; null until it is loaded. */
  get language(): Remote<Language> | null {
    return this.#language;
  }

  /** Resolves when the service is ready. Rejects if it cannot start, for example for lack of memory. */
  async load(): Promise<void> {
    const worker = new Worker(workerAddress(PATHS.languageWorker), { type: "module" });
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error(`The language service cannot be loaded: ${event.message}`));
      });
    });
    // Comlink returns the class as a remote object with the same methods.
    const { load } = wrap<LanguageWorker>(worker);
    const language = await Promise.race([load(), failed]);
    await language.setDefinitions(this.#definitions);
    await language.setDeclarations(this.#declarations);
    this.#language = language;
  }

  /** Sends all definitions with their edited texts. */
  setDefinitions(files: Texts): void {
    this.#definitions = files;
    void this.#language?.setDefinitions(files);
  }

  setDeclarations(files: Texts): void {
    this.#declarations = files;
    void this.#language?.setDeclarations(files);
  }

  edit(path: string, text: string): void {
    this.#definitions = { ...this.#definitions, [path]: text };
    void this.#language?.edit(path, text);
  }
}
