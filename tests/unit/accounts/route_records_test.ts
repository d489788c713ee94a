/**
 * The records of the account routes against the account library itself (definitions 7, "account routes"): every route and every
 * member that one side has is known to the other.
 */
import { assert, assertEquals } from "@std/assert";
import { betterAuth } from "better-auth/minimal";
import { z } from "zod";
import type { ProjectModel, SignInModel } from "../../../shared/model/mod.ts";
import {
  type AuthOperation,
  authOperationsOf,
  CLOSED_ROUTES,
  closedPathsOf,
  libraryMessage,
  NO_ORGANIZATION,
  NOT_A_MEMBER,
  UNROUTED_ROUTES,
  zodJson,
} from "../../../shared/surface/mod.ts";
import { validObject } from "../../support/account_requests.ts";
import { withDatabase } from "../../support/databases.ts";
import { seededRandom } from "../../support/random.ts";
import { sampleAuthOptions } from "../../support/sample_auth_options.ts";
import { project as sample } from "../../support/sample_project.ts";

const SIGN_IN: SignInModel = {
  magicLink: true,
  emailCode: true,
  twoFactor: true,
  passkeys: true,
  social: ["google"],
  oidc: [],
};

function projectWith(
  auth: Partial<ProjectModel["auth"]>,
  changed: Partial<ProjectModel> = {},
): ProjectModel {
  return { ...sample, ...changed, auth: { ...sample.auth, ...auth } };
}

const WHOLE = projectWith({ emailAndPassword: true, impersonation: true, signIn: SIGN_IN }, {
  agents: { ...sample.agents, oauth: true },
});

/** Options of the library that switch routes off by themselves. */
const PASSWORDS = { emailAndPassword: true, disableSignUp: false } as const;

/** One project for each switch that changes the routes, and the whole one. */
const MATRIX: Readonly<Record<string, ProjectModel>> = {
  whole: WHOLE,
  sample,
  "no password": projectWith({ emailAndPassword: false, signIn: { ...SIGN_IN, social: [] } }),
  "no sign-up": projectWith({ emailAndPassword: true, disableSignUp: true }),
  "no organizations": { ...WHOLE, multiTenant: false },
  "magic link": projectWith({ signIn: { ...SIGN_IN, emailCode: false, twoFactor: false } }),
  codes: projectWith({ signIn: { ...SIGN_IN, magicLink: false, passkeys: false } }),
};

interface LibraryRoute {
  readonly path: string;
  readonly methods: readonly string[];
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
}

/** What the library serves to clients: endpoints for servers alone have no path. */
function libraryRoutes(project: ProjectModel): Promise<readonly LibraryRoute[]> {
  return withDatabase((database) => {
    const options = sampleAuthOptions(database, project);
    // What a project closes is to be known, too.
    const { api } = betterAuth({ ...options, disabledPaths: [] });
    const routes = Object.values(api).flatMap((endpoint) => {
      const path = memberOf(endpoint, "path");
      if (typeof path !== "string") return [];
      const given = memberOf(endpoint, "options");
      const schemaAt = (name: string) => {
        const schema = memberOf(given, name);
        return schema instanceof z.ZodType ? schema : null;
      };
      const methods = [memberOf(given, "method")].flat().map(String);
      return [{ path, methods, body: schemaAt("body"), query: schemaAt("query") }];
    });
    return Promise.resolve(routes);
  });
}

function memberOf(value: unknown, name: string): unknown {
  return Object(value)[name];
}

/** Names of members, those of an object within as `data.name`; null: it takes any. */
function membersOf(schema: z.ZodType | null): ReadonlySet<string> | null {
  if (schema === null) return new Set();
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  const names = namesIn(json);
  return names.length === 0 && memberOf(json, "additionalProperties") !== false &&
      memberOf(json, "propertyNames") !== undefined
    ? null
    : new Set(names);
}

function namesIn(json: unknown): readonly string[] {
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const all = memberOf(json, key);
    return Array.isArray(all) ? all : [];
  });
  const own = Object.entries(Object(memberOf(json, "properties"))).flatMap(([name, member]) => [
    name,
    ...Object.keys(Object(memberOf(member, "properties"))).map((inner) => `${name}.${inner}`),
  ]);
  return [...own, ...parts.flatMap(namesIn)];
}

function described(routes: readonly LibraryRoute[], operation: AuthOperation): LibraryRoute {
  const { path, method } = operation;
  const found = routes.find((route) => route.path === path && route.methods.includes(method));
  assert(found, `The account library has no ${method} ${path}`);
  return found;
}

/** Members that the service reads itself, before the library creates what they are about. */
const OWN_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "/api-key/create": ["platformRole"],
};

