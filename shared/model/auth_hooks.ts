/** Hooks that `hooks/auth.ts` may define in the life of an account (definitions 6). */

/** Hooks that run before an event: an error that they throw refuses it. */
const BEFORE_AUTH_HOOKS = ["beforeSignUp", "beforeOrganizationCreated"] as const;

/** Hooks that run after an event: an error that they throw is logged. */
const AFTER_AUTH_HOOKS = [
  "onSignUp",
  "onSignIn",
  "onUserUpdated",
  "onUserDeleted",
  "onOrganizationCreated",
  "onOrganizationUpdated",
  "onOrganizationDeleted",
  "onMemberAdded",
  "onMemberRemoved",
] as const;

export const AUTH_HOOKS: readonly AuthHookName[] = [...BEFORE_AUTH_HOOKS, ...AFTER_AUTH_HOOKS];

export type BeforeAuthHook = typeof BEFORE_AUTH_HOOKS[number];
export type AfterAuthHook = typeof AFTER_AUTH_HOOKS[number];
export type AuthHookName = BeforeAuthHook | AfterAuthHook;
