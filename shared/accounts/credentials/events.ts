/**
 * Events of an account that may end credentials (docs/decisions/accounts.md, "Proofs and credentials"). Nothing else ends one.
 */

export interface AccountSubject {
  readonly userId: string;
  /** The account's address before the event, in any case. */
  readonly email: string;
  /** Rows of `auth_account` that the event itself made: the way to sign in that proved the address. */
  readonly keptSignIns?: readonly string[];
}

export interface MembershipSubject {
  readonly userId: string;
  readonly organizationId: string;
}

export interface OrganizationSubject {
  readonly organizationId: string;
}

/** The subject of each event. */
export interface EventSubjects {
  /** The first proof of an address, by somebody who need not have made the account. */
  readonly takeOver: AccountSubject;
  /** The first proof of an address, from a session of the account or with its password. */
  readonly confirmation: AccountSubject;
  readonly passwordChange: AccountSubject;
  /** A new password by a mailed link. */
  readonly passwordReset: AccountSubject;
  /** A new password set by a `sysadmin`. */
  readonly passwordSet: AccountSubject;
  readonly addressChange: AccountSubject;
  readonly ban: AccountSubject;
  readonly signOut: AccountSubject;
  /** A member leaves or is removed. */
  readonly membershipEnd: MembershipSubject;
  readonly organizationDeletion: OrganizationSubject;
  readonly accountDeletion: AccountSubject;
}

export type AccountEvent = keyof EventSubjects;

/** Names of the events in documents, in the order of their table. */
export const EVENT_NAMES = {
  takeOver: "taking over",
  confirmation: "confirmation",
  passwordChange: "password change",
  passwordReset: "password reset",
  passwordSet: "password set by `sysadmin`",
  addressChange: "change of address",
  ban: "ban",
  signOut: "sign-out",
  membershipEnd: "leaving, removal",
  organizationDeletion: "deleted organization",
  accountDeletion: "deleted account",
} satisfies Record<AccountEvent, string>;
