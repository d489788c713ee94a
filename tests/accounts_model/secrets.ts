/** What somebody holds, and what each event ends of it (docs/proof.md, "walks"). */
import type { Person } from "./people.ts";

/** An account as those who walk know it. */
export interface Account {
  readonly id: string;
  address: string;
  /** When its address was proved, and by whose mail; null: nobody has. */
  proved: { readonly by: Person; readonly at: number } | null;
  isBanned: boolean;
  /** Gets no code of a device but from whoever enrolled one. */
  factor: Factor | null;
}

/** A second factor, and what was used of it. */
export interface Factor {
  readonly by: Person;
  readonly secret: string;
  readonly backupCodes: readonly string[];
  readonly used: Set<string>;
}

interface Held {
  readonly by: Person;
  readonly account: Account;
  /** Place in the order of all that happened. */
  readonly at: number;
  readonly organizationId: string | null;
  /** The event that ended it; null: none has. */
  endedBy: string | null;
}

/** Cookies of one browser. */
export interface Session extends Held {
  readonly kind: "session";
  readonly cookies: Map<string, string>;
  readonly isImpersonation: boolean;
}

/** Headers that a program sends. */
export interface Program extends Held {
  readonly kind: "key" | "bearer" | "scope token";
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Grant extends Held {
  readonly kind: "grant";
  readonly clientId: string;
  access: string;
  refresh: string;
}

/** An address of theirs that the service sends to. */
export interface Receiver extends Held {
  readonly kind: "push registration" | "webhook endpoint";
  readonly url: string;
}

export interface Stream extends Held {
  readonly kind: "stream";
  /** Where it was opened: it ends with that. */
  readonly session: Session;
  /** All that was heard so far. */
  heard: string;
  readonly leave: () => Promise<void>;
}

/** A browser that need not give the second factor again. */
export interface Device extends Held {
  readonly kind: "trusted device";
  readonly cookies: ReadonlyMap<string, string>;
}

export type Credential = Session | Program | Grant | Receiver | Stream | Device;

export type CredentialKind = Credential["kind"];

/** What acts for the account. A scope token acts for an organization, whoever made it. */
const ACTING = ["session", "key", "bearer", "grant"] as const;

/** What is over for an account once this has happened: that which was there before, whoever made it. */
export const ENDED = {
  "a taking over": [
    ...ACTING,
    "scope token",
    "push registration",
    "webhook endpoint",
    "trusted device",
    "stream",
  ],
  "a reset": [...ACTING, "trusted device"],
  "a change of password": ["trusted device"],
  "a change of address": ["trusted device"],
  "an operator's password": ACTING,
  "a ban": ["session"],
  "the end of the account": ["session", "key", "grant"],
} as const satisfies Readonly<Record<string, readonly CredentialKind[]>>;

export type AccountEvent = keyof typeof ENDED;

/** What is over in one organization once its holder was removed, or has left. */
export const ENDED_IN_ORGANIZATION: readonly CredentialKind[] = ["key", "grant"];

/** Events after which no link or code that was mailed before does anything. */
export const ENDS_LINKS: readonly AccountEvent[] = [
  "a taking over",
  "a reset",
  "a change of password",
  "a change of address",
  "the end of the account",
];

/** What was mailed, to whoever reads the address. */
export interface Mail {
  readonly kind:
    | "magic link"
    | "code"
    | "confirmation"
    | "reset"
    | "change of address"
    | "deletion"
    | "invitation"
    | "notice";
  readonly to: string;
  readonly at: number;
  /** What it is about; null: no account that is known. */
  account: Account | null;
  /** Path and query of its link. */
  readonly link: string | null;
  readonly token: string;
  readonly id: string;
  used: boolean;
  endedBy: string | null;
}

/** An organization, and who was let in. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly by: Person;
  readonly account: Account;
  readonly at: number;
  /** People who were invited and not removed. */
  readonly guests: Set<Person>;
  /** People who came in by their own will, in an account whose mail they read. */
  readonly joined: Set<Person>;
}
