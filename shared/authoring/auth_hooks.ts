/** `hooks/auth.ts`: code that runs at events of an account (definitions 6). */
import type { AfterAuthHook, BeforeAuthHook, HandlerEnv } from "../model/mod.ts";
import type { UnattendedJobs } from "./job.ts";
import type { WebhookEventContext } from "./webhook.ts";

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

interface About {
  readonly user: AuthUser;
  readonly env: HandlerEnv;
  /** Runs work within an explicit scope, because a hook has no caller. */
  readonly scopeTo: WebhookEventContext["scopeTo"];
  /** Queues of jobs. A job belongs to the organization that the call names. */
  readonly jobs: UnattendedJobs;
}

interface AboutOrganization extends About {
  readonly organization: AuthOrganization;
}

interface AboutMember extends AboutOrganization {
  /** The member's role in the organization. */
  readonly role: string;
}

/** Context before something is created: there is no id yet, and no database to write to. */
interface Before {
  readonly env: HandlerEnv;
}

interface HookContexts {
  readonly beforeSignUp: Before & { readonly user: Omit<AuthUser, "id"> };
  readonly beforeOrganizationCreated: Before & {
    readonly user: AuthUser;
    readonly organization: Omit<AuthOrganization, "id">;
  };
  readonly onSignUp: About;
  readonly onSignIn: About;
  readonly onUserUpdated: About;
  readonly onUserDeleted: About;
  readonly onOrganizationCreated: AboutOrganization;
  readonly onOrganizationUpdated: AboutOrganization;
  readonly onOrganizationDeleted: AboutOrganization;
  readonly onMemberAdded: AboutMember;
  readonly onMemberRemoved: AboutMember;
}

/** Hooks before an event refuse it by an `ActionError`. Hooks after an event cannot undo it. */
export type AuthHooks = {
  readonly [Name in BeforeAuthHook | AfterAuthHook]?: (context: HookContexts[Name]) => unknown;
};
