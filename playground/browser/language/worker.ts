/** The worker of the language service: loads the library of declarations once, and hands the page a service on it. */
import { expose, proxy } from "comlink";
import { PATHS } from "../../paths.ts";
import { Language } from "./language.ts";

async function load() {
  const answer = await fetch(PATHS.library);
  if (!answer.ok) throw new Error(`${PATHS.library} answers ${answer.status}`);
  return proxy(new Language(await answer.json()));
}

export type LanguageWorker = { readonly load: typeof load };

expose({ load });
