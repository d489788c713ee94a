/** The orders of a company: its office sees all of them, a technician those that are assigned to them, as they change. */
import { api, attempt, isOfOffice } from "./api.js";
import { dayText, element, field, h, money } from "./dom.js";
import { isBeingFilled, showOrder } from "./order.js";
import { stageText } from "./stages.js";

const STAGES = /** @type {const} */ ([
  "unplanned",
  "planned",
  "inProgress",
  "done",
  "invoiced",
  "cancelled",
]);

const entrance = element("entrance", HTMLElement);
const desk = element("desk", HTMLElement);
const signIn = element("sign-in", HTMLFormElement);
const find = element("find", HTMLFormElement);
const newOrder = element("new-order", HTMLDetailsElement);
const article = element("order", HTMLElement);

let isOffice = false;
/** The account that is signed in. */
let userId = "";
/** Ends the subscription of whoever is signed in. */
let leaving = new AbortController();

signIn.addEventListener("submit", (event) =>
  attempt(event, async () => {
    await api.auth.signIn({ email: field(signIn, "email"), password: field(signIn, "password") });
    signIn.reset();
    await open();
  }));

element("sign-out", HTMLElement).addEventListener("click", (event) =>
  attempt(event, async () => {
    leaving.abort();
    await api.auth.signOut();
    location.hash = "";
    await open();
  }));

find.addEventListener("input", (event) => attempt(event, showOrders));
find.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => attempt(null, showChosen));

newOrder.querySelector("form")?.addEventListener("submit", (event) =>
  attempt(event, async () => {
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const day = field(form, "scheduledFor");
    const { id } = await api.resource("workOrders").create({
      siteId: field(form, "siteId"),
      title: field(form, "title"),
      priority: priorityOf(field(form, "priority")),
      ...(day === "" ? {} : { scheduledFor: day }),
    });
    form.reset();
    newOrder.open = false;
    await showOrders();
    location.hash = `/orders/${id}`;
  }));

await attempt(null, open);

/** Shows the orders, or the form for signing in where nobody is. */
async function open() {
  const session = await api.auth.session();
  entrance.hidden = session !== null;
  desk.hidden = session === null;
  if (session === null) return;
  const [organization] = await api.auth.organization.list();
  element("company", HTMLElement).textContent = organization?.name ?? "No company";
  isOffice = await isOfOffice();
  userId = session.user.id;
  const part = isOffice ? "office" : "technician";
  element("person", HTMLElement).textContent = `${session.user.name}, ${part}`;
  newOrder.hidden = !isOffice;
  if (isOffice) await offerSites();
  await showOrders();
  await showChosen();
  leaving = new AbortController();
  void attempt(null, () => follow(leaving.signal));
}

/**
 * Shows again what a frame, or what was missed, is about.
 *
 * @param {AbortSignal} signal
 */
async function follow(signal) {
  for await (const _frame of api.subscribe({ signal })) {
    await showOrders();
    if (!isBeingFilled(article)) await showChosen();
  }
}

async function offerSites() {
  const { data } = await api.resource("sites").list({ sort: ["name"], limit: 100 });
  const options = data.map(({ id, name, customer_label: customer }) =>
    h("option", { value: id }, `${name} (${customer ?? "no customer"})`)
  );
  newOrder.querySelector("[name=siteId]")?.replaceChildren(...options);
}

async function showOrders() {
  const words = field(find, "words");
  const { data } = await api.resource("workOrders").view("board").list({
    limit: 100,
    ...(words === "" ? {} : { search: words }),
  });
  const sections = STAGES.map((stage) => {
    const orders = data.filter((order) => order.stage === stage);
    if (orders.length === 0) return null;
    return h(
      "section",
      { "data-stage": stage },
      h(
        "h2",
        {},
        h("span", { class: "stage" }, stageText(stage)),
        h("span", { class: "quiet" }, String(orders.length)),
      ),
      h("ul", {}, ...orders.map(entryOf)),
    );
  });
  const shown = sections.filter((section) => section !== null);
  const none = words === "" ? "No orders yet." : "No order has these words.";
  const nothing = h("p", { class: "quiet" }, none);
  element("stages", HTMLElement).replaceChildren(...(shown.length === 0 ? [nothing] : shown));
  markChosen();
}

/**
 * @param {{ id: string, number: string, title: string, site_label?: string | null, priority: string, scheduledFor: string | null, amount: string }} order
 */
function entryOf({ id, number, title, site_label: site, priority, scheduledFor, amount }) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#/orders/${id}` },
      h("span", { class: "title" }, title),
      h("span", { class: "side" }, dayText(scheduledFor)),
      h("span", { class: "quiet" }, `${number}, ${site ?? "a site"}`),
      h(
        "span",
        { class: "side" },
        priority === "high" ? h("span", { class: "high" }, "high ") : null,
        money(amount),
      ),
    ),
  );
}

/** Id of the order that the address names. */
function chosen() {
  return /^#\/orders\/([\w-]+)$/.exec(location.hash)?.[1] ?? null;
}

function markChosen() {
  for (const link of document.querySelectorAll("#stages a")) {
    const isChosen = link.getAttribute("href") === location.hash;
    if (isChosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

async function showChosen() {
  markChosen();
  const id = chosen();
  if (id === null || desk.hidden) article.replaceChildren();
  else await showOrder(article, id, { isOffice, userId });
}

/** @param {string} text */
function priorityOf(text) {
  const known = /** @type {const} */ (["low", "normal", "high"]);
  return known.find((one) => one === text) ?? "normal";
}
