/** Who reaches what of an order, asked as its people ask: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const FIELD_SERVICE = new URL("../", import.meta.url);
const COMPANY = "org_harbour";
const DORA = { userId: "dora", organizationId: COMPANY, roles: ["dispatcher"] };
const TOM = { userId: "tom", organizationId: COMPANY, roles: ["technician"] };
const TINA = { userId: "tina", organizationId: COMPANY, roles: ["technician"] };
const GUS = { userId: "gus", organizationId: "org_globe", roles: ["owner"] };

type Caller = ReturnType<Awaited<ReturnType<typeof createTestApp>>["as"]>;

/** A column of the rows that the caller is shown, in the order of the list. */
async function listed(caller: Caller, path: string, column: string): Promise<readonly unknown[]> {
  const { data } = await (await caller.get(`/api/v1/${path}`)).json();
  return data.map((row: Readonly<Record<string, unknown>>) => row[column]);
}

/** Status and code of a refusal. */
async function refusal(answer: Promise<Response>): Promise<readonly unknown[]> {
  const response = await answer;
  return [response.status, (await response.json()).code];
}

async function done(answer: Promise<Response>) {
  const response = await answer;
  strictEqual(response.ok, true, `${response.status} ${await response.clone().text()}`);
  return await response.json();
}

Deno.test("technicians read what belongs to the orders that are assigned to them, and nothing else", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  await app.seed();
  const [dora, tom, gus] = [app.as(DORA), app.as(TOM), app.as(GUS)];
  deepStrictEqual(await listed(tom, "work-orders", "number"), ["WO-0004", "WO-0002", "WO-0001"]);
  deepStrictEqual(await listed(tom, "line-items?sort=description", "description"), [
    "Gasket of the exchanger",
    "Work",
    "Yearly service of a boiler",
  ]);
  deepStrictEqual(await listed(tom, "documents", "title"), ["Plan of the bakehouse"]);
  strictEqual((await listed(dora, "line-items", "id")).length, 6);
  for (const resource of ["sites", "work-orders", "line-items", "visits", "documents"]) {
    deepStrictEqual(await listed(gus, resource, "id"), [], resource);
  }
});

Deno.test("an assignment gives an order with all that belongs to it, and takes it away again", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { pump, tom: technician, seaview, solar } = await app.seed();
  const [dora, tom] = [app.as(DORA), app.as(TOM)];
  const order = `/api/v1/work-orders/${pump?.id}`;
  const items = `line-items?workOrderId=${pump?.id}`;
  deepStrictEqual(await refusal(tom.get(order)), [403, "FIREWALL_NOT_FOUND"]);
  deepStrictEqual(await listed(tom, items, "description"), []);

  const assignment = { workOrderId: pump?.id, technicianId: technician?.id };
  const { id } = await done(dora.post("/api/v1/assignments", assignment));
  strictEqual((await done(tom.get(order))).title, "Circulation pump is loud");
  deepStrictEqual(await listed(tom, items, "description"), ["Circulation pump 25-60"]);
  await dora.delete(`/api/v1/assignments/${id}`);
  deepStrictEqual(await refusal(tom.get(order)), [403, "FIREWALL_NOT_FOUND"]);
  deepStrictEqual(await listed(tom, items, "description"), []);
  // Nor does anybody get there by an item of theirs that they move.
  strictEqual((await tom.get(`/api/v1/sites/${seaview?.id}`)).status, 200);
  const item = { workOrderId: solar?.id, description: "Work", price: "1.00" };
  deepStrictEqual(await refusal(tom.post("/api/v1/line-items", item)), [400, "VALIDATION_ERROR"]);
});

