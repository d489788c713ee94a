/** The page's side of the language service: its worker, what it must know of the project, and questions to it. */
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

  /** Null until it is loaded. */
  get language(): Remote<Language> | null {
    return this.#language;
  }

  /** Resolves when it can be asked. What stands in the way, such as no space for the worker, rejects. */
  async load(): Promise<void> {
    const worker = new Worker(workerAddress(PATHS.languageWorker), { type: "module" });
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error(`The language service cannot be loaded: ${event.message}`));
      });
    });
    // Comlink hands the class over as a remote of the same methods.
    const { load } = wrap<LanguageWorker>(worker);
    const language = await Promise.race([load(), failed]);
    await language.setDefinitions(this.#definitions);
    await language.setDeclarations(this.#declarations);
    this.#language = language;
  }

  /** All definitions as they are edited. */
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
