/** Definitions 8, `STORAGE_MAX_BYTES_PER_TENANT`: a tenant that has used up its bytes sends no more, by whatever way, and others do. */
import { assertEquals } from "@std/assert";
import { limitedStore } from "../../library/platform/files/limited_store.ts";
import { type Answer, type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { memoryFiles } from "../support/memory_files.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { sub: "eve", orgId: "org_b", roles: ["member"] };
const MAX = 100;
const ROLES = `{ access: { roles: ["member"] } }`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "cards" };\n',
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    organizationId: q.scope("organization"), title: q.text(), scan: q.file({ maxSize: 1000 }),
    pages: q.file({ maxSize: 1000, multiple: true, maxItems: 20 }),
  },
  guards: { createable: ["title"], updatable: ["title", "scan", "pages"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
});
`,
};

const text = "a".repeat(40);
const TYPED = { "content-type": "text/plain" };

function form(): readonly [string, Readonly<Record<string, string>>] {
  const body = [
    "--edge",
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    "Content-Type: text/plain",
    "",
    text,
    "--edge--",
    "",
  ].join("\r\n");
  return [body, { "content-type": "multipart/form-data; boundary=edge" }];
}

type Send = (api: ApiUnderTest, card: string, as: Claims) => Promise<Answer>;

/** Each sends 40 bytes. */
const WAYS: Readonly<Record<string, Send>> = {
  PUT: (api, card, as) =>
    api.ask(`${card}/scan`, { as, method: "PUT", body: text, headers: TYPED }),
  form: (api, card, as) => {
    const [body, headers] = form();
    return api.ask(`${card}/scan`, { as, method: "PUT", body, headers });
  },
  "one of several": (api, card, as) =>
    api.ask(`${card}/pages`, { as, method: "POST", body: text, headers: TYPED }),
  address: async (api, card, as) => {
    const body = { method: "PUT", size: text.length, type: "text/plain", name: "a.txt" };
    const given = await api.ask(`${card}/scan/presign`, { as, method: "POST", body });
    const { pathname } = new URL(String(given.body["url"]));
    return await api.ask(pathname, { method: "PUT", body: text, headers: TYPED });
  },
};

const told = ({ status, body }: Answer) => [status, body["code"], body["details"]];
const FULL = [507, "STORAGE_FULL", { scope: "tenant", limit: MAX }];

for (const driver of [undefined, TENANT_DRIVERS[0]]) {
  const where = driver ? "where each organization has a database" : "in one database";
  Deno.test(`each way of sending bytes is refused at the limit, ${where}`, async () => {
    for (const [name, send] of Object.entries(WAYS)) {
      const time = { now: 0 };
      const clock = { now: () => time.now };
      const files = memoryFiles(clock.now);
      const store = limitedStore(files.store, { maxBytes: null, maxBytesPerTenant: MAX, clock });
      await withDefinitions(FILES, async (api) => {
        const cardOf = async (as: Claims) => {
          const { body } = await api.ask("cards", { as, body: { title: "a" } });
          return `cards/${body["id"]}`;
        };
        const card = await cardOf(ANN);
        for (const _ of [1, 2]) assertEquals((await send(api, card, ANN)).status < 300, true, name);
        for (const other of Object.values(WAYS)) {
          assertEquals(told(await other(api, card, ANN)), FULL, name);
        }
        const kept = [...files.objects.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
        assertEquals(kept, 80, name);
        assertEquals((await send(api, await cardOf(EVE), EVE)).status < 300, true, name);
        // What was collected makes room.
        files.objects.clear();
        time.now += 10_001;
        assertEquals((await send(api, card, ANN)).status < 300, true, name);
      }, { files: { ...files, store }, ...(driver ? { driver } : {}) });
    }
  });
}

Deno.test("files that belong to no tenant are bounded by the limit of none", async () => {
  const clock = { now: () => 0 };
  const { store: files } = memoryFiles(clock.now);
  const store = limitedStore(files, { maxBytes: null, maxBytesPerTenant: MAX, clock });
  const put = (key: string) =>
    store.put(key, ReadableStream.from([new Uint8Array(MAX + 1)])).then(() => "kept", String);
  assertEquals(await put("_public/cards/file_a"), "kept");
  for (const key of ["org_a/cards/file_a", "_owner/ann/cards/file_a"]) {
    assertEquals((await put(key)).startsWith("StorageFullError"), true, key);
  }
});
