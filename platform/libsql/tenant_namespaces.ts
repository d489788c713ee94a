/**
 * The databases of organizations as namespaces of libSQL's own server, which its admin interface makes and removes
 * (definitions 8, `DATABASE_ADMIN_URL`).
 */
import type { TenantStore } from "../../shared/runtime/ports.ts";
import { unreachableError } from "./driver_errors.ts";
import { openRemote } from "./remote_database.ts";

interface NamespacesOptions {
  readonly url: string;
  readonly authToken: string | null;
  readonly adminUrl: string;
  readonly adminToken: string | null;
  /** Milliseconds that a write waits for a lock that somebody else holds. */
  readonly busyTimeout: number;
}

/** Milliseconds that the admin interface has for an answer. */
const ANSWER_MAX_MS = 10_000;

export function openNamespaces(options: NamespacesOptions): TenantStore {
  const { url, authToken, busyTimeout } = options;
  const open = (namespace: string) => openRemote({ url, authToken, busyTimeout, namespace });
  return {
    has: async (name) => (await asked(options, "GET", `${name}/config`)) !== "unknown",
    async make(name) {
      await asked(options, "POST", `${name}/create`);
      return open(name);
    },
    async open(name) {
      if (await asked(options, "GET", `${name}/config`) === "unknown") {
        throw unreachableError(new Error(`The server has no namespace "${name}"`), "undone");
      }
      return open(name);
    },
    async remove(name) {
      await asked(options, "DELETE", name);
    },
    close: () => Promise.resolve(),
  };
}

type Outcome = "done" | "unknown" | "known";

/** `unknown`: there is no such namespace; `known`: there is one already. */
async function asked(
  { adminUrl, adminToken }: NamespacesOptions,
  method: "GET" | "POST" | "DELETE",
  path: string,
): Promise<Outcome> {
  const base = adminUrl.endsWith("/") ? adminUrl : `${adminUrl}/`;
  let status: number;
  let text: string;
  try {
    const answer = await fetch(new URL(`v1/namespaces/${path}`, base), {
      method,
      headers: {
        "content-type": "application/json",
        ...(adminToken === null ? {} : { authorization: `Basic ${adminToken}` }),
      },
      ...(method === "POST" ? { body: "{}" } : {}),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    });
    status = answer.status;
    text = await answer.text();
  } catch (cause) {
    throw unreachableError(cause, "undone");
  }
  if (status < 300) return "done";
  if (status === 404 || /doesn't exist|does not exist/i.test(text)) return "unknown";
  if (/already exists/i.test(text)) return "known";
  throw unreachableError(new Error(`DATABASE_ADMIN_URL answered ${status}: ${text}`), "undone");
}
