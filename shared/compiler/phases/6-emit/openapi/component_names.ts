/**
 * Names under `components.schemas`. Every name of a resource ends in one of these suffixes, of which none ends in
 * another, and the underscore sets a view's name off: so no two things share a name.
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

/** A record with what it may include beside its columns. */
export function readName({ resource }: Described): string {
  return `${pascalCase(resource.name)}Read`;
}

export function pageName(described: Described & Pick<Operation, "kind">): string {
  return described.kind === "view"
    ? `${subjectOf(described.resource.name, described.view?.name)}Page`
    : `${pascalCase(described.resource.name)}Page`;
}

/** A page of a record's history. */
export function historyName({ resource }: Described): string {
  return `${pascalCase(resource.name)}History`;
}

/** One change of a record. */
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

/** The kinds of operations with a body of a resource's own. */
export type BodyKind = keyof typeof BODY_SUFFIXES;

export function isBodyKind(kind: Operation["kind"]): kind is BodyKind {
  return Object.hasOwn(BODY_SUFFIXES, kind);
}

export function bodyName(kind: BodyKind, { resource }: Described): string {
  return pascalCase(resource.name) + BODY_SUFFIXES[kind];
}

/** Component name of a batch's answer. */
export function batchName(entry: "record" | "id", { resource }: Described): string {
  return pascalCase(resource.name) + (entry === "record" ? "WriteResults" : "DeleteResults");
}

function subjectOf(resource: string, view: string | undefined): string {
  return view === undefined ? pascalCase(resource) : `${pascalCase(resource)}_${pascalCase(view)}`;
}

/** Security schemes and requirements (contract 5.1). */
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

/** Rights that clients of users may be allowed. Its addresses are below the API's own, wherever that is. */
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

/** The scopes of an endpoint; null: no token of a client gets there. */
function scopesAt({ grant, who }: Pick<Secured, "grant" | "who">): readonly string[] | null {
  if (grant === undefined) return who === "header" ? [] : null;
  return grant.verbs.map((verb) => `${grant.resource}:${verb}`);
}

interface Secured {
  readonly who: Who;
  /** A rule of the project's own; absent: there is none. */
  readonly access?: Access;
  /** The name of an operation in permissions; absent: it has none. */
  readonly grant?: Grant;
}

/** The schemes by which an endpoint takes callers. */
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
        // Its variants, whatever role its verifier may give, and what everybody holds.
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
