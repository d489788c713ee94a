/** People whose name was one column and becomes another, in three compiles, with data steps between them. */
import { dirname, join } from "node:path";
import { assert } from "@std/assert";
import {
  type Compilation,
  compile,
  type CompileRequest,
  type RawFiles,
} from "../../shared/compiler/mod.ts";
import { BARE_HOST } from "./sample_files.ts";

export const STEPS = "quickback/migrations/";
export const FEATURES = "quickback/drizzle/features/";

const PEOPLE = "quickback/features/people/people.ts";

/** `columns` of `people` beside its own; `rest` of the configuration. */
export function people(columns: string, files: RawFiles = {}, rest = ""): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineDatabase } from "quickback";
export default { name: "people", compiler: { migrations: { allowDestructive: true } }${rest} };\n`,
    [PEOPLE]: `import { feature, q } from "quickback";
export default feature("people", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: { createable: [] },
});
`,
    "quickback/features/days/days.ts": `import { feature, q } from "quickback";
export default feature("days", {
  columns: { day: q.text() },
  firewall: { exception: true },
  guards: { createable: [] },
});
`,
    ...files,
  };
}

/** An output's files, and with `next` those of the compile after it. */
export class Output {
  readonly files = new Map<string, string>();

  /** The compile of these definitions over the migrations so far; kept when it succeeds. */
  next(definitions: RawFiles, request: CompileRequest = {}): Compilation {
    const state = [...this.files].filter(([path]) => path.startsWith(`${FEATURES}meta/`));
    const result = compile({ ...definitions, ...Object.fromEntries(state) }, BARE_HOST, request);
    if (result.ok) { for (const { path, content } of result.files) this.files.set(path, content); }
    return result;
  }

  /** `next`, which must succeed. */
  made(definitions: RawFiles): this {
    const result = this.next(definitions);
    assert(result.ok, result.ok ? "" : JSON.stringify(result.errors, null, 1));
    return this;
  }

  /** Writes the migrations below the folder; returns the folder of `readMigrations`. */
  async write(folder: string): Promise<string> {
    for (const [path, text] of this.files) {
      if (!path.startsWith(FEATURES)) continue;
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    return join(folder, FEATURES);
  }
}
