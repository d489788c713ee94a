/**
 * Builds names under `components.schemas`. Every name of a resource ends in one of these suffixes, and none of them ends in
 * another. An underscore separates a view's name. No two things have the same name.
 */
import { STANDING_ROLES } from "../../../../contract/mod.ts";
import { type Access, isDelegatedRole, type ProjectModel } from "../../../../model/mod.ts";
import { inEnglish, inWords, isOauthServer, OAUTH_PATHS } from "../../../../surface/mod.ts";
import { pascalCase, rolesNamedBy, scopesOf } from "../../../../surface/mod.ts";
import type { Grant, JsonSchema, Operation, Who } from "../../../../surface/mod.ts";

type Described = Pick<Operation, "resource" | "view">;

export function recordName({ resource, view }: Described): string {
  return `${subjectOf(resource.name, view?.name)}Record`;
}

/** Returns the name of a record with the related records that it may include. */
export function readName({ resource }: Described): string {
  return `${pascalCase(resource.name)}Read`;
}

export function pageName(described: Described & Pick<Operation, "kind">): string {
  return described.kind === "view"
    ? `${subjectOf(described.resource.name, described.view?.name)}Page`
    : `${pascalCase(described.resource.name)}Page`;
}

/** Returns the name of a page of a record's history. */
export function historyName({ resource }: Described): string {
  return `${pascalCase(resource.name)}History`;
}

/** Returns the name of one change of a record. */
export function changeName({ resource }: Described): string {
  return `${pascalCase(resource.name)}Change`;
}

const BODY_SUFFIXES = {
  create: "Create",
  update: "Update",
  upsert: "Upsert",
  batchCreate: "CreateBatch",
  batchUpdate: "UpdateBatch",
  batchDelete: "DeleteBatch",
  batchUpsert: "UpsertBatch",
} as const satisfies Partial<Record<Operation["kind"], string>>;

/** The kinds of operations whose body is the resource's own. */
export type BodyKind = keyof typeof BODY_SUFFIXES;

export function isBodyKind(kind: Operation["kind"]): kind is BodyKind {
  return Object.hasOwn(BODY_SUFFIXES, kind);
}

export function bodyName(kind: BodyKind, { resource }: Described): string {
  return pascalCase(resource.name) + BODY_SUFFIXES[kind];
}

/** Returns the component name of a batch's response. */
export function batchName(entry: "record" | "id", { resource }: Described): string {
  return pascalCase(resource.name) + (entry === "record" ? "WriteResults" : "DeleteResults");
}

function subjectOf(resource: string, view: string | undefined): string {
  return view === undefined ? pascalCase(resource) : `${pascalCase(resource)}_${pascalCase(view)}`;
}

/** Builds security schemes and requirements (contract 5.1). */
export function securitySchemesOf(project: ProjectModel): JsonSchema {
  const { auth } = project;
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "better-auth.session_token",
      description:
        "The session that signing in sets. Under https the name begins with `__Secure-`.",
    },
    apiKey: {
      type: "apiKey",
      in: "header",
      name: "x-api-key",
      description: "A key of one user in one organization, made at `/api-key/create`.",
    },
    ...(auth.jwt === null ? {} : {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    }),
    ...(isOauthServer(project) ? { oauth: oauthScheme(project) } : {}),
    ...Object.fromEntries(
      auth.principals.map(({ name, scheme, variants }) => [schemeName(name), {
        type: "http",
        scheme,
        description: `A delegated principal of this project: ${variants.join(", ")}.`,
      }]),
    ),
  };
}

/** Returns the OAuth scheme with the rights that users may grant to clients. Its URLs are relative to the API's own address. */
function oauthScheme(project: ProjectModel): JsonSchema {
  const words = inWords(project, scopesOf(project), inEnglish).map(({ scope, heading, text }) =>
    [scope, `${text} (${heading})`] as const
  );
  return {
    type: "oauth2",
    description: "Tokens of clients that a user allowed something: authorization code with PKCE.",
    flows: {
      authorizationCode: {
        authorizationUrl: OAUTH_PATHS.authorize,
        tokenUrl: OAUTH_PATHS.token,
        refreshUrl: OAUTH_PATHS.token,
        scopes: Object.fromEntries(words),
      },
    },
  };
}

/** Returns the scopes of an endpoint; null: it accepts no token of a client. */
function scopesAt({ grant, who }: Pick<Secured, "grant" | "who">): readonly string[] | null {
  if (grant === undefined) return who === "header" ? [] : null;
  return grant.verbs.map((verb) => `${grant.resource}:${verb}`);
}

interface Secured {
  readonly who: Who;
  /** Access rule of the project's own; absent: there is none. */
  readonly access?: Access;
  /** Name of the operation in permissions; absent: it has none. */
  readonly grant?: Grant;
}

/** Returns the schemes by which an endpoint accepts callers. */
export function securityOf(
  project: ProjectModel,
  { who, access, grant }: Secured,
): readonly JsonSchema[] {
  const { auth } = project;
  if (who === "unasked") return [];
  if (who === "session") return [{ session: [] }];
  const scopes = isOauthServer(project)
    ? scopesAt({ who, ...(grant === undefined ? {} : { grant }) })
    : null;
  const delegated = access === undefined
    ? []
    : auth.principals.filter(({ name }) =>
      rolesNamedBy(access).some((role) => {
        // A delegated principal has its variants, the roles that its verifier may give, and the roles that every caller has.
        if (isDelegatedRole(role)) return role.startsWith(`${name}/`);
        return role === "PUBLIC" || ![...STANDING_ROLES, ...auth.roleHierarchy].includes(role);
      })
    );
  return [
    ...(auth.jwt === null ? [] : [{ bearer: [] }]),
    ...(scopes === null ? [] : [{ oauth: scopes }]),
    ...(who === "header" ? [] : [{ session: [] }]),
    { apiKey: [] },
    ...delegated.map(({ name }) => ({ [schemeName(name)]: [] })),
    ...(who === "anyone" ? [{}] : []),
  ];
}

function schemeName(principal: string): string {
  return `delegated-${principal}`;
}
