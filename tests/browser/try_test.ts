/** Trying an API in the playground, in a real browser: as different callers, with what is masked, SQL, changes and webhooks. */
import type { Page } from "playwright-core";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { inFolder, runHere } from "../cli/command_line.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { BROWSER, isForEverybody, visiting } from "./playground_page.ts";

const CONFIG = `import { defineConfig } from "quickback";

export default defineConfig({
  name: "shop",
  auth: { roleHierarchy: ["clerk", "owner"] },
  openapi: { publish: "public" },
  realtime: { enabled: true },
  webhooks: { outbound: true },
});
`;

const CUSTOMERS = `import { feature, q } from "quickback";

export default feature("customers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 80 }).required(),
    plan: q.enum(["free", "paid"]).required().default("free"),
    email: q.text({ maxLength: 254 }).required(),
  },
  guards: { createable: ["name", "plan", "email"], updatable: ["name", "plan"] },
  masking: { email: { type: "email", show: { roles: ["owner"] } } },
  realtime: true,
  audit: { access: { roles: ["clerk+"] } },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["owner"] } },
  update: { access: { roles: ["clerk+"] } },
  delete: { access: { roles: ["owner"] } },
  transitions: { plan: { free: ["paid"] } },
});
`;

const SEED = `import { defineSeed } from "quickback";
export default defineSeed({
  organizations: [{ id: "seeded", members: { ada: ["owner"] } }],
  users: [{ id: "ada" }],
  as: { userId: "ada", organizationId: "seeded" },
  rows: { customers: [{ name: "Sown", email: "sown@example.com" }] },
});
`;

Deno.test({
  name: "the playground tries an API as anybody, and shows what it ran, masked, told and sent",
  ignore: BROWSER === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    inFolder(async (folder) => {
      await runHere(["new", "empty", "shop"], { cwd: folder });
      const definitions = `${folder}/shop/quickback`;
      await Deno.writeTextFile(`${definitions}/quickback.config.ts`, CONFIG);
      await Deno.mkdir(`${definitions}/features/customers`, { recursive: true });
      await Deno.writeTextFile(`${definitions}/features/customers/customers.ts`, CUSTOMERS);
      await Deno.writeTextFile(`${definitions}/seed.ts`, SEED);
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder);
      await dev.says("Watching");
      const address = /http:\/\/127\.0\.0\.1:\d+\/#\w+/.exec(dev.out)?.[0] ?? dev.out;
      await visiting(address, async (page) => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await hearsAndReceives(page);
        await triesAsAnybody(page);
        await plantsTheSeed(page);
        await editsRows(page);
        await understandsAChange(page);
        await isForEverybody(page);
      });
    }),
});

/** Once: its rows are of its own organization, as a member of which they are seen. */
async function plantsTheSeed(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByLabel("Table", { exact: true }).selectOption("customers");
  await page.getByRole("button", { name: "Plant the seed" }).click();
  await page.getByText("Planted 1 row").waitFor();
  await page.getByLabel("Rows as").selectOption("ada of seeded");
  await page.locator(".data tbody tr", { hasText: "sown@example.com" }).waitFor();
  await page.getByRole("button", { name: "Plant the seed" }).click();
  await page.getByText("This seed has been planted").waitFor();
}

/** A change arrives as a frame, and a webhook in the sink, signed, without a network. */
async function hearsAndReceives(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Live" }).click();
  await page.getByLabel("Hear as").selectOption("demo");
  await page.getByRole("button", { name: "Listen" }).click();
  await page.getByText("Listening as demo").waitFor();
  await page.getByRole("button", { name: "Register it" }).click();
  await page.getByText("Registered").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  const delivery = page.locator(".live-list li", { hasText: "answered 200" });
  await delivery.locator("summary").click();
  assertStringIncludes(await delivery.locator("pre").innerText(), "webhook-signature: v1,");
}

/** Roles see what is theirs; what is masked is marked; a request can be copied and sent again. */
async function triesAsAnybody(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "API" }).click();
  await choose(page, "demo", "listCustomers");
  await page.getByLabel("Add filter").selectOption("plan.in");
  await page.locator(".query-row input").fill("free");
  assertEquals(await pathOf(page), "/api/v1/customers?plan.in=free");
  assertEquals(await send(page), "200");
  assertEquals(await page.locator("mark.masked").count(), 0);
  assertMatch(
    await page.locator(".statements summary").innerText(),
    /^[1-9]\d* statements? of SQL/,
  );
  assertStringIncludes(await page.locator(".statements").innerHTML(), '"customers"'.slice(1, -1));

  await page.getByLabel("As", { exact: true }).selectOption("clerk");
  assertEquals(await send(page), "200");
  await page.locator("mark.masked").waitFor();
  await page.getByText("1 member is masked for this caller").waitFor();
  await page.getByLabel("As", { exact: true }).selectOption("neighbour");
  assertEquals(await send(page), "200");
  assertEquals((await page.locator("#panel-api .answer-body").innerText()).includes("Acme"), false);

  await page.getByRole("button", { name: "Copy as client code" }).click();
  await page.getByText("Copied: await api").waitFor();
  const copied = 'await api.resource("customers").list({ "plan.in": ["free"] });';
  assertEquals(await page.evaluate("navigator.clipboard.readText()"), copied);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("Copied: curl").waitFor();

  await choose(page, "clerk", "createCustomers");
  await page.waitForFunction("document.querySelector('#api-body').value.includes('email')");
  assertEquals(await send(page), "403");
  assertEquals(await page.locator(".layer.refused").textContent(), "access: refused");
  await page.getByLabel("As", { exact: true }).selectOption("api-key");
  assertEquals(await send(page), "201");
  await page.getByRole("tab", { name: "Live" }).click();
  await page.locator(".live-list li", { hasText: "record.created · customers" }).waitFor();
  await page.getByRole("tab", { name: "API" }).click();
  await page.getByLabel("History", { exact: true }).selectOption({ index: 3 });
  assertEquals(await pathOf(page), "/api/v1/customers?plan.in=free");
  assertEquals(await page.getByLabel("As", { exact: true }).inputValue(), "neighbour");
}

