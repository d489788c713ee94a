/** The way of an invoice, asked as its callers ask: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const SAAS = new URL("../", import.meta.url);
const ADMIN = { userId: "ada", organizationId: "org_1", roles: ["admin"] };
const MEMBER = { ...ADMIN, userId: "mo", roles: ["member"] };

const INVOICE = {
  $as: "first",
  number: "2026-001",
  customerName: "Initech",
  billingEmail: "billing@initech.example",
  iban: "DE02120300000000202051",
  amount: 12_000,
};

Deno.test("members see an invoice without where its money goes", async () => {
  await using app = await createTestApp(SAAS);
  const { first } = await app.as(ADMIN).seed({ invoices: [INVOICE] });
  const read = async (caller: typeof ADMIN) =>
    await (await app.as(caller).get(`/api/v1/invoices/${first?.id}`)).json();
  const [shown, masked] = [await read(ADMIN), await read(MEMBER)];
  strictEqual(shown.iban, INVOICE.iban);
  strictEqual(masked.iban === INVOICE.iban, false);
  deepStrictEqual([masked.customerName, masked.amount], [INVOICE.customerName, INVOICE.amount]);
});

Deno.test("an invoice is a draft, then sent, then paid", async () => {
  await using app = await createTestApp(SAAS, { now: new Date("2026-03-01T08:00:00Z") });
  const admin = app.as(ADMIN);
  const { first } = await admin.seed({ invoices: [INVOICE] });
  const path = `/api/v1/invoices/${first?.id}`;
  const early = await admin.post(`${path}/pay`, {});
  strictEqual(early.status, 409);
  await early.body?.cancel();
  strictEqual((await admin.post(`${path}/send`, {})).status, 200);
  app.advance(3600);
  strictEqual((await admin.post(`${path}/pay`, {})).status, 200);
  const { status, sentAt, paidAt } = await (await admin.get(path)).json();
  deepStrictEqual([status, sentAt, paidAt], [
    "paid",
    "2026-03-01T08:00:00.000Z",
    "2026-03-01T09:00:00.000Z",
  ]);
});
