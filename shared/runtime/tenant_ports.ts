/** Ports of projects whose organizations have a database each (definitions 2, `tenancy`). */
import type { FileStore } from "./file_ports.ts";
import type { Database } from "./database_ports.ts";

/** A place of many databases: files of a folder, or namespaces of a server. The service chooses the names, never a caller. */
export interface TenantStore {
  has(name: string): Promise<boolean>;
  /** Opens the database, and makes it if it is missing. */
  make(name: string): Promise<Database>;
  /** Opens the database. Throws `DatabaseUnavailableError` for one that is missing or cannot be read. */
  open(name: string): Promise<Database>;
  /** Removes the database completely; a missing one counts as removed. */
  remove(name: string): Promise<void>;
  /** Returns another place, by its address; absent: there is no other. */
  at?(place: string): Promise<TenantStore>;
  close(): Promise<void>;
}

/**
 * Permission to make the database of an organization that has none, with its first write. `claimed`: for a caller who claims to
 * belong to it. `known`: only where the directory knows the organization. `never`: the directory takes the write.
 */
export type Founding = "claimed" | "known" | "never";

/** An organization's database with unfinished work. */
export interface WorkingTenant {
  readonly organizationId: string;
  /** Milliseconds since the epoch at which work was last left in it. */
  readonly since: number;
}

/** Databases of organizations, opened at their first use, and closed again when many others are in use. */
export interface TenantDatabases {
  /**
   * Returns the database of one organization. Where there is none, the directory answers reads, since it has no row of any
   * organization. Refuses with `FIREWALL_ORG_ISOLATION` for an organization that was deleted.
   */
  of(organizationId: string, founding: Founding): Database;
  /**
   * Returns the same for workers and operators: their writes leave no work that the directory would have to know of, and
   * `migrate` replaces rows.
   */
  atWork(organizationId: string): Database;
  /** Makes and migrates the database, where there is none yet. */
  found(organizationId: string): Promise<void>;
  /** Returns the organizations after `after` that were not deleted, in the order of their ids; empty: there are no more. */
  organizations(after: string, limit: number): Promise<readonly string[]>;
  /** Returns the same for organizations with unfinished work. */
  working(after: string, limit: number): Promise<readonly WorkingTenant[]>;
  /** Forgets that work was left in it, unless more was left since. */
  rest(tenant: WorkingTenant): Promise<void>;
  /**
   * Disables the organization's webhook endpoints that end with a taking over. The directory notes them until that is done:
   * call this before endpoints are used, shown or changed.
   */
  endEndpoints(organizationId: string): Promise<void>;
  /** Removes the database of an organization that was deleted; does nothing for any other. */
  remove(organizationId: string): Promise<void>;
  close(): Promise<void>;
}

/** An operator's command over the databases of organizations. */
export type TenantCommand =
  | { readonly kind: "list" }
  | { readonly kind: "migrate" }
  /** Exports one organization; without an organization all, each into a file of the folder. */
  | { readonly kind: "export"; readonly organizationId: string | null; readonly to: string }
  | { readonly kind: "import"; readonly from: string }
  /** Uses the folder's newest export that is not later than `at`. */
  | {
    readonly kind: "restore";
    readonly organizationId: string;
    readonly from: string;
    /** Time as ISO 8601; null: the newest. */
    readonly at: string | null;
  }
  /** Moves the database to the folder or server of an address; null: to the place where new ones are made. */
  | { readonly kind: "move"; readonly organizationId: string; readonly to: string | null }
  | { readonly kind: "delete"; readonly organizationId: string }
  | { readonly kind: "split"; readonly from: string };

/** An operator's command on the history of records (definitions 4, `audit`). */
export type AuditCommand =
  | { readonly kind: "verify" }
  | {
    readonly kind: "erase";
    readonly resource: string;
    readonly recordId: string;
    /** The record's organization; null: it belongs to none. */
    readonly organizationId: string | null;
  };

/** One chain of changes, with its first fault. */
export interface ChainVerdict {
  /** The organization; empty: the chain of rows that belong to none. */
  readonly chain: string;
  readonly changes: number;
  /** Count of changes of which only the hash is left: their content can no longer be verified. */
  readonly erased: number;
  /** Hash of the newest change: a copy of it elsewhere proves later that nothing before it was rewritten. */
  readonly head: string;
  /** The first row that differs from what was written; null: none does. */
  readonly broken: BrokenLink | null;
}

export interface BrokenLink {
  readonly sequence: number;
  /** The row's id; null: the row is missing. */
  readonly id: string | null;
  readonly why: string;
}

export type AuditOutcome =
  | {
    readonly kind: "verified";
    readonly chains: readonly ChainVerdict[];
    readonly hasFailed: boolean;
  }
  | { readonly kind: "erased"; readonly changes: number };

/** An export: an organization's rows, with the files to which they refer. */
export interface ExportPlace {
  readonly database: Database;
  readonly objects: FileStore;
}

/** Exports that operators' commands write and read. */
export interface ExportFiles {
  /** Makes a new export with what the body writes, or none when the body throws; refuses a path that exists. */
  make<T>(path: string, body: (place: ExportPlace) => Promise<T>): Promise<T>;
  /** Opens an export on a copy of its database, which is removed when it is closed. */
  open(path: string): Promise<ExportPlace>;
  /** Lists the names in a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Opens the shared database that an address names, as it is. */
  source(url: string): Promise<Database>;
}

/** The report of a command: lines for people, and the same data for programs. */
export interface TenantReport {
  readonly lines: readonly string[];
  readonly json: unknown;
  readonly hasFailed: boolean;
}
