/** Creates the people of the demo once: real accounts and organizations, through the API's own routes. */
import type { Credential } from "../../../playground/mod.ts";
import type { NewAccount } from "./found_account.ts";
import { type Answer, type ApiClient, DemoError, member, textAt } from "./api_client.ts";

export const DEMO_PASSWORD = "demo-password";

export interface Account {
  readonly email: string;
  readonly userId: string;
  readonly session: Credential;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
}

export interface AccountRoutes {
  readonly api: ApiClient;
  /** Base path, such as `/auth/v1`. */
  readonly authBase: string;
  /** Creates an account without the API, for projects in which people cannot sign up by themselves; null: they can. */
  readonly found: ((account: NewAccount) => Promise<void>) | null;
}

interface NewOrganization {
  readonly name: string;
  readonly slug: string;
}

/** Signs in, or signs up if there is no such account. `isNew` only decides which is tried first. */
export async function signIn(
  routes: AccountRoutes,
  person: {
    readonly email: string;
    readonly name: string;
  },
  { isNew }: { readonly isNew: boolean },
): Promise<Account> {
  const { found } = routes;
  const account = { ...person, password: DEMO_PASSWORD };
  const { name: _name, ...known } = account;
  const signingIn = () => entered(routes, "sign-in/email", known);
  const joining = async () => {
    if (found === null) return await entered(routes, "sign-up/email", account);
    await found(account);
    return await signingIn();
  };
  const answers: number[] = [];
  for (const way of isNew ? [joining, signingIn] : [signingIn, joining]) {
    const answer = await way();
    if (typeof answer === "object") return { email: person.email, ...answer };
    answers.push(answer);
  }
  throw new DemoError(`Signing in and up as ${person.email} answered ${answers.join(" and ")}`);
}

/** Returns the session of the answer, or the status of an answer without one. */
async function entered(
  { api, authBase }: AccountRoutes,
  route: string,
  body: Readonly<Record<string, string>>,
): Promise<Omit<Account, "email"> | number> {
  const path = `${authBase}/${route}`;
  const { status, json, cookies } = await api({ method: "POST", path, credential: null, body });
  const userId = textAt(json, "user", "id");
  if (status !== 200 || userId === null || cookies.length === 0) return status;
  return { userId, session: { name: "cookie", value: cookies.join("; ") } };
}

/** Returns the account's organization of that name, created if it does not exist, and makes it active in the session. */
export async function ownOrganization(
  routes: AccountRoutes,
  account: Account,
  organization: NewOrganization,
): Promise<Organization> {
  const known = (await organizationsOf(routes, account)).find(({ name }) =>
    name === organization.name
  );
  const found = known ?? await createOrganization(routes, account, organization);
  await activate(routes, account, found.id);
  return found;
}

/** Makes the organization active in the session. */
async function activate(
  { api, authBase }: AccountRoutes,
  account: Account,
  organizationId: string,
): Promise<void> {
  await expectSuccess(
    await api({
      method: "POST",
      path: `${authBase}/organization/set-active`,
      credential: account.session,
      body: { organizationId },
    }),
    "Choosing the active organization",
  );
}

/** Adds an account to the organization with a role: the owner invites, the account accepts. */
export async function join(
  routes: AccountRoutes,
  account: Account,
  invitation: {
    readonly owner: Account;
    readonly organization: Organization;
    readonly role: string;
  },
): Promise<void> {
  const { api, authBase } = routes;
  const { owner, organization, role } = invitation;
  if ((await organizationsOf(routes, account)).some(({ id }) => id === organization.id)) {
    return await activate(routes, account, organization.id);
  }
  const invited = await api({
    method: "POST",
    path: `${authBase}/organization/invite-member`,
    credential: owner.session,
    body: { email: account.email, role, organizationId: organization.id, resend: true },
  });
  await expectSuccess(invited, `Inviting ${account.email}`);
  await expectSuccess(
    await api({
      method: "POST",
      path: `${authBase}/organization/accept-invitation`,
      credential: account.session,
      body: { invitationId: textAt(invited.json, "id") },
    }),
    `Accepting the invitation of ${account.email}`,
  );
  await activate(routes, account, organization.id);
}

async function createOrganization(
  { api, authBase }: AccountRoutes,
  account: Account,
  organization: NewOrganization,
): Promise<Organization> {
  const answer = await api({
    method: "POST",
    path: `${authBase}/organization/create`,
    credential: account.session,
    body: { ...organization },
  });
  const id = textAt(answer.json, "id");
  if (id === null) throw new DemoError(`Creating ${organization.name} answered ${answer.status}`);
  return { id, name: organization.name };
}

async function organizationsOf(
  { api, authBase }: AccountRoutes,
  { session }: Account,
): Promise<readonly Organization[]> {
  const path = `${authBase}/organization/list`;
  const { json } = await api({ method: "GET", path, credential: session });
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry: unknown) => {
    const id = textAt(entry, "id");
    const name = textAt(entry, "name");
    return id === null || name === null ? [] : [{ id, name }];
  });
}

function expectSuccess(answer: Answer, what: string): void {
  if (answer.status === 200) return;
  const reason = textAt(answer.json, "message") ?? textAt(answer.json, "code") ??
    String(member(answer.json, "title") ?? "");
  throw new DemoError(`${what} answered ${answer.status} ${reason}`.trimEnd());
}
