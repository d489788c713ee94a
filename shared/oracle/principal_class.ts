/**
 * Lists every kind of caller that an API distinguishes (contract 5.4, 5.6). They are the columns of the conformance manifest.
 */
import { ANONYMOUS, delegatedRole, type Principal, type ProjectModel } from "../model/mod.ts";

export interface PrincipalClass {
  /** Name of the class, unique and stable: `anonymous`, `role:agent`, `scope`, `delegate:kiosk/reader`. */
  readonly name: string;
  readonly description: string;
  /** An example of the class, in the given world. */
  readonly caller: Principal;
}

/** Ids that the examples belong to: one organization with one user and one team. */
export interface Home {
  readonly userId: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Ids for callers that need only the names of classes. No result contains them. */
export const NAMED_HOME: Home = {
  userId: "user",
  organizationId: "organization",
  teamId: "team",
};

export function principalClassesOf(
  model: ProjectModel,
  home: Home = NAMED_HOME,
): readonly PrincipalClass[] {
  const member: Principal = {
    credential: "token",
    userId: home.userId,
    organizationId: model.multiTenant ? home.organizationId : null,
    teamId: home.teamId,
    roles: [],
    userRole: null,
  };
  return [
    { name: "anonymous", description: "Nobody", caller: ANONYMOUS },
    { name: "member", description: "A member who holds no role that a rule names", caller: member },
    ...model.auth.roles.map((role) => ({
      name: `role:${role}`,
      description: `A member with the role ${role}`,
      caller: { ...member, roles: [role] },
    })),
    ...(model.multiTenant
      ? [{
        name: "outsider",
        description: "An account without an active organization",
        caller: { ...member, organizationId: null, teamId: null },
      }]
      : []),
    {
      name: "teamless",
      description: "A member with every role and no active team",
      caller: { ...member, teamId: null, roles: model.auth.roles },
    },
    ...(["appmanager", "sysadmin"] as const).map((userRole) => ({
      name: userRole,
      description: `An account with the platform role ${userRole}`,
      caller: { ...member, userRole },
    })),
    {
      name: "apiKey",
      description: "An API key of a member who holds no role that a rule names",
      // A key acts in an organization and in no team.
      caller: { ...member, credential: "apiKey", teamId: null },
    },
    {
      name: "apiKeyReader",
      description: "An API key of a member with every role, narrowed to reading",
      caller: {
        ...member,
        credential: "apiKey",
        teamId: null,
        roles: model.auth.roles,
        grants: { "*": ["read"] },
      },
    },
    ...(model.agents.oauth ? [oauthClient(model, member)] : []),
    {
      name: "scope",
      description: "The bearer of a scope token",
      caller: {
        ...member,
        credential: "scope",
        userId: null,
        teamId: null,
        scope: "conformance",
      },
    },
    ...model.auth.principals.flatMap(delegates),
  ];
}

/** Returns a client that may use a part of one resource. The rest of that resource and all others must refuse it. */
function oauthClient({ auth, resources }: ProjectModel, member: Principal): PrincipalClass {
  const [first] = resources;
  return {
    name: "oauthClient",
    description:
      "An OAuth client of a member with every role, allowed to read and update the first resource",
    caller: {
      ...member,
      credential: "oauth",
      teamId: null,
      roles: auth.roles,
      grants: first ? { [first.name]: ["read", "update"] } : {},
    },
  };
}

function delegates(
  { name, variants }: ProjectModel["auth"]["principals"][number],
): readonly PrincipalClass[] {
  return variants.map((variant) => ({
    name: `delegate:${name}/${variant}`,
    description: `The variant ${variant} of the delegated principal ${name}`,
    caller: {
      ...ANONYMOUS,
      credential: "delegated",
      roles: [delegatedRole(name, variant)],
      delegate: { name, variant, subject: "conformance" },
    },
  }));
}
