/** Files move to where they stand here, and imports between them follow (definitions 1). */
import { assertEquals, assertThrows } from "@std/assert";
import { DraftError } from "../../../cli/adopt/foreign_schema.ts";
import { moveOlderLayout } from "../../../cli/adopt/older_layout.ts";

Deno.test("imports follow files that move apart, in every form, and no other text changes", () => {
  const { files, moves } = moveOlderLayout({
    "quickback.config.ts": "export default {};\n",
    "definitions/features/jobPostings/jobPostings.ts":
      `import jobs from '../jobs';\nimport type { X } from "../../lib/x.ts";\n`,
    "definitions/features/jobPostings/handlers/close.ts":
      `import { jobPostings } from "../schema";\nimport table from "../jobPostings";\nimport { eq } from "drizzle-orm";\n`,
    "definitions/features/jobs.ts":
      `export * from "./jobPostings/jobPostings";\nconst late = () => import("../lib/x");\n// from "../lib/x"\n`,
    "definitions/lib/x.ts": "export type X = 1;\n",
    "quickback/lib/kept.ts": `import "./other";\nimport "../../definitions/lib/x";\n`,
    "quickback/notes.md": `from "../lib/x"`,
  });
  assertEquals(files, {
    "quickback/quickback.config.ts": "export default {};\n",
    "quickback/features/job-postings/job-postings.ts":
      `import jobs from '../jobs/jobs';\nimport type { X } from "../../lib/x.ts";\n`,
    "quickback/features/job-postings/handlers/close.ts":
      `import { jobPostings } from "../schema";\nimport table from "../job-postings";\nimport { eq } from "drizzle-orm";\n`,
    "quickback/features/jobs/jobs.ts":
      `export * from "../job-postings/job-postings";\nconst late = () => import("../../lib/x");\n// from "../lib/x"\n`,
    "quickback/lib/x.ts": "export type X = 1;\n",
    "quickback/lib/kept.ts": `import "./other";\nimport "./x";\n`,
    "quickback/notes.md": `from "../lib/x"`,
  });
  assertEquals(moves.length, 5);
  // What stands where it belongs stays.
  assertEquals(moveOlderLayout(files), { files, moves: [] });
});

Deno.test("two files for one place are refused by name", () => {
  const { message } = assertThrows(
    () =>
      moveOlderLayout({
        "quickback/features/jobPostings/a.ts": "",
        "quickback/features/job-postings/a.ts": "",
      }),
    DraftError,
  );
  assertEquals(
    message,
    "quickback/features/jobPostings/a.ts and quickback/features/job-postings/a.ts are both to be quickback/features/job-postings/a.ts: rename one of them",
  );
});
