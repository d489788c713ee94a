/** The list of account routes against the account library's own (definitions 7, "account routes"). */
import { assertEquals } from "@std/assert";
import { betterAuth } from "better-auth/minimal";
import { authOptions } from "../../../shared/accounts/auth_options.ts";
import { authOperationsOf } from "../../../shared/surface/auth_operations.ts";
import { AUTH_SECRET } from "../../support/accounts.ts";
import { signInProject } from "../../support/sign_in.ts";

const project = signInProject({
  magicLink: true,
  emailCode: true,
  twoFactor: true,
  passkeys: true,
  social: ["github"],
}, { impersonation: true });

/** What the library would serve besides, and nobody switched on. */
const NOT_SERVED: readonly string[] = [
  // What opens something at a provider is not kept; none that answers by a form is served.
  "GET /account-info",
  "POST /callback/:id",
  "POST /get-access-token",
  "POST /refresh-token",
  // A code signs in, and does nothing else: each has its own link.
  "POST /email-otp/change-email",
  "POST /email-otp/check-verification-otp",
  "POST /email-otp/request-email-change",
  "POST /email-otp/request-password-reset",
  "POST /email-otp/reset-password",
  "POST /email-otp/verify-email",
  "POST /forget-password/email-otp",
  // The second factor is a device, and no message.
  "POST /two-factor/send-otp",
  "POST /two-factor/verify-otp",
  // Says nothing that `/health` does not say.
  "GET /error",
  "GET /ok",
  // Always refused: there is nothing of a session that its user may change.
  "POST /get-session",
  "POST /update-session",
];

/** The service answers them itself; so it does the paths of mailed links, but for what follows an invitation. */
const OWN = [
  "GET /organization/list-api-keys",
  "GET /security-events",
  "POST /organization/revoke-api-key",
];
const LINKS = authOperationsOf(project).filter(({ own }) =>
  own === "openLink" || own === "followLink"
);

const library = betterAuth(authOptions({
  project,
  watch: () => null,
  members: () => null,
  database: { run: unused, runAll: unused, write: unused, migrate: unused, close: unused },
  settings: { baseUrl: "http://localhost:8000", authSecret: AUTH_SECRET, production: false },
  secret: "a secret of the library, of more than 32 letters",
  secrets: [{ version: 1, value: "a secret of the library, of more than 32 letters" }],
  logger: { log: () => {} },
  limiter: { take: unused, lend: unused },
  detached: (run) => run(),
  email: { send: unused },
  sysadminEmails: [],
  hooks: { before: unused, after: unused },
  tasks: new Set(),
  isSignedIn: unused,
  createKey: unused,
}));

function unused(): never {
  throw new Error("Only the list of routes is asked for");
}

function libraryRoutes(): readonly string[] {
  return Object.values(library.api).flatMap((endpoint) => {
    const { path, options } = endpoint;
    if (typeof path !== "string") return [];
    const methods: unknown = options.method;
    return (Array.isArray(methods) ? methods : [methods]).map((method) => `${method} ${path}`);
  });
}

Deno.test("every route of the account library is either served and described, or left out on purpose", () => {
  const served = authOperationsOf(project).map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !OWN.includes(route));
  const known = new Set([...served, ...NOT_SERVED]);
  const own = new Set(LINKS.map(({ method, path }) => `${method} ${path}`));
  const routes = new Set(libraryRoutes());
  assertEquals([...routes.difference(own)].sort(), [...known.difference(own)].sort());
});
