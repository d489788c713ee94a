/** A small project with a mask in every channel, as it is compiled, and with leaks planted in its own copy of the runtime. */
import { readBuiltHost } from "../../container/built_runtime.ts";
import { readCompileHost } from "../../container/host.ts";
import { compile, type CompileHost, type RawFiles } from "../../shared/compiler/mod.ts";
import { withSteadyFolder } from "./temp_folder.ts";

const CONFIG = `export default {
  name: "leaky",
  contract: { changeset: true },
  webhooks: { outbound: true },
  realtime: { enabled: true },
};
`;

const PEOPLE = `import { feature, q } from "quickback";
export default feature("people", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
    email: q.text().unique(),
    phone: q.text(),
    salary: q.int(),
    bonus: q.decimal({ precision: 8, scale: 2 }),
    note: q.text(),
    team: q.enum(["red", "blue"]),
    scan: q.file(),
    pages: q.file({ multiple: true }),
  },
  displayColumn: "name",
  search: { mode: "fullText", fields: ["note"] },
  masking: {
    name: { type: "name", show: { roles: ["auditor"] } },
    email: { type: "email", show: { roles: ["auditor"] } },
    phone: { type: "phone", show: { roles: ["auditor"], or: "owner" } },
    salary: { type: "redact", show: { roles: ["auditor"] } },
    bonus: { type: "redact", show: { roles: ["auditor"] } },
    scan: { type: "redact", show: { roles: ["auditor"] } },
    pages: { type: "redact", show: { roles: ["auditor"] } },
  },
  guards: {
    createable: ["name", "email", "phone", "salary", "bonus", "note", "team"],
    updatable: ["email", "phone", "salary", "bonus", "note", "team"],
  },
  read: {
    access: { roles: ["admin", "auditor"] },
    views: {
      costs: { fields: ["id", "team"], aggregations: { all: { fn: "sum", field: "salary" } } },
    },
  },
  create: { access: { roles: ["admin", "auditor"] } },
  update: { access: { roles: ["admin", "auditor"] } },
  realtime: true,
  audit: { access: { roles: ["admin", "auditor"] } },
});
`;

const CASES = `import { feature, q } from "quickback";
import people from "../people/people.ts";
export default feature("cases", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required().searchable(),
    verdict: q.text().searchable(),
    rank: q.int(),
    grade: q.enum(["low", "high"]),
    personId: q.text().references(() => people.id),
    reviewerId: q.text().references(() => people.id),
  },
  masking: {
    verdict: { type: "redact", show: { roles: ["auditor"] } },
    rank: { type: "redact", show: { roles: ["auditor"] } },
    grade: { type: "redact", show: { roles: ["auditor"] } },
    reviewerId: { type: "redact", show: { roles: ["auditor"] } },
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: {
    access: { roles: ["admin", "auditor"] },
    include: ["personId", "reviewerId"],
    views: {
      ranking: { fields: ["id", "title", "rank"], defaultSort: "-rank" },
      grades: { groupBy: ["grade"], aggregations: { all: { fn: "count" } } },
    },
  },
  update: { access: { roles: ["admin", "auditor"] } },
  delete: {
    access: { roles: ["admin", "auditor"] },
    restore: { access: { roles: ["admin", "auditor"] } },
  },
  audit: { access: { roles: ["admin", "auditor"] } },
  defaultSort: "-rank",
});
`;

/** Echoes what it was given, and says words that a hidden column may hold. */
const TELL = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Tell of a case",
  input: z.object({ text: z.string() }),
  access: { roles: ["admin", "auditor"] },
  execute: ({ record, input }) => ({ case: record, asked: input.text, words: ["low", "high"] }),
});
`;

const ANNOUNCE = `import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Announce a person",
  input: z.object({}),
  access: { roles: ["admin", "auditor"] },
  execute: async ({ record, env }) => {
    const to = { organizationId: record.organizationId };
    await emitWebhookEvent("person.announced", { id: record.id }, to, env);
    return { ok: true };
  },
});
`;

export function leakyProject(): RawFiles {
  return {
    "quickback/quickback.config.ts": CONFIG,
    "quickback/features/people/people.ts": PEOPLE,
    "quickback/features/people/actions/announce.ts": ANNOUNCE,
    "quickback/features/cases/cases.ts": CASES,
    "quickback/features/cases/actions/tell.ts": TELL,
  };
}

/** A change to the output: `find` must be there, once. */
export interface Patch {
  /** Below `src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export type OutputFiles = readonly { readonly path: string; readonly content: string }[];

/** With the runtime's sources, which patches change. */
export function compiledFiles(files: RawFiles): OutputFiles {
  return outputFiles(files, readCompileHost({ version: "0.0.0" }));
}

/** With the runtime's built modules, which take less time to load. */
export async function builtFiles(files: RawFiles): Promise<OutputFiles> {
  return outputFiles(files, await readBuiltHost());
}

function outputFiles(files: RawFiles, host: CompileHost): OutputFiles {
  const result = compile(files, host);
  if (!result.ok) throw new Error(JSON.stringify(result.errors, null, 2));
  return result.files;
}

export function patched(files: OutputFiles, patches: readonly Patch[]): OutputFiles {
  return patches.reduce((all, { file, find, replace }) => {
    const path = `src/${file}`;
    const text = all.find((one) => one.path === path)?.content ?? "";
    const places = text.split(find).length - 1;
    if (places !== 1) throw new Error(`"${find}" is ${places} times in ${file}`);
    return all.map((one) =>
      one.path === path ? { path, content: text.replace(find, () => replace) } : one
    );
  }, files);
}

/** On disk, for the length of one test. `name`: of this output alone, so that Deno has its modules from the run before. */
export function withOutput<T>(
  name: string,
  files: OutputFiles,
  body: (folder: string) => Promise<T>,
): Promise<T> {
  return withSteadyFolder(async (folder) => {
    for (const { path, content } of files) {
      const target = `${folder}/${path}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(target, content);
    }
    return await body(folder);
  }, name);
}
