/** The client's way to files of records (contract 4.7), on a page of another origin: bytes there and back, under the layers of their record. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, createClient } from "../../../library/client/mod.ts";
import { type ApiUnderTest, BASE_URL, tokenFor, withDefinitions } from "../../support/api.ts";
import { memoryFiles } from "../../support/memory_files.ts";
import { pageFetch } from "../../support/page_fetch.ts";
import { PAPERS } from "../../support/papers_project.ts";
import type { Api } from "./papers_api.ts";

const ANN = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOB = { sub: "bob", orgId: "org_b", roles: ["member"] };

const PAGE = "https://app.example.com";
const CONFIG = "quickback/quickback.config.ts";
const TRUSTING = {
  ...PAPERS,
  [CONFIG]: `${PAPERS[CONFIG]}`.replace("\n  name:", `\n  trustedOrigins: ["${PAGE}"],\n  name:`),
};

function withPapers(
  body: (papersOf: (claims: typeof ANN) => Promise<Papers>, sent: Request[]) => Promise<void>,
): Promise<void> {
  const sent: Request[] = [];
  return withDefinitions(TRUSTING, async (api) => {
    await body(async (claims) => {
      const token = await tokenFor(claims);
      const fetch = pageFetch(PAGE, (one) => answered(one, api, sent));
      return createClient<Api>(BASE_URL, { token, fetch }).resource("papers");
    }, sent);
  }, { files: memoryFiles(() => 0) });
}

type Papers = ReturnType<ReturnType<typeof createClient<Api>>["resource"]>;

function answered(request: Request, api: ApiUnderTest, sent: Request[]): Promise<Response> {
  request.headers.set("host", new URL(BASE_URL).host);
  if (request.method !== "OPTIONS") sent.push(request);
  return api.fetch(request, { clientIp: null });
}

async function refusedBy(call: () => Promise<unknown>): Promise<readonly [number, string]> {
  const error = await assertRejects(call, ApiError);
  assert(error instanceof ApiError);
  return [error.status, error.code];
}

Deno.test("a client sends a file, reads it whole and in part, and clears it", async () => {
  await withPapers(async (papersOf, sent) => {
    const papers = await papersOf(ANN);
    const { id } = await papers.create({ title: "Deed" });
    const scan = papers.file(id, "scan");
    const file = new File(["0123456789"], "über (1)'*.txt", { type: "text/plain" });
    const put = await scan.put(file);
    assertEquals([put.scan?.name, put.scan?.size, put.scan?.type], [file.name, 10, "text/plain"]);
    assertEquals(sent.at(-1)?.headers.has("idempotency-key"), false);
    const read = await scan.get();
    assertEquals(read.headers.get("etag"), `"${put.scan?.sha256}"`);
    assertEquals(await read.text(), "0123456789");
    const part = await scan.get({ range: { start: 2, end: 4 } });
    assertEquals([part.status, await part.text()], [206, "234"]);
    const shown = ["accept-ranges", "content-range", "content-disposition"];
    assertEquals(shown.map((name) => part.headers.get(name)?.slice(0, 11)), [
      "bytes",
      "bytes 2-4/1",
      "attachment;",
    ]);
    assertEquals(await (await scan.get({ range: { start: 7 } })).text(), "789");
    assertEquals(await scan.delete(), { success: true });
    assertEquals(await refusedBy(() => scan.get()), [404, "FILE_NOT_FOUND"]);
  });
});

Deno.test("a client names bytes as it is told, and sends them only to the revision it means", async () => {
  await withPapers(async (papersOf) => {
    const papers = await papersOf(ANN);
    const { id } = await papers.create({ title: "Deed" });
    const { tag } = await papers.tagged(id);
    assert(tag !== null);
    const bytes = new Blob([new Uint8Array([1, 2, 3])]);
    const put = await papers.file(id, "scan").put(bytes, { name: "a.bin", ifMatch: tag });
    assertEquals([put.scan?.name, put.scan?.type], ["a.bin", "application/octet-stream"]);
    const late = () => papers.file(id, "scan").put(bytes, { ifMatch: tag });
    assertEquals(await refusedBy(late), [412, "PRECONDITION_FAILED"]);
  });
});

Deno.test("a client sends a file by an address, and tells nobody there who it is", async () => {
  await withPapers(async (papersOf, sent) => {
    const papers = await papersOf(ANN);
    const { id } = await papers.create({ title: "Deed" });
    const scan = papers.file(id, "scan");
    const { tag } = await papers.tagged(id);
    assert(tag !== null);
    const file = new File(["0123456789"], "über.txt", { type: "text/plain" });
    const kept = await scan.upload(file, { ifMatch: tag, expiresIn: 60 });
    assertEquals([kept.scan?.name, kept.scan?.size, kept.scan?.type], [
      "über.txt",
      10,
      "text/plain",
    ]);
    const [asked, bytes, confirmed] = sent.slice(-3);
    assert(asked && bytes && confirmed);
    assert(bytes.url.startsWith(`${BASE_URL}/files/`), bytes.url);
    const told = ["authorization", "cookie", "idempotency-key", "if-match", "database-position"];
    for (const name of told) assertEquals(bytes.headers.get(name), null, name);
    assertEquals([asked, confirmed].map(({ headers }) => headers.get("if-match")), [tag, tag]);
    const { url } = await scan.presign({ method: "GET" });
    assert(url.startsWith(`${BASE_URL}/files/`), url);
    const late = () => scan.upload(file, { ifMatch: tag });
    assertEquals(await refusedBy(late), [412, "PRECONDITION_FAILED"]);
  });
});

Deno.test("a client adds files to a list, reads one, replaces all and removes one", async () => {
  await withPapers(async (papersOf) => {
    const papers = await papersOf(ANN);
    const { id } = await papers.create({ title: "Deed" });
    const pages = papers.files(id, "pages");
    await pages.add(new File(["one"], "1.txt", { type: "text/plain" }));
    const two = await pages.upload(new File(["two"], "2.txt", { type: "text/plain" }));
    assertEquals(two.pages.map(({ name, size }) => [name, size]), [["1.txt", 3], ["2.txt", 3]]);
    assertEquals(await refusedBy(() => pages.add(new Blob(["x"]))), [400, "VALIDATION_ERROR"]);
    const [first, second] = two.pages;
    assert(first && second);
    assertEquals(await (await pages.get(second.id)).text(), "two");
    assert((await pages.presign({ method: "GET", id: first.id })).url.startsWith(BASE_URL));
    assertEquals(await pages.delete(first.id), { success: true });
    assertEquals((await papers.get(id)).pages.map(({ name }) => name), ["2.txt"]);
    const one = await pages.replace(new Blob(["three"]), { name: "3.txt" });
    assertEquals(one.pages.map(({ name }) => name), ["3.txt"]);
    // @ts-expect-error The scan is one file.
    papers.files(id, "scan");
  });
});

Deno.test("a client hears the refusals of the file's column and of its record", async () => {
  await withPapers(async (papersOf) => {
    const papers = await papersOf(ANN);
    const { id } = await papers.create({ title: "Deed" });
    const seal = papers.file(id, "seal");
    await seal.put(new Blob(["wax"]));
    assertEquals(await refusedBy(() => seal.put(new Blob(["x"]))), [400, "GUARD_FIELD_IMMUTABLE"]);
    const large = () => papers.file(id, "scan").put(new Blob(["x".repeat(1001)]));
    assertEquals(await refusedBy(large), [413, "PAYLOAD_TOO_LARGE"]);
    const foreign = (await papersOf(BOB)).file(id, "seal");
    for (
      const call of [
        () => foreign.get(),
        () => foreign.put(new Blob(["x"])),
        () => foreign.delete(),
      ]
    ) {
      assertEquals(await refusedBy(call), [403, "FIREWALL_NOT_FOUND"]);
    }
    // @ts-expect-error The title is no file.
    papers.file(id, "title");
  });
});
