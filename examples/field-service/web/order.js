/** One order: where it is, who goes there, what it costs, and what may be done with it. */
import { api, attempt } from "./api.js";
import { dayText, field, h } from "./dom.js";
import { papers, photos } from "./order_files.js";
import { items, visits } from "./order_rows.js";
import { stageText } from "./stages.js";

const orders = api.resource("workOrders");

/** @typedef {"start" | "complete" | "reopen" | "invoice" | "cancel"} Move */

/** @type {readonly { readonly move: Move, readonly from: string, readonly text: string, readonly isOffice: boolean }[]} */
const MOVES = [
  { move: "start", from: "open", text: "Start", isOffice: false },
  { move: "complete", from: "inProgress", text: "Done", isOffice: false },
  { move: "invoice", from: "done", text: "Invoice", isOffice: true },
  { move: "reopen", from: "done", text: "Reopen", isOffice: true },
  { move: "cancel", from: "open", text: "Cancel", isOffice: true },
];

/**
 * @typedef {object} Viewer
 * @property {boolean} isOffice
 * @property {string} userId
 */

/**
 * The order with all that belongs to it; null: it is not there, or was taken away from whoever looks at it.
 *
 * @param {string} id
 */
async function load(id) {
  const [{ data: [order], included }, { data: technicians }] = await Promise.all([
    orders.list({
      id,
      include: ["siteId", "assignments", "lineItems", "visits", "documents"],
      limit: 1,
    }),
    api.resource("technicians").list({ sort: ["name"], limit: 100 }),
  ]);
  if (!order) return null;
  return {
    order,
    technicians,
    site: included.siteId[order.siteId],
    assignments: included.assignments[id]?.data ?? [],
    lineItems: included.lineItems[id]?.data ?? [],
    visits: included.visits[id]?.data ?? [],
    documents: included.documents[id]?.data ?? [],
  };
}

/**
 * @typedef {NonNullable<Awaited<ReturnType<typeof load>>> & {
 *   readonly viewer: Viewer,
 *   readonly isOpen: boolean,
 *   readonly again: () => Promise<void>,
 * }} Shown
 */

/**
 * Shows the order, or that there is none.
 *
 * @param {HTMLElement} article
 * @param {string} id
 * @param {Viewer} viewer
 * @returns {Promise<void>}
 */
export async function showOrder(article, id, viewer) {
  const found = await load(id);
  if (found === null) {
    const gone = "This order is not yours, or not there any more.";
    article.replaceChildren(back(), h("p", { class: "card quiet" }, gone));
    return;
  }
  const { status } = found.order;
  const isOpen = viewer.isOffice ? status !== "invoiced" : status === "inProgress";
  const shown = { ...found, viewer, isOpen, again: () => showOrder(article, id, viewer) };
  article.replaceChildren(
    back(),
    head(shown),
    h("div", { class: "pair" }, place(shown), crew(shown)),
    items(shown),
    visits(shown),
    h("div", { class: "pair" }, papers(shown), await photos(shown)),
  );
}

/** Where the list stands beside the order, there is no way back to it. */
function back() {
  return h("a", { class: "back", href: "#" }, "All orders");
}

/**
 * True when somebody has begun to fill in a form there, which is not taken from under their hands.
 *
 * @param {HTMLElement} article
 */
export function isBeingFilled(article) {
  return [...article.querySelectorAll("input")].some((input) =>
    input.type !== "file" && input.value !== input.defaultValue
  );
}

/** @param {Shown} shown */
function head({ order, viewer, again }) {
  const moves = MOVES.filter(({ from, isOffice }) =>
    from === order.status && (viewer.isOffice || !isOffice)
  );
  return h(
    "header",
    { class: "card stack", "data-stage": order.stage ?? "" },
    h(
      "div",
      {},
      h("p", { class: "quiet" }, order.number),
      h("h2", {}, order.title),
      order.description === null ? null : h("p", {}, order.description),
    ),
    h(
      "div",
      { class: "row" },
      h("span", { class: "stage" }, stageText(order.stage)),
      h("span", { class: "quiet" }, dayText(order.scheduledFor)),
      order.priority === "high" ? h("span", { class: "high" }, "high priority") : null,
      h("a", { class: "link", href: `track.html#${order.tracking}` }, "The customer's link"),
    ),
    moves.length === 0 ? null : h(
      "div",
      { class: "row" },
      ...moves.map(({ move, text }, number) =>
        h("button", {
          type: "button",
          class: number === 0 ? "primary" : "",
          click: (event) =>
            attempt(event, async () => {
              await orders.run(move, order.id, {});
              await again();
            }),
        }, text)
      ),
    ),
  );
}

/** @param {Shown} shown */
function place({ site }) {
  if (!site) return h("section", { class: "card" }, h("h3", {}, "Site"));
  const { name, address, accessCode, customer_label: customer } = site;
  const facts = /** @type {const} */ ([
    ["Site", name],
    ["Address", address],
    ["Customer", customer],
    ["Code", accessCode === "[REDACTED]" ? "while there is work to do" : accessCode],
  ]);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Where"),
    h(
      "dl",
      { class: "facts" },
      ...facts.flatMap(([key, value]) => value ? [h("dt", {}, key), h("dd", {}, value)] : []),
    ),
  );
}

/** @param {Shown} shown */
function crew({ order, assignments: there, technicians, viewer, again }) {
  const free = technicians.filter(({ id }) =>
    !there.some(({ technicianId }) => technicianId === id)
  );
  const assignments = api.resource("assignments");
  const form = h(
    "form",
    {
      class: "line-form",
      submit: (event) =>
        attempt(event, async () => {
          await assignments.create({
            workOrderId: order.id,
            technicianId: field(form, "technicianId"),
            isLead: there.length === 0,
          });
          await again();
        }),
    },
    h(
      "label",
      {},
      "Technician",
      h(
        "select",
        { name: "technicianId" },
        ...free.map(({ id, name }) => h("option", { value: id }, name)),
      ),
    ),
    h("button", {}, "Assign"),
  );
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Crew"),
    there.length === 0 ? h("p", { class: "quiet" }, "Nobody yet.") : h(
      "ul",
      { class: "chips" },
      ...there.map(({ id, technician_label: name, isLead }) =>
        h(
          "li",
          {},
          h("span", {}, `${name ?? "Somebody"}${isLead ? ", lead" : ""}`),
          viewer.isOffice
            ? h("button", {
              type: "button",
              class: "plain",
              "aria-label": `Take ${name ?? "them"} off`,
              click: (event) =>
                attempt(event, async () => {
                  await assignments.delete(id);
                  await again();
                }),
            }, "×")
            : h("span", {}),
        )
      ),
    ),
    viewer.isOffice && free.length > 0 ? form : null,
  );
}