/** Rows as a caller sees them, beside what is stored; guards and roles decide on an edit; the database can be emptied. */
async function editsRows(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByLabel("Table").selectOption("customers");
  await page.getByLabel("Rows as").selectOption("clerk");
  await rows(page, 2);
  const email = page.locator("[data-column=email]").first();
  await email.locator("mark.masked").waitFor();
  assertMatch(await email.locator("mark").innerText(), /\*/);
  await page.getByLabel("beside it what is stored").check();
  assertMatch(await email.locator(".stored.differs").innerText(), /^stored:\s+[^*]+$/);
  assertEquals(await email.locator("button").count(), 0);

  await edit(page, "name", "Zoe");
  await page.getByText("name is written").waitFor();
  await page.getByRole("button", { name: "name", exact: true }).click();
  await page.locator("th[aria-sort=ascending]", { hasText: "name" }).waitFor();
  await page.getByRole("button", { name: "name ↑" }).click();
  await page.locator("th[aria-sort=descending]", { hasText: "name" }).waitFor();
  assertMatch(await page.locator("[data-column=name]").first().innerText(), /^Zoe/);
  await page.getByLabel("Column of the filter").selectOption("name");
  await page.getByLabel("Value of the filter").fill("Zoe");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await rows(page, 1);
  await edit(page, "plan", "golden");
  await page.getByText("400 VALIDATION_ERROR: refused by validation").waitFor();

  await readsAHistory(page);
  await page.getByLabel("Rows as").selectOption("neighbour");
  await page.getByText("No rows for this caller").waitFor();
  await page.getByLabel("Rows as").selectOption("");
  await page.getByText("401 AUTH_MISSING: refused by authentication").waitFor();

  await page.getByLabel("Value of the filter").fill("");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Empty the database…" }).click();
  await page.locator(".status.serving").waitFor();
  await page.getByLabel("Rows as").selectOption("clerk");
  await rows(page, 1);
}

/** Changes of a row as a caller sees them, masks in place; a narrow page shows them without scrolling to the side. */
async function readsAHistory(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^History of / }).click();
  const history = page.getByRole("region", { name: /^History of / });
  const changed = history.getByRole("listitem").first();
  await changed.waitFor();
  assertMatch(await changed.innerText(), /^changed by \S+ at \S+ updateCustomers/);
  assertMatch(await changed.innerText(), /name\n[^\n]+ → Zoe/);
  const made = history.getByRole("listitem").last();
  assertMatch(await made.innerText(), /^made by [^]*email\n\S*\*\*\*@/);
  assertEquals(await page.evaluate("document.activeElement.className"), "row-history");
  // The rows stay in sight above it.
  assert(await page.locator(".data-scroll").evaluate((rows) => rows.clientHeight) > 40);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 360, height: 740 });
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 360);
  await page.setViewportSize({ width, height });
  await history.getByRole("button", { name: "Close" }).click();
  await history.waitFor({ state: "hidden" });
}

/** Tables and state machines are drawn; a change of rights is marked in the table of rights, and told with its migration. */
async function understandsAChange(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Diagram" }).click();
  await page.locator(".diagram text", { hasText: "email: text ●" }).waitFor();
  await page.locator(".diagram-state", { hasText: "paid" }).waitFor();
  await page.getByRole("treeitem", { name: "customers.ts" }).click();
  await page.locator("#editor .cm-line", { hasText: "delete: {" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.insertText('delete: { access: { roles: ["clerk+"] } },');
  await page.getByText("No mistakes").first().waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("tab", { name: "Rights" }).click();
  await page.getByRole("button", { name: "yes: role:clerk, DELETE /api/v1/customers/:id, changed" })
    .waitFor();
  await page.getByRole("tab", { name: "Changes" }).click();
  const gain = page.locator(".changes.gain li", { hasText: "DELETE /api/v1/customers/:id" });
  await gain.waitFor();
  assertStringIncludes(await gain.innerText(), "role:clerk");
}

async function rows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll(".data tbody tr").length === wanted,
    count,
  );
}

async function edit(page: Page, column: string, value: string): Promise<void> {
  await page.locator(`[data-column=${column}] button`).first().click();
  await page.locator(".data-edit").fill(value);
  await page.keyboard.press("Enter");
}

async function choose(page: Page, person: string, operation: string): Promise<void> {
  await page.locator(`#api-operation option[value=${operation}]`).waitFor({ state: "attached" });
  await page.getByLabel("As", { exact: true }).selectOption(person);
  await page.getByLabel("Operation").selectOption(operation);
}

function pathOf(page: Page): Promise<string> {
  return page.getByLabel("Path and query").inputValue();
}

/** The answer's status. */
async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.locator(".answer").waitFor();
  return await page.locator(".answer-status strong").innerText();
}
