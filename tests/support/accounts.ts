/** Accounts over a fresh database, and browsers that keep their cookies. */
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { RUNTIME_CODES } from "../../shared/contract/codes.ts";
import { ACCOUNT_MAILS, LINK_PATHS } from "../../shared/model/email.ts";
import { authTables } from "../../shared/model/auth_tables.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { SECURITY_EVENTS } from "../../shared/model/security_events.ts";
import { AUDIT_EVENTS } from "../../shared/model/audit.ts";
import type { SqlColumn, SqlTable } from "../../shared/model/sql_table.ts";
import type {
  Accounts,
  Connection,
  Database,
  EmailMessage,
  LogEntry,
} from "../../shared/runtime/ports.ts";
import { type DriverUnderTest, withDatabase } from "./databases.ts";
import { passwords } from "./passwords.ts";
import { project as sample } from "./sample_project.ts";

export interface AccountsOptions {
  readonly baseUrl?: string;
  readonly production?: boolean;
  readonly project?: ProjectModel;
  readonly sysadminEmails?: readonly string[];
  readonly driver?: DriverUnderTest;
  /** Default: messages are collected in `sent`. */
  readonly email?: "default";
}

export interface AccountsUnderTest {
  readonly accounts: Accounts;
  readonly database: Database;
  readonly baseUrl: string;
  readonly sent: readonly EmailMessage[];
  readonly log: readonly LogEntry[];
  /** A browser without cookies. */
  browser(connection?: Connection): Browser;
  /** A browser whose user has just signed up. */
  signedUp(name: string): Promise<Browser>;
}

export const PASSWORD = "correct horse battery staple";
export const AUTH_SECRET = new TextEncoder().encode("accounts-test-secret-of-more-than-32-bytes");

/** Gives the body accounts over a database of their own. */
export function withAccounts(
  options: AccountsOptions,
  body: (underTest: AccountsUnderTest) => Promise<void>,
): Promise<void> {
  const { baseUrl = "http://localhost:8000", production = false, project = sample } = options;
  const withOne = options.driver?.with ?? withDatabase;
  return withOne(async (database) => {
    await createAuthTables(database, project);
    const sent: EmailMessage[] = [];
    const log: LogEntry[] = [];
    const accounts = createAccounts(project, {
      database,
      settings: { baseUrl, authSecret: AUTH_SECRET, production },
      logger: { log: (entry) => void log.push(entry) },
      limiter: memoryRateLimiter({ clock: systemClock }),
      passwords,
      detached,
      ...(options.email === "default" ? {} : {
        email: { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) },
      }),
      sysadminEmails: options.sysadminEmails ?? [],
    });
    const browser = (connection?: Connection) => new Browser(accounts, baseUrl, connection);
    await body({
      accounts,
      database,
      baseUrl,
      sent,
      log,
      browser,
      async signedUp(name) {
        const fresh = browser();
        await fresh.expect(200, "/sign-up/email", {
          name,
          email: `${name}@example.com`,
          password: PASSWORD,
        });
        return fresh;
      },
    });
  });
}

/** Routes that take a link's token in their body. */
const BY_TOKEN: Readonly<Record<string, string>> = {
  "/reset-password": ACCOUNT_MAILS.resetPassword.link.path,
  "/delete-user": ACCOUNT_MAILS.deleteAccount.link.path,
};

