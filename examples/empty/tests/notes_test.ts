/** The rules of notes, asked as their callers ask: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const EMPTY = new URL("../", import.meta.url);
const MEMBER = { userId: "ada", organizationId: "org_1", roles: ["member"] };
const STRANGER = { userId: "eve", organizationId: "org_2", roles: ["owner"] };

Deno.test("notes are read in their organization, and deleted by its admins", async () => {
  await using app = await createTestApp(EMPTY);
  const { tea } = await app.as(MEMBER).seed({ notes: [{ $as: "tea", title: "Tea" }] });
  const path = `/api/v1/notes/${tea?.id}`;
  const admin = app.as({ ...MEMBER, userId: "olga", roles: ["admin"] });
  const answers = [
    await app.get(path),
    await app.as(STRANGER).get(path),
    await app.as(MEMBER).patch(path, { title: "Green tea" }),
    await app.as(MEMBER).delete(path),
    await admin.delete(path),
  ];
  deepStrictEqual(answers.map(({ status }) => status), [401, 403, 200, 403, 200]);
  const { data } = await (await app.as(MEMBER).get("/api/v1/notes")).json();
  strictEqual(data.length, 0);
});
