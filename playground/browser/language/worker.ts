/** Worker of the language service: loads the library of declarations once, and returns a service on it to the page. */
import { expose, proxy } from "comlink";
import ts from "typescript";
import { PATHS } from "../../paths.ts";
import { Language } from "./language.ts";

async function load() {
  const answer = await fetch(PATHS.library);
  if (!answer.ok) throw new Error(`${PATHS.library} answers ${answer.status}`);
  return proxy(new Language(await answer.json()));
}

/** Compiles TypeScript files to JavaScript in CommonJS, one module at a time, by path. */
function transpiled(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      ts.transpileModule(text, { compilerOptions, fileName: path }).outputText,
    ]),
  );
}

export type LanguageWorker = { readonly load: typeof load; readonly transpiled: typeof transpiled };

expose({ load, transpiled });
