/** Conditions that are waited for: a busy machine takes its time, and what never comes fails with its name. */

/** Against "never" alone: hundreds of times what an idle machine takes. */
const PATIENCE_MS = 300_000;
const POLL_MS = 20;

/** Polls the condition; fails with its name when it does not come true at all. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  options: { readonly context?: () => string } = {},
): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!await condition()) {
    if (Date.now() > giveUpAt) {
      throw new Error(`Waited in vain until ${what}\n${options.context?.() ?? ""}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
