/** Cards with files of bounded sizes, and stores in which they stand: what nothing refers to may be ten times a column's size. */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { folderStore, openFiles, readEnvironment, readForm } from "../../library/platform/mod.ts";
import { type FilePorts, type FileStore, filesWithAddresses } from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL } from "./api.ts";
import { bucketServer } from "./bucket_server.ts";
import { memoryFiles } from "./memory_files.ts";
import { withTempFolder } from "./temp_folder.ts";

/** Bytes of a file of `scan` and `pages`, at most. */
export const SIZE_MAX = 1000;

const ROLES = `{ access: { roles: ["member"] } }`;

export const CARDS: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "cards" };\n',
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(), title: q.text(),
    scan: q.file({ maxSize: ${SIZE_MAX} }), cover: q.file({ maxSize: 100 }),
    pages: q.file({ maxSize: ${SIZE_MAX}, multiple: true, maxItems: 5 }),
  },
  guards: { createable: ["title"], updatable: ["title", "scan", "cover", "pages"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
  delete: { ...${ROLES}, mode: "hard" },
});
`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { ownerId: q.scope("owner"), scan: q.file({ maxSize: ${SIZE_MAX} }) },
  guards: false,
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
});
`,
};

/** Kinds of stores, each opened for a body. */
export const STORES: Readonly<
  Record<string, (body: (store: FileStore) => Promise<void>) => Promise<void>>
> = {
  memory: (body) => body(memoryFiles(Date.now).store),
  folder: (body) => withTempFolder((folder) => body(folderStore(`${folder}/files`))),
  bucket: (body) =>
    withTempFolder(async (folder) => {
      await using server = await bucketServer(`${folder}/bucket`);
      const variables = { ...server.variables, PORT: "8000", AUTH_SECRET: "x".repeat(32) };
      const environment = await readEnvironment(new Map(Object.entries(variables)));
      await body((await openFiles(environment)).store);
    }),
};

/** Ports over a store as a process opens them that has just begun. */
export function freshPorts(store: FileStore, now: () => number): FilePorts {
  const settings = { baseUrl: BASE_URL, authSecret: AUTH_SECRET };
  return filesWithAddresses({ store, readForm, graceMs: 3_600_000 }, settings, { now });
}
