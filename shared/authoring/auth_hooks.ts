/** `hooks/auth.ts`: where a project steps into the life of an account (definitions 6). */
import type { AfterAuthHook, BeforeAuthHook } from "../model/auth_hooks.ts";
import type { HandlerEnv } from "../model/handler_env.ts";

export interface AuthUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface AuthOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** What an account hook is told; only what its name speaks of is there. */
export interface AuthHookContext {
  readonly user: AuthUser;
  readonly organization: AuthOrganization;
  /** A member's role in the organization. */
  readonly role: string;
  readonly env: HandlerEnv;
}

interface HookSubjects {
  readonly beforeSignUp: "user" | "env";
  readonly beforeOrganizationCreated: "user" | "organization" | "env";
  readonly onSignUp: "user" | "env";
  readonly onSignIn: "user" | "env";
  readonly onUserUpdated: "user" | "env";
  readonly onUserDeleted: "user" | "env";
  readonly onOrganizationCreated: "user" | "organization" | "env";
  readonly onOrganizationUpdated: "user" | "organization" | "env";
  readonly onOrganizationDeleted: "user" | "organization" | "env";
  readonly onMemberAdded: "user" | "organization" | "role" | "env";
  readonly onMemberRemoved: "user" | "organization" | "role" | "env";
}

/** Hooks before something throw to refuse it; hooks after something cannot undo it. */
export type AuthHooks = {
  readonly [Name in BeforeAuthHook | AfterAuthHook]?: (
    context: Pick<AuthHookContext, HookSubjects[Name]>,
  ) => unknown;
};