/** One visitor: keeps the cookies it is given and says where it comes from, as browsers do. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** As the last answer wrote them. */
  setCookies: readonly string[] = [];

  constructor(
    private readonly accounts: Accounts,
    private readonly baseUrl: string,
    private readonly connection?: Connection,
  ) {}

  get headers(): Headers {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return new Headers({ origin: this.baseUrl, ...(cookie === "" ? {} : { cookie }) });
  }

  /** Headers with an empty value are left out. A request below `/auth/v1`, or at a path of its own when it begins with another base. */
  async send(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = path.startsWith("/api/") || path.startsWith("/auth/") ? path : `/auth/v1${path}`;
    const sent = this.headers;
    for (const [name, value] of Object.entries(headers)) {
      if (value === "") sent.delete(name);
      else sent.set(name, value);
    }
    if (body !== undefined) sent.set("content-type", "application/json");
    return await this.deliver(
      new Request(this.baseUrl + url, {
        method: body === undefined ? "GET" : "POST",
        headers: sent,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }

  /** What a page's `fetch` does: the request, with the browser's cookies and origin. */
  fetch(request: Request): Promise<Response> {
    for (const [name, value] of this.headers) request.headers.set(name, value);
    return this.deliver(request);
  }

  private async deliver(request: Request): Promise<Response> {
    const response = await this.followed(request) ??
      await this.accounts.handle(request, this.connection);
    this.keep(response);
    return response;
  }

  /** What the routes of the service do with a token of a mailed link; null: the request carries none. */
  private async followed(request: Request): Promise<Response | null> {
    if (request.method !== "POST") return null;
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/(?:auth\/v1|api\/auth)/, "");
    const body: Record<string, unknown> = await request.clone().json();
    const text = (name: string) => typeof body[name] === "string" ? body[name] : null;
    const token = text("token");
    const link = BY_TOKEN[path] ?? path;
    if (!LINK_PATHS.includes(link) || (token === null && text("invitationId") === null)) {
      return null;
    }
    const answer = await this.accounts.followLink({
      path: link,
      token,
      invitationId: text("invitationId"),
      password: text("password"),
      newPassword: text("newPassword"),
      takeOver: body["takeOver"] === true,
      headers: request.headers,
    }, this.connection);
    if (answer instanceof Response) return answer;
    return Response.json({ code: answer }, { status: RUNTIME_CODES[answer].status });
  }

  /** The body of an answer that must have this status. */
  async expect(status: number, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await this.send(path, body);
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`Expected ${status} from ${path}, got ${response.status}: ${text}`);
    }
    const parsed: unknown = text === "" ? null : JSON.parse(text);
    return typeof parsed === "object" && parsed !== null
      ? Object.fromEntries(Object.entries(parsed))
      : {};
  }

  private keep(response: Response): void {
    this.setCookies = response.headers.getSetCookie();
    for (const line of this.setCookies) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const [name = "", ...value] = pair.split("=");
      const gone = attributes.some((attribute) => attribute.toLowerCase() === "max-age=0");
      if (gone) this.cookies.delete(name);
      else this.cookies.set(name, value.join("="));
    }
  }
}

/** The tables that accounts need and nothing else. */
export function createAuthTables(
  database: Database,
  { auth }: Pick<ProjectModel, "auth"> = sample,
): Promise<void> {
  return database.migrate(
    [...authTables(auth), AUDIT_EVENTS, SECURITY_EVENTS].flatMap(tableStatements).map((sql) => ({
      sql,
      args: [],
    })),
  );
}

function tableStatements({ name, columns, indexes }: SqlTable): readonly string[] {
  return [
    `CREATE TABLE "${name}" (${columns.map(columnDefinition).join(", ")})`,
    ...indexes.map((index) =>
      `CREATE ${index.unique ? "UNIQUE " : ""}INDEX "${index.name}" ON "${name}" (${
        index.columns.map((column) => `"${column}"`).join(", ")
      })`
    ),
  ];
}

function columnDefinition({ name, type, notNull, primaryKey, references }: SqlColumn): string {
  return [
    `"${name}" ${type}`,
    ...(primaryKey ? ["PRIMARY KEY"] : []),
    ...(notNull ? ["NOT NULL"] : []),
    ...(references
      ? [
        `REFERENCES "${references.table}" ("${references.column}") ON DELETE ${references.onDelete}`,
      ]
      : []),
  ].join(" ");
}
