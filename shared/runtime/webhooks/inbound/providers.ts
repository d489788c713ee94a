/** The providers that a project receives from: its own by name, and those that are built in (definitions 6). */
import { standardProvider } from "./standard_provider.ts";
import { stripeProvider } from "./stripe_provider.ts";
import type { WebhookProvider } from "./webhook_provider.ts";

const BUILT_IN: readonly WebhookProvider[] = [stripeProvider, standardProvider];

export function builtInProvider(name: string): WebhookProvider | null {
  return BUILT_IN.find((provider) => provider.name === name) ?? null;
}

/** Throws for a name that nobody defined: such an API must not start. */
export function providersOf(
  names: readonly string[],
  own: readonly WebhookProvider[],
): readonly WebhookProvider[] {
  return names.map((name) => {
    const provider = own.find((candidate) => candidate.name === name) ?? builtInProvider(name);
    if (provider) return provider;
    throw new Error(`Cannot start: no webhook provider '${name}' is defined`);
  });
}
