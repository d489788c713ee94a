/** How readers find books: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const LIBRARY = new URL("../", import.meta.url);
const LIBRARIAN = { userId: "lea", organizationId: "org_town", roles: ["librarian"] };
const READER = { userId: "ron", organizationId: "org_town", roles: ["reader"] };
const STRANGER = { userId: "eve", organizationId: "org_city", roles: ["librarian"] };

const BOOKS = [
  { title: "Anna Karenina", author: "Leo Tolstoy", remarks: "stained", fine: "1.5" },
  { title: "Tolstoy: a life", author: "Rosamund Bartlett", summary: "The life of Leo Tolstoy." },
  { title: "À la recherche du temps perdu", author: "Marcel Proust" },
];

type App = Awaited<ReturnType<typeof createTestApp>>;

async function titles(app: App, who: typeof READER, search: string): Promise<unknown> {
  const query = new URLSearchParams({ search });
  const answer = await app.as(who).get(`/api/v1/books?${query}`);
  const { data } = await answer.json();
  return data.map(({ title }: { readonly title: string }) => title);
}

Deno.test("readers find a book by the beginnings of words, the best match first", async () => {
  await using app = await createTestApp(LIBRARY);
  for (const book of BOOKS) {
    const made = await app.as(LIBRARIAN).post("/api/v1/books", book);
    strictEqual(made.status, 201);
    await made.body?.cancel();
  }
  const found = ["tolst anna", "tolstoy", "A LA RECH", "stained", "karenina proust"];
  deepStrictEqual(await Promise.all(found.map((search) => titles(app, READER, search))), [
    ["Anna Karenina"],
    ["Tolstoy: a life", "Anna Karenina"],
    ["À la recherche du temps perdu"],
    [],
    [],
  ]);
  deepStrictEqual(await titles(app, LIBRARIAN, "stained"), []);
  deepStrictEqual(await titles(app, STRANGER, "tolstoy"), []);
  const fines = await app.as(READER).get("/api/v1/books/views/fines?sort=author&limit=1");
  const { data } = await fines.json();
  deepStrictEqual(data, [{ author: "Leo Tolstoy", books: 1, mean: "1.50" }]);
});

Deno.test("every library has the same subjects, from the data step on", async () => {
  await using app = await createTestApp(LIBRARY);
  const answer = await app.as(READER).get("/api/v1/subjects?limit=2&total=true");
  const { data, pagination } = await answer.json();
  deepStrictEqual(data.map(({ code }: { readonly code: string }) => code), ["000", "100"]);
  strictEqual(pagination.total, 10);
  const book = { title: "Emma", author: "Jane Austen", subjectId: "subject-800" };
  const made = await app.as(LIBRARIAN).post("/api/v1/books", book);
  const read = await app.as(READER).get(`/api/v1/books/${(await made.json()).id}`);
  const { subject_label: label } = await read.json();
  deepStrictEqual([made.status, label], [201, "Literature"]);
});

Deno.test("librarians add pictures of a book one by one, which readers see", async () => {
  await using app = await createTestApp(LIBRARY);
  const [librarian, reader] = [app.as(LIBRARIAN), app.as(READER)];
  const book = await librarian.post("/api/v1/books", { title: "Emma", author: "Jane Austen" });
  const path = `/api/v1/books/${(await book.json()).id}/pictures`;
  const picture = (name: string) => ({
    method: "POST",
    body: Uint8Array.from([0xff, 0xd8, 0xff, name.length]),
    headers: {
      "content-type": "image/jpeg",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
  const cover = await librarian.fetch(path, picture("cover.jpg"));
  const spine = await librarian.fetch(path, picture("spine.jpg"));
  await cover.body?.cancel();
  const { pictures: [first, second] } = await spine.json();
  deepStrictEqual([spine.status, first.name, second.name], [201, "cover.jpg", "spine.jpg"]);
  const shown = await reader.get(`${path}/${second.id}`);
  deepStrictEqual([shown.status, (await shown.bytes()).length], [200, 4]);
  // Whoever has the address needs nothing else.
  const address = await reader.post(`${path}/presign`, { method: "GET", id: second.id });
  const { pathname } = new URL((await address.json()).url);
  const fetched = await app.as(STRANGER).get(pathname);
  deepStrictEqual([fetched.status, (await fetched.bytes()).length], [200, 4]);
  const refused = await reader.fetch(`${path}/${first.id}`, { method: "DELETE" });
  deepStrictEqual([refused.status, (await refused.json()).code], [403, "ACCESS_ROLE_REQUIRED"]);
});
