/** Ports between accounts and the rows that name them (definitions 3, `onMemberRemoved`). */
import type { Database, Reader, Transaction } from "./database_ports.ts";

/** Account whose membership ended in this transaction, or whose ban began. */
export interface ReleasedMember {
  readonly userId: string;
  /** Null: every organization in which the account is no longer a member. */
  readonly organizationId: string | null;
  /** True when no row can keep the account: it was banned, deleted or taken over. */
  readonly isGone: boolean;
  /** Account that ended the membership. Null: unknown. */
  readonly by: string | null;
}

/** Rows that name members, as the code that ends memberships uses them. */
export interface MemberWatch {
  /** Returns the database that also publishes frames of what `release` changes. */
  watched(database: Database): Database;
  /** Returns the number of living rows that keep a member in the organization. */
  referring(
    reader: Reader,
    member: { readonly userId: string; readonly organizationId: string },
  ): Promise<number>;
  /** Clears the account in rows that release it, with their stamps and their history. */
  release(transaction: Transaction, released: ReleasedMember): Promise<void>;
}
