/** The attachment of a note, asked as its callers ask: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const SAAS = new URL("../", import.meta.url);
const AUTHOR = { userId: "ada", organizationId: "org_1", roles: ["member"] };
const COLLEAGUE = { ...AUTHOR, userId: "mo" };

Deno.test("a note has one attachment, which its author alone reads", async () => {
  await using app = await createTestApp(SAAS);
  const author = app.as(AUTHOR);
  const { project } = await app.as({ ...AUTHOR, roles: ["admin"] }).seed({
    projects: [{ $as: "project", name: "Relaunch" }],
  });
  const note = await author.post("/api/v1/notes", { projectId: project?.id, body: "See the plan" });
  const path = `/api/v1/notes/${(await note.json()).id}/attachment`;
  const sent = await author.fetch(path, {
    method: "PUT",
    body: "%PDF-1.7 the plan",
    headers: {
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="plan.pdf"',
    },
  });
  const { attachment } = await sent.json();
  deepStrictEqual([sent.status, attachment.name, attachment.size], [200, "plan.pdf", 17]);
  strictEqual(await (await author.get(path)).text(), "%PDF-1.7 the plan");
  const hidden = await app.as(COLLEAGUE).get(path);
  // As if the note were not there.
  strictEqual(hidden.status, 404);
  strictEqual((await hidden.json()).code, "NOT_FOUND");
});

Deno.test("a note takes documents and images for an attachment, and nothing that a browser would run", async () => {
  await using app = await createTestApp(SAAS);
  const { project } = await app.as({ ...AUTHOR, roles: ["admin"] }).seed({
    projects: [{ $as: "project", name: "Relaunch" }],
  });
  const author = app.as(AUTHOR);
  const note = await author.post("/api/v1/notes", { projectId: project?.id, body: "See the plan" });
  const path = `/api/v1/notes/${(await note.json()).id}/attachment`;
  const sent = await author.fetch(path, {
    method: "PUT",
    body: "<script>alert(1)</script>",
    headers: { "content-type": "text/html" },
  });
  strictEqual(sent.status, 415);
  await sent.body?.cancel();
});
