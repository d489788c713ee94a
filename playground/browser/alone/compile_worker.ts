/**
 * Runs the compiler in a worker of the page: produces the event stream of the build service, and outputs for the API of the
 * tab.
 */
import "../without_eval.ts";
import { expose, proxy } from "comlink";
import {
  compile,
  editorTypes,
  type Following,
  planFollowing,
  type ProjectModel,
  SyntaxTrees,
  validate,
} from "../../../shared/compiler/mod.ts";
import { createCompileService } from "../../compile_service.ts";
import { hostOf, type HostText } from "./host_text.ts";

type Texts = Readonly<Record<string, string>>;

/** Outcome of a compile for the API of the tab. Null: the definitions have mistakes, which the stream has reported. */
export interface TabCompile {
  readonly model: ProjectModel;
  readonly files: Texts;
}

class TabCompiler {
  readonly #host: ReturnType<typeof hostOf>;
  readonly #service: (request: Request) => Promise<Response>;
  readonly #trees = new SyntaxTrees();

  constructor(host: HostText) {
    // The tab's SQLite is built without FTS5.
    this.#host = { ...hostOf(host), lacksFullText: true };
    const log = ({ message, error }: { readonly message: string; readonly error?: unknown }) =>
      console.error(message, error);
    this.#service = createCompileService(this.#host, log);
  }

  /** Yields the event stream of a compile, piece by piece. */
  async stream(
    { search, headers, body }: {
      readonly search: string;
      readonly headers: readonly [string, string][];
      readonly body: string;
    },
    onText: (text: string) => Promise<void>,
  ): Promise<number> {
    const request = new Request(`http://tab.invalid/compile${search}`, {
      method: "POST",
      headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
      body,
    });
    const answer = await this.#service(request);
    const decoder = new TextDecoder();
    const reader = answer.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return answer.status;
      await onText(decoder.decode(piece.value, { stream: true }));
    }
  }

  build(files: Texts): TabCompile | null {
    const request = { readsSchemas: true, vendor: true, beginsEmpty: true };
    const result = compile(files, this.#host, { ...request, trees: this.#trees });
    if (!result.ok) return null;
    const texts = result.files.map(({ path, content }) => [path, content]);
    return { model: result.model, files: Object.fromEntries(texts) };
  }

  /** Returns how the tab's database gets from the schema of a snapshot to the schema of the model. */
  following(model: ProjectModel, reached: string | null): Following {
    return planFollowing(model, reached);
  }

  /** Returns the types that `quickback types` would write; null if the definitions have mistakes. */
  declarations(files: Texts): Texts | null {
    const result = validate(files, undefined, { readsSchemas: true, beginsEmpty: true });
    if (!result.ok) return null;
    const made = editorTypes(result).map(({ path, content }) => [`.quickback/${path}`, content]);
    return Object.fromEntries(made);
  }
}

async function load(address: string) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  const host: HostText = await answer.json();
  return proxy(new TabCompiler(host));
}

export type { TabCompiler };
export type CompileWorker = { readonly load: typeof load };

expose({ load });
