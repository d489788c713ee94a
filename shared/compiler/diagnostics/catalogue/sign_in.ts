/** Lists the codes about the ways to sign in, `providers.auth` (definitions 2). */
import { row } from "../diagnostic.ts";
import { didYouMean, quote } from "../wording.ts";

export const SIGN_IN = {
  PLUGIN_KEY_OFF: row<{ plugin: string; key: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "An account plugin is listed whose own key is not switched on",
    message: ({ plugin, key }) => `The account plugin "${plugin}" is listed, and ${key} is off`,
    hint: ({ key }) => `Write ${key}: true beside plugins, or take it off the list`,
  }),
  PROVIDER_UNKNOWN: row<{ path: string; provider: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "The account library knows no provider of this name",
    message: ({ path, provider }) => `Unknown provider ${quote(provider)} in ${path}`,
    hint: ({ nearest, provider }) =>
      didYouMean({ nearest }) ??
        `Write oidc: [{ id: ${
          quote(provider)
        }, issuer: "https://…" }] where it speaks OpenID Connect`,
  }),
  PROVIDER_TAKEN: row<{ provider: string }>({
    severity: "error",
    section: "definitions 2",
    title: "Two providers of sign-in have one name",
    message: ({ provider }) => `The provider ${quote(provider)} is there already`,
    hint: ({ provider }) => `Give this one an id of its own, such as ${quote(`my-${provider}`)}`,
  }),
  MAIL_NOT_POSSIBLE: row<{ key: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A way to sign in needs messages, which the platform cannot send",
    message: ({ key }) => `${key} needs mail, and a worker has no mail server`,
    hint: () => 'Write defineRuntime("deno"), or take the key away',
  }),
  MAIL_NOT_SENT: row<{ key: string }>({
    severity: "error",
    section: "definitions 2",
    title: "Accounts need messages, and this project sends none",
    message: ({ key }) => `${key} needs mail, and email.provider is "none"`,
    hint: () => 'Write email: { provider: "smtp", from: "app@example.com" }, or take the key away',
  }),
};