Deno.test("the code of a site is for who has something to do there now, and a rate for whose it is", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { bakehouse, shop } = await app.seed();
  const [dora, tom, tina] = [app.as(DORA), app.as(TOM), app.as(TINA)];
  const code = async (caller: Caller, id: unknown) =>
    (await done(caller.get(`/api/v1/sites/${id}`))).accessCode;
  strictEqual(await code(tom, bakehouse?.id), "8150");
  // All that is to do there is done.
  strictEqual(await code(tom, shop?.id), "[REDACTED]");
  strictEqual(await code(dora, shop?.id), "4711");
  const rates = (caller: Caller) => listed(caller, "technicians?sort=name", "hourlyRate");
  deepStrictEqual(await rates(tom), ["[REDACTED]", "58.00"]);
  deepStrictEqual(await rates(tina), ["62.00", "[REDACTED]"]);
  deepStrictEqual(await rates(dora), ["62.00", "58.00"]);
  deepStrictEqual(await listed(tom, "line-items?price=34.90", "cost"), ["[REDACTED]"]);
});

Deno.test("an order goes its way, and what it comes to is added up as far as its customer", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { rooms, seaview, hotel, tom: technician, tina: colleague } = await app.seed();
  const [dora, tom] = [app.as(DORA), app.as(TOM)];
  const order = `/api/v1/work-orders/${rooms?.id}`;
  const item = {
    workOrderId: rooms?.id,
    description: "Thermostat",
    quantity: "12",
    price: "39.95",
  };
  // Not before the work has begun.
  deepStrictEqual(await refusal(tom.post("/api/v1/line-items", item)), [
    403,
    "ACCESS_CONDITION_FAILED",
  ]);
  await done(tom.post(`${order}/start`, {}));
  strictEqual((await done(tom.post("/api/v1/line-items", item))).amount, "479.40");
  deepStrictEqual(await refusal(tom.post(`${order}/complete`, {})), [409, "NOBODY_WAS_THERE"]);

  const visit = { workOrderId: rooms?.id, day: "2026-03-04", minutes: 150 };
  const others = { ...visit, technicianId: colleague?.id };
  deepStrictEqual(await refusal(tom.post("/api/v1/visits", others)), [
    403,
    "ACCESS_CONDITION_FAILED",
  ]);
  await done(tom.post("/api/v1/visits", { ...visit, technicianId: technician?.id }));
  await done(tom.post(`${order}/complete`, {}));
  deepStrictEqual(await refusal(tom.post(`${order}/invoice`, {})), [403, "ACCESS_ROLE_REQUIRED"]);
  const { minutes, amount, stage } = await done(dora.get(order));
  deepStrictEqual([minutes, amount, stage], [150, "479.40", "done"]);
  const totals = async (path: string) => {
    const { openOrders, revenue } = await done(dora.get(path));
    return [openOrders, revenue];
  };
  deepStrictEqual(await totals(`/api/v1/customers/${hotel?.id}`), [2, "0.00"]);
  await done(dora.post(`${order}/invoice`, {}));
  deepStrictEqual(await totals(`/api/v1/sites/${seaview?.id}`), [2, "479.40"]);
  deepStrictEqual(await totals(`/api/v1/customers/${hotel?.id}`), [2, "479.40"]);
  // What was invoiced stays as it is.
  deepStrictEqual(await refusal(dora.post("/api/v1/line-items", item)), [
    403,
    "ACCESS_CONDITION_FAILED",
  ]);
});

Deno.test("a customer follows an order by its link, without an account", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { oven, leak } = await app.seed();
  const track = (tracking: unknown) => app.get(`/api/v1/work-orders/track/${tracking}`);
  deepStrictEqual(await done(track(oven?.tracking)), {
    number: "WO-0002",
    title: "Heat recovery of the oven",
    stage: "inProgress",
    scheduledFor: "2026-03-02",
    completedAt: null,
  });
  strictEqual(typeof (await done(track(leak?.tracking))).completedAt, "string");
  deepStrictEqual(await refusal(track("nobody-has-this-link")), [403, "FIREWALL_NOT_FOUND"]);
  // The link opens what the action answers, and nothing else.
  for (const resource of ["work-orders", `work-orders/${oven?.id}`, "line-items"]) {
    strictEqual((await app.get(`/api/v1/${resource}`)).status, 401);
  }
});

