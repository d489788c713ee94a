/** What the parts of the page have in common: elements, forms, and how values are written. */

/**
 * Makes an element. Children are elements and texts; null is left out.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | ((event: Event) => void)>} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${id}"`);
}

/**
 * A member of a form, as it was typed.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function field(form, name) {
  return String(new FormData(form).get(name) ?? "").trim();
}

const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {string} text Digits with a point, as the API writes decimals. */
export function money(text) {
  return `€ ${MONEY.format(Number(text))}`;
}

/** @param {number} minutes */
export function duration(minutes) {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}

/** @param {string | null} day `YYYY-MM-DD` */
export function dayText(day) {
  if (day === null) return "no day yet";
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
}
