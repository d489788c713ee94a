/** Creates the demo on a running API: two tenants, their people and rows. Running it again changes nothing. */
import type { Credential } from "../../../playground/mod.ts";
import { CONTRACT_VERSIONS } from "../../../shared/contract/mod.ts";
import type { Principal, ProjectModel } from "../../../shared/model/mod.ts";
import type { Account, AccountRoutes, Organization } from "./accounts.ts";
import { join, ownOrganization, signIn } from "./accounts.ts";
import { type ApiClient, DemoError } from "./api_client.ts";
import { ensureSampleRows, type SampleRows } from "./sample_rows.ts";
import { tourRole, type TourScene, type Visitor } from "./tour.ts";

export interface DemoOptions {
  readonly api: ApiClient;
  readonly project: ProjectModel;
  /** Public origin: issuer and audience of tokens. */
  readonly origin: string;
  readonly authSecret: string;
  /** Creates an account without the API, for projects in which people cannot sign up by themselves; null: there is no way. */
  readonly found: AccountRoutes["found"];
  /** True when the database was just created and has no accounts yet. */
  readonly isNew: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Lifetime of the demo's tokens: a day. The API's own tokens last 15 minutes. */
const TOKEN_SECONDS = 24 * 60 * 60;

const DEMO = { email: "demo@example.com", name: "Demo" };
const NEIGHBOUR = { email: "neighbour@example.com", name: "Neighbour" };

/** Result of the demo: the scene of the tour, and the account to sign in with. */
export interface Demo extends TourScene {
  readonly account: Account;
  readonly organization: Organization | null;
  /** Visitor of another tenant, if there are tenants. */
  readonly neighbour: Visitor;
}

export async function setTheScene(options: DemoOptions): Promise<Demo> {
  const { project } = options;
  const routes = routesOf(options);
  const account = await signIn(routes, DEMO, options);
  const neighbour = await signIn(routes, NEIGHBOUR, options);
  const organization = project.multiTenant
    ? await ownOrganization(routes, account, { name: "Acme", slug: "demo-acme" })
    : null;
  const otherOrganization = project.multiTenant
    ? await ownOrganization(routes, neighbour, { name: "Globex", slug: "demo-globex" })
    : null;
  const demo = await visitor("demo", account, {
    options,
    organization,
    roles: ownerRoles(project),
  });
  const other = await visitor("neighbour", neighbour, {
    options,
    organization: otherOrganization,
    roles: ownerRoles(project),
  });
  return {
    project,
    account,
    organization,
    demo,
    neighbour: other,
    member: await memberOf(organization, account, options),
    rows: await rowsOf(demo, options),
    foreignRows: await rowsOf(other, options),
  };
}

function routesOf({ api, project: { auth, contract }, found }: DemoOptions): AccountRoutes {
  if (!auth.emailAndPassword) {
    throw new DemoError(
      "The project has no sign-in with a password, so nobody was signed in; " +
        "sign in as your own people do, or leave 'emailAndPassword' on",
    );
  }
  const isOpen = !auth.disableSignUp && !auth.requireEmailVerification;
  return { api, authBase: CONTRACT_VERSIONS[contract].authBase, found: isOpen ? null : found };
}

/** Returns the roles of the organization's creator: owner, and the project's own roles if it has others. */
function ownerRoles(project: ProjectModel): readonly string[] {
  return project.auth.roleHierarchy.includes("owner")
    ? ["owner"]
    : [...new Set(["owner", ...project.auth.roles])];
}

function rowsOf(visitor: Visitor, options: DemoOptions): Promise<SampleRows> {
  return ensureSampleRows({
    api: options.api,
    project: options.project,
    credential: visitor.credential,
    now: new Date(options.now).toISOString(),
  });
}

/** Returns a second person of the same organization, with the role that shows the most. */
async function memberOf(
  organization: Organization | null,
  owner: Account,
  options: DemoOptions,
): Promise<Visitor | null> {
  const role = tourRole(options.project);
  return role === null ? null : await personOf(role, { organization, account: owner }, options);
}

/** Returns a signed-in member of the demo's organization who has only that role; the next call returns the same one. */
export async function personOf(
  role: string,
  { organization, account: owner }: Pick<Demo, "organization" | "account">,
  options: DemoOptions,
): Promise<Visitor> {
  const routes = routesOf(options);
  const person = { email: `${role}@example.com`, name: role };
  const account = await signIn(routes, person, options);
  if (organization) await join(routes, account, { owner, organization, role });
  return await visitor(role, account, { options, organization, roles: [role] });
}

async function visitor(
  name: string,
  account: Account,
  { options, organization, roles }: {
    readonly options: DemoOptions;
    readonly organization: Organization | null;
    readonly roles: readonly string[];
  },
): Promise<Visitor> {
  const principal: Principal = {
    credential: options.project.auth.jwt ? "token" : "session",
    userId: account.userId,
    organizationId: organization?.id ?? null,
    teamId: null,
    roles,
    userRole: null,
  };
  // A token if the project has them, created as the API creates its own; otherwise the session's cookie.
  return {
    name,
    principal,
    credential: options.project.auth.jwt === null
      ? account.session
      : await mintedCredential(principal, options),
  };
}

/** Creates a token with these claims, for projects that have tokens. */
export async function mintedCredential(
  principal: Principal,
  { project, origin, authSecret, now }: DemoOptions,
): Promise<Credential> {
  // Imported while the API starts, and by `dev` only.
  const { createTokenMint } = await import("../../../shared/runtime/mod.ts");
  const mintToken = createTokenMint(project, {
    settings: { baseUrl: origin, authSecret: new TextEncoder().encode(authSecret) },
    clock: { now: () => now },
    random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
  });
  if (mintToken === null) throw new DemoError("The project has no tokens");
  const { token } = await mintToken(principal, { expiresIn: TOKEN_SECONDS });
  return { name: "authorization", value: `Bearer ${token}` };
}