Deno.test("nobody goes to an order that is called off", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { rooms } = await app.seed();
  const [dora, tom] = [app.as(DORA), app.as(TOM)];
  const order = `/api/v1/work-orders/${rooms?.id}`;
  strictEqual((await done(tom.get(order))).stage, "planned");
  await done(dora.post(`${order}/cancel`, {}));
  const { stage, crew } = await done(dora.get(order));
  deepStrictEqual([stage, crew], ["cancelled", 0]);
  deepStrictEqual(await refusal(tom.get(order)), [403, "FIREWALL_NOT_FOUND"]);
});

Deno.test("technicians know whom to ask for, and nobody deletes who has sites", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { bakery } = await app.seed();
  const [tom, olga] = [app.as(TOM), app.as({ ...DORA, userId: "olga", roles: ["owner"] })];
  const customer = `/api/v1/customers/${bakery?.id}`;
  deepStrictEqual(await listed(tom, "customers/views/directory", "contact"), [
    "Ben Brown",
    "Hanna Holm",
    "Quentin Quay",
  ]);
  deepStrictEqual(await refusal(tom.get(customer)), [403, "ACCESS_ROLE_REQUIRED"]);
  const refused = await olga.delete(customer);
  const { code, details } = await refused.json();
  deepStrictEqual([refused.status, code, details.children], [
    409,
    "DB_REFERENCE_VIOLATION",
    { sites: 2 },
  ]);
});

Deno.test("orders are numbered, found by their words, and counted by month", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { shop } = await app.seed();
  const [dora, tina] = [app.as(DORA), app.as(TINA)];
  const made = { siteId: shop?.id, title: "Chimney sweep", scheduledFor: "2026-04-01" };
  const order = await done(dora.post("/api/v1/work-orders", made));
  deepStrictEqual([order.number, order.stage], ["WO-0007", "unplanned"]);
  deepStrictEqual(await listed(dora, "work-orders?search=exch", "title"), [
    "Heat recovery of the oven",
  ]);
  deepStrictEqual(await listed(tina, "work-orders?search=thermostats", "title"), []);
  const months = "work-orders/views/months?sort=scheduledFor&scheduledFor.null=false";
  deepStrictEqual(await listed(dora, months, "worth"), ["268.25", "559.05", "0.00", "0.00"]);
});

Deno.test("technicians add photos and papers to orders of theirs that are under way", async () => {
  await using app = await createTestApp(FIELD_SERVICE);
  const { oven, leak } = await app.seed();
  const [tom, tina] = [app.as(TOM), app.as(TINA)];
  const photo = (name: string) => ({
    method: "POST",
    body: Uint8Array.from([0xff, 0xd8, 0xff, name.length]),
    headers: {
      "content-type": "image/jpeg",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
  const photos = `/api/v1/work-orders/${oven?.id}/photos`;
  await done(tom.fetch(photos, photo("before.jpg")));
  const shown = await done(tina.fetch(photos, photo("after.jpg")));
  deepStrictEqual(shown.photos.map(({ name }: { readonly name: string }) => name), [
    "before.jpg",
    "after.jpg",
  ]);
  const finished = `/api/v1/work-orders/${leak?.id}/photos`;
  deepStrictEqual(await refusal(tina.fetch(finished, photo("late.jpg"))), [
    403,
    "ACCESS_CONDITION_FAILED",
  ]);

  const paper = { workOrderId: oven?.id, title: "Protocol", kind: "protocol" };
  const { id } = await done(tom.post("/api/v1/documents", paper));
  const file = `/api/v1/documents/${id}/file`;
  const text = { method: "PUT", body: "All is well", headers: { "content-type": "text/plain" } };
  await done(tom.fetch(file, text));
  strictEqual(await (await tina.get(file)).text(), "All is well");
  deepStrictEqual(await refusal(tina.fetch(file, text)), [403, "ACCESS_OWNERSHIP_REQUIRED"]);
  deepStrictEqual(await refusal(app.as(GUS).get(file)), [403, "FIREWALL_NOT_FOUND"]);
});
