/** Contract 4.7: files that no record refers to take up ten times their column's size for each tenant, however they came to be. */
import { assert, assertEquals } from "@std/assert";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import type { FilePorts, FileStore } from "../../shared/runtime/ports.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  START,
  withDefinitions,
} from "../support/api.ts";
import { type DriverUnderTest, TENANT_DRIVERS } from "../support/databases.ts";
import { CARDS, freshPorts, SIZE_MAX, STORES } from "../support/unreferred_project.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { sub: "eve", orgId: "org_b", roles: ["member"] };
const LIMIT = 10 * SIZE_MAX;
/** Bytes of a file, so that eleven are more than the limit. */
const SIZE = 900;
const TEXT = "a".repeat(SIZE);
const TYPED = { "content-type": "text/plain" };
const FULL = [507, "STORAGE_FULL", { scope: "tenant", limit: LIMIT }];
const HOUR = 3_600_000;

interface Desk {
  readonly api: ApiUnderTest;
  readonly store: FileStore;
  pass(milliseconds: number): void;
  /** The API goes on as one does that has just begun. */
  restart(): void;
  cardOf(as: Claims): Promise<string>;
  /** Bytes that are kept. */
  kept(below?: string): Promise<number>;
  collect(): Promise<void>;
}

function desk(store: FileStore, time = { now: START }) {
  const now = () => time.now;
  const files: { -readonly [name in keyof FilePorts]: FilePorts[name] } = freshPorts(store, now);
  const deskOf = (api: ApiUnderTest): Desk => ({
    api,
    store,
    pass(milliseconds) {
      time.now += milliseconds;
      api.pass(milliseconds);
    },
    restart: () => void (files.unreferred = freshPorts(store, now).unreferred),
    async cardOf(as) {
      const { status, body } = await api.ask("cards", { as, body: { title: "a" } });
      assertEquals(status, 201);
      return `cards/${body["id"]}`;
    },
    kept: (below = "") => bytesBelow(store, below),
    async collect() {
      // Stores tell the time of this machine.
      const ports = { ...api.ports, clock: { now: () => Date.now() + 2 * HOUR }, files };
      const step = createCollection(api.project, ports);
      while (await step());
    },
  });
  return { files, deskOf };
}

async function bytesBelow(store: FileStore, below: string): Promise<number> {
  let sum = 0;
  for await (const { key, size } of store.list(below)) if (key !== "_collection") sum += size;
  return sum;
}

function withDesk(
  body: (desk: Desk) => Promise<void>,
  { store = "memory", driver }: { readonly store?: string; readonly driver?: DriverUnderTest } = {},
): Promise<void> {
  const open = STORES[store];
  assert(open);
  return open(async (store) => {
    const { files, deskOf } = desk(store);
    const options = { files, ...(driver ? { driver } : {}) };
    await withDefinitions(CARDS, (api) => body(deskOf(api)), options);
  });
}

