/** What an order costs and who was there: its items and visits, each with a form for one more. */
import { api, attempt } from "./api.js";
import { dayText, duration, field, h, money } from "./dom.js";

/** @param {import("./order.js").Shown} shown */
export function items({ order, lineItems, again, isOpen }) {
  const form = h(
    "form",
    {
      class: "line-form",
      submit: (event) =>
        attempt(event, async () => {
          await api.resource("lineItems").create({
            workOrderId: order.id,
            description: field(form, "description"),
            quantity: field(form, "quantity"),
            price: field(form, "price"),
          });
          await again();
        }),
    },
    h("label", {}, "What", h("input", { name: "description", required: true, maxlength: "200" })),
    h(
      "label",
      {},
      "Quantity",
      h("input", { name: "quantity", value: "1", inputmode: "decimal", required: true }),
    ),
    h(
      "label",
      {},
      "Price of one",
      h("input", { name: "price", inputmode: "decimal", required: true }),
    ),
    h("button", {}, "Add"),
  );
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Items"),
    table(
      ["What", "Quantity", "Price", "Amount"],
      lineItems.map(({ description, quantity, price, amount }) => [
        description,
        quantity,
        money(price),
        money(amount ?? "0"),
      ]),
      ["Total", "", "", money(order.amount)],
    ),
    isOpen ? form : null,
  );
}

/** @param {import("./order.js").Shown} shown */
export function visits({ order, visits: done, technicians, viewer, again, isOpen }) {
  const names = new Map(technicians.map(({ id, name }) => [id, name]));
  const own = technicians.find(({ accountId }) => accountId === viewer.userId);
  const who = viewer.isOffice
    ? h(
      "label",
      {},
      "Who",
      h(
        "select",
        { name: "technicianId" },
        ...technicians.map(({ id, name }) => h("option", { value: id }, name)),
      ),
    )
    : h("input", { type: "hidden", name: "technicianId", value: own?.id ?? "" });
  const form = h(
    "form",
    {
      class: "line-form",
      submit: (event) =>
        attempt(event, async () => {
          await api.resource("visits").create({
            workOrderId: order.id,
            technicianId: field(form, "technicianId"),
            minutes: Number(field(form, "minutes")),
            report: field(form, "report"),
          });
          await again();
        }),
    },
    who,
    h(
      "label",
      {},
      "Minutes",
      h("input", { name: "minutes", type: "number", min: "1", max: "1440", required: true }),
    ),
    h("label", {}, "Report", h("input", { name: "report", maxlength: "4000" })),
    h("button", {}, "Report the visit"),
  );
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Visits"),
    table(
      ["Who", "Day", "Report", "Time"],
      done.map(({ technicianId, day, report, minutes }) => [
        names.get(technicianId) ?? "Somebody",
        dayText(day),
        report ?? "",
        duration(minutes),
      ]),
      ["In all", "", "", duration(order.minutes)],
    ),
    isOpen ? form : null,
  );
}

/**
 * The last column is of numbers, and so are those between it and the first that are.
 *
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} lines
 * @param {readonly string[]} sum
 */
function table(heads, lines, sum) {
  const isNumber = (/** @type {number} */ place) =>
    place === heads.length - 1 || ["Quantity", "Price"].includes(heads[place] ?? "");
  const cells = (/** @type {"td" | "th"} */ name, /** @type {readonly string[]} */ texts) =>
    texts.map((text, place) => h(name, { class: isNumber(place) ? "number" : "" }, text));
  if (lines.length === 0) return h("p", { class: "quiet" }, "None yet.");
  return h(
    "div",
    { class: "table", tabindex: "0", role: "group", "aria-label": `${heads[0]}, ${heads.at(-1)}` },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...cells("th", heads))),
      h("tbody", {}, ...lines.map((line) => h("tr", {}, ...cells("td", line)))),
      h("tfoot", {}, h("tr", {}, ...cells("td", sum))),
    ),
  );
}
