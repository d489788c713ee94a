/** Papers with files that code puts and reads: an action that makes one, a job, and a table of owners beside it. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const ROLES = '{ roles: ["member", "admin"] }';

export const REPORTS: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "reports" };\n',
  "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: {
    organizationId: q.scope("organization"), title: q.text().required(),
    scan: q.file({ maxSize: 20, types: ["text/plain", "image/png"] }), copy: q.file(),
    extras: q.file({ multiple: true, maxItems: 2 }),
  },
  guards: { createable: ["title"], updatable: ["title", "scan"] },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
  update: { access: ${ROLES} },
  delete: { access: ${ROLES}, mode: "soft" },
});
`,
  "quickback/features/faces/faces.ts": `import { feature, q } from "quickback";
export default feature("faces", {
  columns: { ownerId: q.scope("owner"), face: q.file() },
  guards: { createable: ["face"], updatable: ["face"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
});
`,
  "quickback/features/papers/actions/write.ts": `import { defineAction, z } from "quickback";
import { eq } from "drizzle-orm";
import papers from "../papers";
import faces from "../../faces/faces";
export default defineAction({
  description: "Writes a file into the paper",
  input: z.object({
    text: z.string(), type: z.string().default("text/plain"), name: z.string().default("a/b.txt"),
    table: z.enum(["papers", "faces"]).optional(), into: z.enum(["scan", "copy", "face", "extras"]).default("scan"),
    value: z.any().optional(), fails: z.boolean().default(false), times: z.int().default(1), many: z.boolean().default(false),
  }),
  access: ${ROLES},
  async execute({ db, files, jobs, record, input }) {
    const { text, type, name, table, into, value, fails, times, many } = input;
    const bytes = new TextEncoder().encode(text.repeat(times));
    const body = many ? ReadableStream.from([bytes.slice(0, 2), bytes.slice(2)]) : bytes;
    const put = value ?? await files.put(body, table ? { name, type, table } : { name, type });
    if (into === "face") await db.insert(faces).values({ face: put });
    else if (into === "extras") {
      const extras = value === undefined ? [put] : value;
      await db.update(papers).set({ extras }).where(eq(papers.id, record.id));
      return { put };
    }
    else await db.update(papers).set({ [into]: put }).where(eq(papers.id, record.id));
    const { stream } = await files.get(put);
    if (fails) throw new Error("No");
    const read = await new Response(stream).text();
    return times === 1 ? { put, read } : { put };
  },
});
`,
  "quickback/features/papers/actions/look.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Reads whatever file it is given",
  path: "/papers/look",
  input: z.object({ value: z.any() }),
  access: ${ROLES},
  async execute({ files, input: { value } }) {
    const { stream, ...rest } = await files.get(value);
    const url = await files.url(value, { expiresIn: 60 });
    return { ...rest, text: await new Response(stream).text(), url };
  },
});
`,
  "quickback/features/papers/actions/reread.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Reads the paper's own file",
  input: z.object({}),
  access: ${ROLES},
  async execute({ files, record }) {
    const { stream } = await files.get(record.scan);
    return { text: await new Response(stream).text() };
  },
});
`,
  "quickback/features/papers/actions/later.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Copies the scan, later",
  input: z.object({}),
  access: ${ROLES},
  async execute({ jobs, record }) {
    return { job: await jobs.copy.enqueue({ id: record.id }) };
  },
});
`,
  "quickback/jobs/copy.ts": `import { defineJob, z } from "quickback";
import { eq } from "drizzle-orm";
import papers from "../features/papers/papers";
export default defineJob({
  input: z.object({ id: z.string() }),
  async run({ db, files, input: { id } }) {
    const [paper] = await db.select().from(papers).where(eq(papers.id, id));
    const { stream, name, type } = await files.get(paper.scan);
    const copy = await files.put(stream, { name: "copy of " + name, type, table: "papers" });
    await db.update(papers).set({ copy }).where(eq(papers.id, id));
  },
});
`,
};