/** Bytes of files that cards have. */
async function referred({ api }: Desk, as: Claims): Promise<number> {
  const { body: { data } } = await api.ask("cards?limit=100", { as });
  assert(Array.isArray(data));
  const files = data.flatMap(({ scan, cover, pages }) => [scan, cover, ...pages]);
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

const put = ({ api }: Pick<Desk, "api">, path: string, as: Claims, body: BodyInit = TEXT) =>
  api.ask(path, { as, method: "PUT", body, headers: TYPED });

async function presigned({ api }: Desk, path: string, as: Claims, size = SIZE): Promise<Answer> {
  const body = { method: "PUT", size, type: "text/plain" };
  return await api.ask(`${path}/presign`, { as, method: "POST", body });
}

/** A request by nobody in particular to an address, of the API's or of its store's own. */
async function sent({ api }: Desk, { body: { url } }: Answer, text = TEXT): Promise<number> {
  const address = new URL(String(url));
  if (address.origin === api.settings.baseUrl) {
    return (await api.ask(address.pathname, { method: "PUT", body: text, headers: TYPED })).status;
  }
  const answer = await fetch(address, { method: "PUT", body: text, headers: TYPED });
  await answer.body?.cancel();
  return answer.status;
}

const confirmed = ({ api }: Desk, path: string, as: Claims, { body: { upload } }: Answer) =>
  api.ask(path, { as, method: "PUT", body: { upload } });

const told = ({ status, body }: Answer) => [status, body["code"], body["details"]];

/** Ways that a bucket sees; it is slow. */
const BY_BUCKETS: readonly string[] = [
  "a file that is replaced",
  "an upload that nobody confirms",
  "an upload that is confirmed again and again",
];
const UNUSED = "an address that nobody uses";

/** Ways to leave a file of 900 bytes behind; the first refusal is the answer. */
const WAYS: Readonly<Record<string, (desk: Desk, card: string, as: Claims) => Promise<Answer>>> = {
  "a file that is replaced": (desk, card, as) => put(desk, `${card}/scan`, as),
  "a file that is removed": async (desk, card, as) => {
    const answer = await put(desk, `${card}/scan`, as);
    await desk.api.ask(`${card}/scan`, { as, method: "DELETE" });
    return answer;
  },
  "a file that a record's update clears": async (desk, card, as) => {
    const answer = await put(desk, `${card}/scan`, as);
    await desk.api.ask(card, { as, method: "PATCH", body: { scan: null } });
    return answer;
  },
  "a file whose record is deleted": async (desk, _, as) => {
    const card = await desk.cardOf(as);
    const answer = await put(desk, `${card}/scan`, as);
    await desk.api.ask(card, { as, method: "DELETE" });
    return answer;
  },
  "a small file in the place of a large one": async (desk, _, as) => {
    const card = await desk.cardOf(as);
    const answer = await put(desk, `${card}/scan`, as);
    if (answer.status !== 200) return answer;
    return await put(desk, `${card}/scan`, as, "");
  },
  "one of several files": async (desk, card, as) => {
    const answer = await desk.api.ask(`${card}/pages`, {
      as,
      method: "POST",
      body: TEXT,
      headers: TYPED,
    });
    await desk.api.ask(card, { as, method: "PATCH", body: { pages: [] } });
    return answer;
  },
  [UNUSED]: (desk, card, as) => presigned(desk, `${card}/scan`, as),
  "an upload that nobody confirms": async (desk, card, as) => {
    const given = await presigned(desk, `${card}/scan`, as);
    if (given.status === 200) assertEquals(await sent(desk, given), 200);
    return given;
  },
  "an upload that is confirmed again and again": async (desk, card, as) => {
    const given = await presigned(desk, `${card}/scan`, as);
    if (given.status !== 200) return given;
    await sent(desk, given);
    const first = await confirmed(desk, `${card}/scan`, as, given);
    await sent(desk, given);
    const second = await confirmed(desk, `${card}/scan`, as, given);
    return second.status === 507 ? second : first;
  },
};

for (const store of Object.keys(STORES)) {
  Deno.test(`whatever leaves a file behind counts until it is collected, in a store of kind "${store}"`, async () => {
    await withDesk(async (desk) => {
      for (const [way, leave] of Object.entries(WAYS)) {
        if (store === "bucket" && !BY_BUCKETS.includes(way)) continue;
        const as = { ...ANN, orgId: `org_${way.replaceAll(" ", "-")}` };
        const other = { ...EVE, orgId: `${as.orgId}-other` };
        const card = await desk.cardOf(as);
        const answers: Answer[] = [];
        while (answers.at(-1)?.status !== 507 && answers.length < 60) {
          answers.push(await leave(desk, card, as));
        }
        const last = answers.at(-1);
        assert(last && answers.length < 60, `${way}: 60 were taken`);
        assertEquals(told(last), FULL, way);
        assert(answers.length >= 6, `${way}: only ${answers.length} were taken`);
        for (let more = 0; more < 5; more++) {
          assertEquals(told(await leave(desk, card, as)), FULL, way);
        }
        const left = await desk.kept(`${as.orgId}/`) - await referred(desk, as);
        // One that a record had when it was taken may be removed after it.
        assert(left <= LIMIT + SIZE, `${way}: ${left} bytes are kept`);
        assertEquals((await leave(desk, await desk.cardOf(other), other)).status < 300, true, way);
        assertEquals((await put(desk, `${card}/cover`, as, "small")).status, 200, way);
        if (way === UNUSED) continue;
        desk.restart();
        assertEquals(told(await leave(desk, card, as)), FULL, way);
        await desk.collect();
        assertEquals((await leave(desk, card, as)).status < 300, true, way);
      }
    }, { store });
  });
}

Deno.test("an address that nobody used makes room when its time is over", async () => {
  await withDesk(async (desk) => {
    const path = `${await desk.cardOf(ANN)}/scan`;
    for (let count = 0; count < 11; count++) {
      assertEquals((await presigned(desk, path, ANN)).status, 200);
    }
    assertEquals(told(await presigned(desk, path, ANN)), FULL);
    desk.pass(300_001);
    assertEquals((await presigned(desk, path, ANN)).status, 200);
  });
});

for (const driver of [undefined, TENANT_DRIVERS[0]]) {
  const where = driver ? "where each organization has a database" : "in one database";
  Deno.test(`files that records keep are not counted, ${where}, one after the other and at once`, async () => {
    await withDesk(async (desk) => {
      const send = async () => await put(desk, `${await desk.cardOf(ANN)}/scan`, ANN);
      for (let count = 0; count < 30; count++) assertEquals((await send()).status, 200);
      const many = await Promise.all(Array.from({ length: 40 }, send));
      assertEquals(many.filter(({ status }) => status !== 200), []);
      const upload = async () => {
        const path = `${await desk.cardOf(ANN)}/scan`;
        const given = await presigned(desk, path, ANN);
        assertEquals([given.status, await sent(desk, given)], [200, 200], given.text);
        assertEquals((await confirmed(desk, path, ANN, given)).status, 200);
      };
      for (let count = 0; count < 30; count++) await upload();
      await Promise.all(Array.from({ length: 8 }, upload));
      assertEquals(await desk.kept("org_a/_upload/"), 0);
      assertEquals(await desk.kept("org_a/"), 108 * SIZE);
      desk.restart();
      assertEquals((await send()).status, 200);
    }, driver ? { driver } : {});
  });

  Deno.test(`files that come at once into one record stay within the bound, ${where}`, async () => {
    await withDesk(async (desk) => {
      const cards = [await desk.cardOf(ANN), await desk.cardOf(ANN)];
      for (const column of ["scan", "pages"]) {
        const sendings = cards.flatMap((card) =>
          Array.from({ length: 30 }, () => put(desk, `${card}/${column}`, ANN))
        );
        const statuses = new Set((await Promise.all(sendings)).map(({ status }) => status));
        assertEquals([...statuses].sort(), [200, 507], column);
      }
      const left = await desk.kept() - await referred(desk, ANN);
      // Of both columns. A write may have read its record before another one of the same record ended.
      assert(left <= 2 * LIMIT + 4 * SIZE, `${left} bytes are kept`);
    }, driver ? { driver } : {});
  });
}

Deno.test("uploads that fail in the end count, by whatever they fail", async () => {
  await withDesk(async (desk) => {
    const card = await desk.cardOf(ANN);
    await put(desk, `${card}/scan`, ANN);
    const anchored = { ...TYPED, "if-match": '"2"' };
    const all = await Promise.all(
      Array.from({ length: 40 }, () =>
        desk.api.ask(`${card}/scan`, {
          as: ANN,
          method: "PUT",
          body: TEXT,
          headers: anchored,
        })),
    );
    const statuses = new Set(all.map(({ status }) => status));
    assertEquals([...statuses].sort(), [200, 412, 507]);
    assert(await desk.kept() <= LIMIT + SIZE);
    const more = [];
    while (more.at(-1) !== 507 && more.length < 20) {
      more.push((await put(desk, `${card}/scan`, ANN)).status);
    }
    assert(more.length < 12 && await desk.kept() <= LIMIT + SIZE, `${more}`);
  });
});

Deno.test("what broke off on its way is not counted", async () => {
  await withDesk(async (desk) => {
    const card = await desk.cardOf(ANN);
    const broken = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(new Uint8Array(SIZE));
          controller.error(new Error("cut"));
        },
      });
    for (let count = 0; count < 30; count++) {
      assertEquals((await put(desk, `${card}/scan`, ANN, broken())).status, 400);
    }
    assertEquals(await desk.kept(), 0);
    for (let count = 0; count < 30; count++) {
      assertEquals((await put(desk, `${card}/scan`, ANN, "a".repeat(SIZE_MAX + 1))).status, 413);
    }
    assertEquals((await put(desk, `${card}/scan`, ANN)).status, 200);
  });
});

