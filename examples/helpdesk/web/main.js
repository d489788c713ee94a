/** A desk of tickets: who signs in sees their organization's, and every change as it happens. */
import { createClient } from "quickback/client";

// The page and its API are one origin; the token lasts as long as the tab.
const api = createClient(location.origin, { storage: sessionStorage });
const tickets = api.resource("tickets");

const signInForm = element("sign-in", HTMLFormElement);
const desk = element("desk", HTMLElement);
const newTicket = element("new-ticket", HTMLFormElement);
const rows = element("tickets", HTMLElement);

/** Ends the subscription of whoever is signed in. */
let leaving = new AbortController();

signInForm.addEventListener("submit", (event) =>
  attempt(event, async () => {
    await api.auth.signIn({
      email: field(signInForm, "email"),
      password: field(signInForm, "password"),
    });
    signInForm.reset();
    await open();
  }));

element("sign-out", HTMLElement).addEventListener("click", (event) =>
  attempt(event, async () => {
    leaving.abort();
    await api.auth.signOut();
    await open();
  }));

newTicket.addEventListener("submit", (event) =>
  attempt(event, async () => {
    await tickets.create({
      customerId: field(newTicket, "customerId"),
      subject: field(newTicket, "subject"),
      priority: priorityOf(field(newTicket, "priority")),
    });
    newTicket.reset();
  }));

await attempt(null, open);

/** Shows the desk, or the form for signing in where nobody is. */
async function open() {
  const session = await api.auth.session();
  signInForm.hidden = session !== null;
  desk.hidden = session === null;
  if (session === null) return;
  const [organization] = await api.auth.organization.list();
  element("organization", HTMLElement).textContent = organization?.name ?? "No organization";
  element("person", HTMLElement).textContent = session.user.email;
  await showCustomers();
  await showTickets();
  leaving = new AbortController();
  void attempt(null, () => follow(leaving.signal));
}

/**
 * Shows the tickets again whenever one of them, or what was missed, says so.
 *
 * @param {AbortSignal} signal
 */
async function follow(signal) {
  for await (const _frame of api.subscribe({ resources: ["tickets"], signal })) await showTickets();
}

async function showCustomers() {
  const { data } = await api.resource("customers").view("directory").list({ limit: 100 });
  const options = data.map(({ id, name }) => new Option(name, id));
  newTicket.querySelector("[name=customerId]")?.replaceChildren(...options);
}

async function showTickets() {
  const { data } = await tickets.list({
    fields: ["id", "subject", "customerId", "priority", "status"],
    sort: ["-createdAt"],
    limit: 50,
  });
  rows.replaceChildren(...data.map((ticket) => {
    const row = document.createElement("tr");
    const { subject, customer_label: customer, priority, status } = ticket;
    for (const text of [subject, customer ?? "", priority, status]) {
      row.insertCell().textContent = text;
    }
    row.insertCell().append(moveButton(ticket));
    return row;
  }));
}

/** @param {{ id: string, status: "open" | "pending" | "resolved" }} ticket */
function moveButton({ id, status }) {
  const button = document.createElement("button");
  const action = status === "resolved" ? "reopen" : "resolve";
  button.textContent = action;
  button.addEventListener("click", (event) => attempt(event, () => tickets.run(action, id, {})));
  return button;
}

/**
 * Says what the API refuses, and why.
 *
 * @param {Event | null} event
 * @param {() => Promise<unknown>} work
 */
async function attempt(event, work) {
  event?.preventDefault();
  const refusal = element("refusal", HTMLElement);
  refusal.hidden = true;
  try {
    await work();
  } catch (error) {
    if (!api.isRefusal(error)) throw error;
    refusal.textContent = error.hint ?? error.message;
    refusal.hidden = false;
  }
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 */
function element(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${id}"`);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function field(form, name) {
  return String(new FormData(form).get(name));
}

/** @param {string} text */
function priorityOf(text) {
  const known = /** @type {const} */ (["low", "normal", "high", "urgent"]);
  return known.find((one) => one === text) ?? "normal";
}
