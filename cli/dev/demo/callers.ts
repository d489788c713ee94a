/** Lists the callers of the playground's requests: the demo's people, one for each role, a team, platform roles and a key. */
import type { Credential } from "../../../playground/mod.ts";
import { onceMade } from "../../../shared/lib/memo.ts";
import type { Principal } from "../../../shared/model/mod.ts";
import { CONTRACT_VERSIONS, PLATFORM_ROLES } from "../../../shared/contract/mod.ts";
import { type ApiClient, DemoError, textAt } from "./api_client.ts";
import { type Demo, type DemoOptions, mintedCredential, personOf } from "./demo.ts";
import type { Visitor } from "./tour.ts";

/** Caller whose credential is created at its first use. */
export interface Caller {
  readonly name: string;
  /** Description of the caller. */
  readonly about: string;
  readonly credential: () => Promise<Credential>;
}

const TEAM = "team-red";

/** Returns the callers in the order in which a page offers them. */
export function callersOf(demo: Demo, options: DemoOptions): readonly Caller[] {
  const { organization, member, neighbour } = demo;
  const home = organization === null ? "" : ` of ${organization.name}`;
  const known = [demo.demo, ...(member === null ? [] : [member])];
  return [
    ...known.map((visitor) => knownCaller(visitor, home)),
    knownCaller(neighbour, organization === null ? "" : " of another organization"),
    ...roleCallers(demo, options, home),
    ...tokenCallers(demo, options, home),
    ...keyCallers(demo, options.api),
    ...seedCallers(demo, options),
  ].map(({ name, about, credential }) => ({ name, about, credential: onceMade(credential) }));
}

function knownCaller({ name, principal, credential }: Visitor, home: string): Caller {
  return {
    name,
    about: principal.roles.join(", ") + home,
    credential: () => Promise.resolve(credential),
  };
}

/** Returns one account for each role that no person of the demo has alone: those of the hierarchy, and the project's own. */
function roleCallers(demo: Demo, options: DemoOptions, home: string): readonly Caller[] {
  const { auth } = demo.project;
  const held = [demo.demo, demo.member].map((visitor) => visitor?.principal.roles.join() ?? "");
  return [...new Set([...auth.roleHierarchy, ...auth.roles])]
    .filter((role) => !held.includes(role))
    .map((role) => ({
      name: role,
      about: `${role}${home}`,
      credential: async () => (await personOf(role, demo, options)).credential,
    }));
}

/** Returns callers with claims that only a token contains, for projects whose rules use them. */
function tokenCallers(demo: Demo, options: DemoOptions, home: string): readonly Caller[] {
  const { project } = demo;
  if (project.auth.jwt === null) return [];
  const minted = (name: string, about: string, change: Partial<Principal>): Caller => ({
    name,
    about,
    credential: () => mintedCredential({ ...demo.demo.principal, ...change }, options),
  });
  // Some rule of the project names the role.
  const named = PLATFORM_ROLES.filter((role) =>
    JSON.stringify([project.resources, project.actions]).includes(JSON.stringify(role))
  );
  return [
    ...(project.tables.some(({ scope }) => scope.team !== null)
      ? [
        minted(TEAM, `${demo.demo.principal.roles.join(", ")}${home}, in ${TEAM}`, {
          teamId: TEAM,
        }),
      ]
      : []),
    ...named.map((userRole) => minted(userRole, `${userRole}, by the token's claim`, { userRole })),
  ];
}

/** Returns members of the seed's organizations, whose rows the demo's people cannot see. */
function seedCallers({ project, demo }: Demo, options: DemoOptions): readonly Caller[] {
  const { seed, auth } = project;
  if (!seed || auth.jwt === null) return [];
  return seed.organizations.flatMap(({ id, name, members }) =>
    Object.entries(members).map(([userId, roles]) => ({
      name: `${userId} of ${id}`,
      about: `${roles.join(", ")} of ${name}, of the seed`,
      credential: () =>
        mintedCredential({ ...demo.principal, userId, organizationId: id, roles }, options),
    }))
  );
}

function keyCallers({ account, project, demo }: Demo, api: ApiClient): readonly Caller[] {
  const { authBase } = CONTRACT_VERSIONS[project.contract];
  const credential = async (): Promise<Credential> => {
    const { status, json } = await api({
      method: "POST",
      path: `${authBase}/api-key/create`,
      credential: account.session,
      body: { name: "playground" },
    });
    const value = textAt(json, "key");
    if (value === null) throw new DemoError(`Making an API key answered ${status}`);
    return { name: "x-api-key", value };
  };
  return [{ name: "api-key", about: `an API key of ${demo.name}`, credential }];
}
