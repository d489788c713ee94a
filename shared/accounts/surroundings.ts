/** Requirements of a project's accounts on their environment. Without them the API does not start (definitions 7). */
import { credentialsOf, needsOfMail, type ProjectModel, providersOf } from "../model/mod.ts";
import type { AccountsDependencies } from "./dependencies.ts";

/**
 * Returns the project with the operator's choice of mail: `EMAIL_PROVIDER=none` sends none, without a new compile (definitions
 * 2).
 */
export function withChosenMail(
  project: ProjectModel,
  { isMailOff = false }: AccountsDependencies["settings"],
): ProjectModel {
  return isMailOff ? { ...project, email: { ...project.email, provider: "none" } } : project;
}

/** Throws one sentence with the name of what is missing. */
export function requireSurroundings(project: ProjectModel, host: AccountsDependencies): void {
  requireExactOrigins(project.trustedOrigins);
  requireMailServer(project, host);
  requireCredentials(project, host);
  requireAddress(project, host);
}

/** Refuses `*`, which the library would read as any origin. Every trusted origin must be named. */
function requireExactOrigins(origins: readonly string[]): void {
  const pattern = origins.find((origin) => /[*?]/.test(origin));
  if (pattern === undefined) return;
  throw new Error(`Trusted origin "${pattern}" is a pattern: name each origin in trustedOrigins`);
}

/**
 * Refuses to start without a mail server where a message signs somebody in (definitions 7). In development the log is enough.
 * In production it is not, because its links open accounts. A server that the project asks for and nobody has set is missing
 * everywhere.
 */
function requireMailServer({ auth, email }: ProjectModel, host: AccountsDependencies): void {
  if (email.provider === "none") {
    const [needing] = needsOfMail(auth);
    if (needing === undefined) return;
    throw new Error(
      `Cannot start: ${needing} needs mail, and EMAIL_PROVIDER is 'none': take one of them away`,
    );
  }
  if (host.email) return;
  const { production } = host.settings;
  const needing = needsOfMail(auth).find((key) =>
    production || (email.provider === "smtp" && key !== "requireEmailVerification")
  );
  if (needing === undefined) {
    if (email.provider !== "log" || !production) return;
    throw new Error(
      "Cannot start: email.provider is 'log', and in production messages are not written to the log: " +
        'write email: { provider: "smtp", from: "app@example.com" } and set SMTP_URL, ' +
        "or set EMAIL_PROVIDER=none, and no message is sent",
    );
  }
  throw new Error(
    `Cannot start: ${needing} needs a mail server${production ? " in production" : ""}: ` +
      (email.provider === "smtp"
        ? "set SMTP_URL"
        : 'write email: { provider: "smtp", from: "app@example.com" } and set SMTP_URL'),
  );
}

/** Refuses a provider without its id and secret. */
function requireCredentials({ auth }: ProjectModel, { settings }: AccountsDependencies): void {
  for (const provider of providersOf(auth.signIn)) {
    const { id, secret } = credentialsOf(provider);
    const missing = [id, secret].filter((name) => !settings.variable?.(name));
    if (missing.length === 0) continue;
    throw new Error(
      `Cannot start: sign-in through ${provider} needs ${
        missing.join(" and ")
      }: set what the provider gave you`,
    );
  }
}

/** Requires a public address in production, to which a provider sends the browser back. */
function requireAddress({ auth }: ProjectModel, { settings }: AccountsDependencies): void {
  const { production, variable } = settings;
  const led = [
    ...(["magicLink", "passkeys"] as const).filter((key) => auth.signIn?.[key]),
    ...providersOf(auth.signIn).map((provider) => `sign-in through ${provider}`),
  ];
  if (led.length === 0 || !production || variable?.("BASE_URL") !== null) return;
  throw new Error(
    `Cannot start: ${
      led[0]
    } needs BASE_URL in production: set the API's public origin, such as https://api.example.com`,
  );
}