Deno.test("an address leads nowhere when what came to it was confirmed, and a confirmation is good once", async () => {
  await withDesk(async (desk) => {
    const path = `${await desk.cardOf(ANN)}/scan`;
    const given = await presigned(desk, path, ANN);
    await sent(desk, given);
    assertEquals((await confirmed(desk, path, ANN, given)).status, 200);
    assertEquals(await sent(desk, given), 404);
    const again = await confirmed(desk, path, ANN, given);
    assertEquals([again.status, again.body["code"]], [400, "VALIDATION_ERROR"]);
    assertEquals((await desk.api.ask(path, { as: ANN })).text, TEXT);
    assertEquals(await desk.kept(), SIZE);
  });
});

Deno.test("what was uploaded can be confirmed though there is no more room, in the place of another file", async () => {
  await withDesk(async (desk) => {
    const path = `${await desk.cardOf(ANN)}/scan`;
    assertEquals((await put(desk, path, ANN)).status, 200);
    const given = [];
    for (let count = 0; count < 11; count++) given.push(await presigned(desk, path, ANN));
    assertEquals(told(await presigned(desk, path, ANN)), FULL);
    for (const one of given) {
      assertEquals([await sent(desk, one), (await confirmed(desk, path, ANN, one)).status], [
        200,
        200,
      ]);
    }
    assertEquals([await desk.kept("org_a/_upload/"), await desk.kept()], [0, 12 * SIZE]);
    assertEquals(told(await put(desk, path, ANN)), FULL);
  });
});

