/** Ports between accounts and the rows that name them (definitions 3, `onMemberRemoved`). */
import type { Database, Reader, Transaction } from "./database_ports.ts";

/** An account whose membership has ended in this transaction, or whose ban began. */
export interface ReleasedMember {
  readonly userId: string;
  /** Null: of every organization in which it is no member any more. */
  readonly organizationId: string | null;
  /** True where nothing can keep it: it was banned, deleted or taken over. */
  readonly isGone: boolean;
  /** Account that ended it. Null: unknown. */
  readonly by: string | null;
}

/** Rows that name members, for whoever ends memberships. */
export interface MemberWatch {
  /** Returns the database with the frames of what `release` changes. */
  watched(database: Database): Database;
  /** Returns the number of living rows that keep a member in the organization. */
  referring(
    reader: Reader,
    member: { readonly userId: string; readonly organizationId: string },
  ): Promise<number>;
  /** Clears the account from the rows that let go of it, with their stamps and their history. */
  release(transaction: Transaction, released: ReleasedMember): Promise<void>;
}