for (const [name, project] of Object.entries(MATRIX)) {
  Deno.test(`every route of the account library is served, or closed for a reason (${name})`, async () => {
    const routes = await libraryRoutes(project);
    const served = new Set(
      authOperationsOf(project).filter(({ own }) => own === null).map(({ path }) => path),
    );
    const closed = new Set(closedPathsOf(project));
    const known = new Set([
      ...served,
      ...closed,
      ...Object.keys(UNROUTED_ROUTES),
      ...authOperationsOf({ ...project, auth: { ...project.auth, ...PASSWORDS } })
        .map(({ path }) => path),
    ]);
    const unknown = routes.filter(({ path }) => !known.has(path));
    assertEquals(unknown.map(({ path }) => path), []);
    assertEquals([...served.intersection(closed)], []);
    for (const operation of authOperationsOf(project)) {
      if (operation.own === null) described(routes, operation);
    }
  });

  Deno.test(`every member that the account library takes is taken or withheld, and no other (${name})`, async () => {
    const routes = await libraryRoutes(project);
    const differing = authOperationsOf(project).filter(({ own }) => own === null)
      .flatMap((operation) => {
        const route = described(routes, operation);
        const theirs = [membersOf(route.body), membersOf(route.query)];
        const ours = namesIn(zodJson(operation.body ?? z.object({}), "input"))
          .concat(namesIn(zodJson(operation.parameters, "input")));
        const own = new Set([...ours, ...operation.withheld]);
        const known = new Set(theirs.flatMap((names) => [...names ?? []]));
        const isOpen = (member: string) =>
          theirs.includes(null) || OWN_MEMBERS[operation.path]?.includes(member) ||
          member.includes(".") && ![...known].some((one) => one.startsWith("data."));
        const isWithheld = (member: string) =>
          operation.withheld.includes(member.split(".")[0] ?? "");
        const missing = [...known].filter((member) => !own.has(member) && !isWithheld(member));
        const strange = [...own].filter((member) => !known.has(member) && !isOpen(member));
        const twice = operation.withheld.filter((member) => ours.includes(member));
        return missing.length + strange.length + twice.length === 0
          ? []
          : [{ path: operation.path, missing, strange, twice }];
      });
    assertEquals(differing, []);
  });
}

Deno.test("a request that a record allows is one that the account library takes", async () => {
  const routes = await libraryRoutes(WHOLE);
  const random = seededRandom(17);
  for (const operation of authOperationsOf(WHOLE).filter(({ own }) => own === null)) {
    const route = described(routes, operation);
    for (let count = 0; count < 20; count += 1) {
      const body = operation.body && validObject(operation.body, KNOWN, random);
      const query = validObject(operation.parameters, KNOWN, random);
      const refused = [
        body && route.body?.safeParse(body).error,
        Object.keys(query).length > 0 && route.query?.safeParse(query).error,
      ].filter((one) => one);
      assertEquals(refused, [], `${operation.path} ${JSON.stringify({ body, query })}`);
    }
  }
});

const KNOWN = { provider: ["google"], callbackURL: ["/welcome"], redirectTo: ["/welcome"] };

Deno.test("a refusal by role is one of the account library's own", async () => {
  const texts = await withDatabase((database) => {
    const { $ERROR_CODES } = betterAuth(sampleAuthOptions(database, WHOLE));
    return Promise.resolve($ERROR_CODES);
  });
  const codes = authOperationsOf(WHOLE).flatMap(({ role }) =>
    role === null
      ? []
      : role.kind === "platform"
      ? [role.refusal]
      : role.refusal.form === "library"
      ? [role.refusal.code]
      : []
  );
  for (const code of new Set([...codes, NO_ORGANIZATION, NOT_A_MEMBER])) {
    assertEquals(libraryMessage(code), memberOf(memberOf(texts, code), "message"), code);
  }
});

Deno.test("a member that a record names for a proof or a password is one that the route takes", () => {
  for (const operation of authOperationsOf(WHOLE)) {
    const taken = new Set([
      ...Object.keys(operation.body?.shape ?? {}),
      ...Object.keys(operation.parameters.shape),
      ...operation.path.split("/").flatMap((part) => part.startsWith(":") ? [part.slice(1)] : []),
    ]);
    const named = [
      operation.choosesPassword,
      ...operation.challenges.map(({ member }) => member),
      ...operation.challenges.flatMap(({ of }) => of === "email" ? ["email"] : []),
      ...(operation.role?.kind === "organization" ? operation.role.names : []),
    ].filter((one) => one !== null);
    assertEquals(named.filter((one) => !taken.has(one)), [], operation.path);
    const secret = [...taken].filter((member) => /password|otp|^code$/i.test(member));
    assertEquals(secret.filter((member) => !named.includes(member)), [], operation.path);
  }
});

Deno.test("a route that no project serves says why", () => {
  const reasons = Object.values({ ...CLOSED_ROUTES, ...UNROUTED_ROUTES });
  assert(reasons.every((reason) => reason.length > 10));
});