Deno.test("one upload that is confirmed twice at once is one file, and leaves no upload", async () => {
  for (const store of Object.keys(STORES)) {
    await withDesk(async (desk) => {
      const path = `${await desk.cardOf(ANN)}/scan`;
      const given = await presigned(desk, path, ANN);
      await sent(desk, given);
      const both = await Promise.all([0, 1].map(() => confirmed(desk, path, ANN, given)));
      assert(both.some(({ status }) => status === 200));
      assertEquals((await desk.api.ask(path, { as: ANN })).text, TEXT);
      assertEquals(await desk.kept("org_a/_upload/"), 0);
    }, { store });
  }
});

Deno.test("the bound of each column is its own, and so is that of each owner", async () => {
  await withDesk(async (desk) => {
    const card = await desk.cardOf(ANN);
    const fill = async (path: string, text: string) => {
      for (let count = 0; count < 60; count++) {
        const answer = await put(desk, path, ANN, text);
        if (answer.status !== 200) return told(answer);
      }
      return "taken";
    };
    assertEquals(await fill(`${card}/cover`, "a".repeat(90)), [507, "STORAGE_FULL", {
      scope: "tenant",
      limit: 1000,
    }]);
    assertEquals(await fill(`${card}/scan`, TEXT), FULL);
    assertEquals(await fill(`${card}/pages`, TEXT), FULL);
    const noteOf = async (as: Claims) => {
      const { body } = await desk.api.ask("notes", { as, body: {} });
      return `notes/${body["id"]}/scan`;
    };
    const note = await noteOf(ANN);
    assertEquals(await fill(note, TEXT), FULL);
    assertEquals((await put(desk, await noteOf(EVE), EVE)).status, 200);
  });
});

Deno.test("what another instance has left in the store counts when it is counted anew", async () => {
  await withDesk(async (desk) => {
    const card = await desk.cardOf(ANN);
    assertEquals((await put(desk, `${card}/scan`, ANN)).status, 200);
    const { scan } = (await desk.api.ask(card, { as: ANN })).body;
    const { id } = scan as { readonly id: string };
    for (let count = 0; count < 15; count++) {
      const other = id.slice(0, -3) + String(count).padStart(3, "0");
      await desk.store.put(`org_a/cards/${other}`, ReadableStream.from([new Uint8Array(SIZE)]));
    }
    desk.pass(11 * 60_000);
    assertEquals(told(await put(desk, `${card}/scan`, ANN)), FULL);
  });
});
