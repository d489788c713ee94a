/** Codes about the ways to sign in, `providers.auth` (definitions 2). */
import { row } from "../diagnostic.ts";

export const SIGN_IN = {
  PLUGIN_KEY_OFF: row<{ plugin: string; key: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "An account plugin is listed whose own key is not switched on",
    message: ({ plugin, key }) => `The account plugin "${plugin}" is listed, and ${key} is off`,
    hint: ({ key }) => `Write ${key}: true beside plugins, or take it off the list`,
  }),
  MAIL_NOT_POSSIBLE: row<{ key: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A way to sign in needs messages, which the platform cannot send",
    message: ({ key }) => `${key} needs mail, and a worker has no mail server`,
    hint: () => 'Write defineRuntime("deno"), or take the key away',
  }),
};
