/** The API of this page: both are one origin, and the token lasts as long as the tab. */
import { createClient } from "quickback/client";

export const api = createClient(location.origin, { storage: sessionStorage });

/** Whether whoever is signed in plans the work of others: what the page offers. What may be done, the API says. */
export async function isOfOffice() {
  const [, payload = ""] = (await api.auth.token())?.split(".") ?? [];
  const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")) || "{}");
  return ["dispatcher", "admin", "owner"].some((role) => claims.roles?.includes(role));
}

/**
 * Does what somebody asked for, and says what the API refuses and why.
 *
 * @param {Event | null} event
 * @param {() => Promise<unknown>} work
 */
export async function attempt(event, work) {
  event?.preventDefault();
  const refusal = document.getElementById("refusal");
  if (refusal === null) throw new Error("The page has no place for refusals");
  refusal.hidden = true;
  try {
    await work();
  } catch (error) {
    if (!api.isRefusal(error)) throw error;
    refusal.textContent = error.hint ?? error.message;
    refusal.hidden = false;
  }
}
