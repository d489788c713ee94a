/** Ports of projects whose organizations have a database each (definitions 2, `tenancy`). */
import type { FileStore } from "./file_ports.ts";
import type { Database } from "./database_ports.ts";

/** A place of many databases: files of a folder, or namespaces of a server. Names are ours and never a caller's. */
export interface TenantStore {
  has(name: string): Promise<boolean>;
  /** Makes it where it is not there yet. */
  make(name: string): Promise<Database>;
  /** Throws `DatabaseUnavailableError` for one that is not there, or cannot be read. */
  open(name: string): Promise<Database>;
  /** Leaves nothing of it; one that is not there is removed already. */
  remove(name: string): Promise<void>;
  /** Another place, by its address; absent: there is no other. */
  at?(place: string): Promise<TenantStore>;
  close(): Promise<void>;
}

/**
 * Leave to make the database of an organization that has none, with its first write: whoever is `claimed` to be of it, or only
 * where the directory knows the organization. With `never` the directory takes the write.
 */
export type Founding = "claimed" | "known" | "never";

/** An organization's database with unfinished work. */
export interface WorkingTenant {
  readonly organizationId: string;
  /** Milliseconds since the epoch when work was last left in it. */
  readonly since: number;
}

/** Databases of organizations, opened when they are asked, and closed again when many others are. */
export interface TenantDatabases {
  /**
   * The database of one organization. Reads of one that has none are answered by the directory, which has no row of any.
   * Refuses with `FIREWALL_ORG_ISOLATION` for an organization that was deleted.
   */
  of(organizationId: string, founding: Founding): Database;
  /**
   * The same for workers and operators: what they write leaves no work behind that the directory would have to know of, and
   * `migrate` replaces rows.
   */
  atWork(organizationId: string): Database;
  /** Makes and migrates it, where there is none yet. */
  found(organizationId: string): Promise<void>;
  /** In the order of their ids, those after `after` that were not deleted; empty: there are no more. */
  organizations(after: string, limit: number): Promise<readonly string[]>;
  /** The same of those in which work was left. */
  working(after: string, limit: number): Promise<readonly WorkingTenant[]>;
  /** Forgets that work was left in it, unless more was since. */
  rest(tenant: WorkingTenant): Promise<void>;
  /**
   * Disables its webhook endpoints where a taking over has ended them, which the directory says until it is done: whoever
   * sends to them, shows or changes them calls this first.
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
  /** Without an organization: all, each into a file of the folder. */
  | { readonly kind: "export"; readonly organizationId: string | null; readonly to: string }
  | { readonly kind: "import"; readonly from: string }
  /** The newest export of the folder that is not younger. */
  | {
    readonly kind: "restore";
    readonly organizationId: string;
    readonly from: string;
    /** ISO 8601; null: the newest. */
    readonly at: string | null;
  }
  /** To the folder or server of an address; null: where new ones are made. */
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
    /** Null: the record belongs to none. */
    readonly organizationId: string | null;
  };

/** One chain of changes, and what is wrong with it. */
export interface ChainVerdict {
  /** The organization; empty: of rows that belong to none. */
  readonly chain: string;
  readonly changes: number;
  /** Changes of which nothing but the hash is left, which can no longer be held against it. */
  readonly erased: number;
  /** Hash of the newest change: kept elsewhere, it proves later that nothing before it was written anew. */
  readonly head: string;
  /** The first row that is not what was written; null: all of them are. */
  readonly broken: BrokenLink | null;
}

export interface BrokenLink {
  readonly sequence: number;
  /** Null: there is no such row. */
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

/** An export: an organization's rows, and the files that they refer to. */
export interface ExportPlace {
  readonly database: Database;
  readonly objects: FileStore;
}

/** Exports that such commands write and read. */
export interface ExportFiles {
  /** A new one with what the body writes, or none when it throws; refuses a path at which there is something. */
  make<T>(path: string, body: (place: ExportPlace) => Promise<T>): Promise<T>;
  /** One whose database is a copy, which is gone when it is closed. */
  open(path: string): Promise<ExportPlace>;
  /** Names in a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The shared database that an address names, as it is. */
  source(url: string): Promise<Database>;
}

/** The report of a command: lines for people, and the same for programs. */
export interface TenantReport {
  readonly lines: readonly string[];
  readonly json: unknown;
  readonly hasFailed: boolean;
}
