/** What a read answers is typed by what it asks for, and is what comes (contract 4.3). */
import { assert, assertEquals } from "@std/assert";
import { createClient } from "../../../library/client/mod.ts";
import { BASE_URL, tokenFor, withDefinitions } from "../../support/api.ts";
import { projectFiles } from "../../support/sample_files.ts";
import type { Api, NotesRecord } from "./notes_api.ts";

const NOTES = new URL("../../compiler/samples/notes/input/", import.meta.url);
const ANN = { sub: "ann", orgId: "org_a", roles: ["member", "admin"] };

type Client = ReturnType<typeof createClient<Api>>;

/** A client in whose notebook "Diary" two notes stand. */
async function withNotes(body: (client: Client, notebookId: string) => Promise<void>) {
  await withDefinitions(await projectFiles(NOTES), async (api) => {
    const client = createClient<Api>(BASE_URL, {
      token: await tokenFor(ANN),
      fetch(request) {
        request.headers.set("host", new URL(BASE_URL).host);
        return api.fetch(request, { clientIp: null });
      },
    });
    const { id: notebookId } = await client.resource("notebooks").create({ title: "Diary" });
    const records = ["Rain", "Sun"].map((text, rating) => ({ notebookId, body: text, rating }));
    await client.resource("notes").createBatch({ records });
    await body(client, notebookId);
  });
}

/** Compiles where both types are the same. */
function same<A, B>(..._proof: [A] extends [B] ? [B] extends [A] ? [] : [never] : [never]): void {}

Deno.test("a list answers the fields that it names, with their labels, and its type no others", () =>
  withNotes(async (client, notebookId) => {
    const { data } = await client.resource("notes").list({
      fields: ["body", "notebookId"],
      sort: ["body"],
    });
    assertEquals(data, [
      { body: "Rain", notebookId, notebook_label: "Diary" },
      { body: "Sun", notebookId, notebook_label: "Diary" },
    ]);
    same<typeof data[number], Pick<NotesRecord, "body" | "notebookId" | "notebook_label">>();
    // @ts-expect-error It was not asked for.
    assertEquals(data[0]?.rating, undefined);
  }));

Deno.test("included records are there when they are asked for, with the fields that are", () =>
  withNotes(async (client, notebookId) => {
    const notes = client.resource("notes");
    const { data, included } = await notes.list({
      include: ["notebookId"],
      "fields[notebookId]": ["id", "title"],
    });
    const notebook = included.notebookId[data[0]?.notebookId ?? ""];
    assertEquals(notebook, { id: notebookId, title: "Diary" });
    same<typeof notebook, { readonly id: string; readonly title: string } | undefined>();
    const [first] = data;
    assert(first);
    const read = await notes.get(first.id, { include: ["notebookId"], fields: ["notebookId"] });
    assertEquals(read.included.notebookId[notebookId]?.isArchived, false);
    assertEquals(read.notebook_label, "Diary");
    const plain = await notes.list({ limit: 1 });
    // @ts-expect-error It was not asked for.
    assertEquals(plain.included, undefined);
  }));

Deno.test("first() answers the first record of its query, and null where there is none", () =>
  withNotes(async (client) => {
    const notes = client.resource("notes");
    const note = await notes.first({ sort: ["-rating"], fields: ["body"] });
    assertEquals(note, { body: "Sun" });
    same<typeof note, { readonly body: string } | null>();
    assertEquals(await notes.first({ body: "Snow" }), null);
    assertEquals(
      (await notes.view("recent").first({ fields: ["body"], search: "Rain" }))?.body,
      "Rain",
    );
  }));

Deno.test("every walk through a list is narrowed alike", () =>
  withNotes(async (client) => {
    const bodies: string[] = [];
    for await (const { body } of client.resource("notes").all({ fields: ["body"], limit: 1 })) {
      bodies.push(body);
    }
    assertEquals(bodies.sort(), ["Rain", "Sun"]);
    for await (const { data } of client.resource("notes").pages({ fields: ["rating"], limit: 1 })) {
      same<typeof data[number], { readonly rating: number | null }>();
      assertEquals(Object.keys(data[0] ?? {}), ["rating"]);
    }
  }));

Deno.test("fields that are known at run time only may all be missing", () =>
  withNotes(async (client) => {
    const wanted: ("body" | "rating")[] = ["body"];
    const { data } = await client.resource("notes").list({ fields: wanted });
    same<typeof data[number], { readonly body?: string; readonly rating?: number | null }>();
    assertEquals(data.map((one) => one.rating), [undefined, undefined]);
  }));

Deno.test("what a query does not know is no query that compiles", () => {
  const notes = createClient<Api>(BASE_URL).resource("notes");
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error No such column.
    () => notes.list({ fields: ["bodi"] }),
    // @ts-expect-error No such parameter, beside one that there is.
    () => notes.list({ limit: 1, colour: "red" }),
    // @ts-expect-error Not a foreign key that may be included.
    () => notes.list({ include: ["ownerId"] }),
    // @ts-expect-error The target has no such column.
    () => notes.list({ include: ["notebookId"], "fields[notebookId]": ["body"] }),
    // @ts-expect-error A view has its own columns only.
    () => notes.view("recent").first({ fields: ["rating"] }),
    // @ts-expect-error A single record is not sorted.
    () => notes.get("id", { sort: ["body"] }),
  ];
  assertEquals(misuses.length, 6);
});
