/** The databases, the files and the caller of a handler (contract 4.4, definitions 5). */
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { FileValue, HandlerMethod, PLATFORM_ROLES } from "../contract/mod.ts";
import type { Records } from "./records.ts";
import type { ProjectSchema } from "./register.ts";
import type { RoleName } from "../definition_language/register.ts";

/** The project's tables, restricted to the caller's tenant and own rows, without deleted ones. */
export type ScopedDatabase = Pick<SqliteRemoteDatabase<ProjectSchema>, HandlerMethod>;

/** The scope in which an unsafe action works. */
export interface TargetScope {
  readonly organizationId?: string;
  readonly userId?: string;
  readonly teamId?: string;
}

/** The same tables, and the writes of records as their routes do them. */
export type HandlerDatabase = ScopedDatabase & { readonly records: Records };

/** Reaches beyond the caller's own rows. Only actions and jobs with `unsafe` have it. */
export type UnsafeDatabase = ScopedDatabase & {
  /** Returns the same tables within an explicit scope. */
  scopeTo(scope: TargetScope): ScopedDatabase;
  /** Returns the same tables within the scope of each organization in turn. Requires `crossTenant`. */
  eachOrganization(): AsyncGenerator<ScopedDatabase, void, undefined>;
};

/** The caller. */
export interface ActionContext {
  /** The caller's account. */
  readonly userId: string | null;
  /** The organization that the caller acts in. */
  readonly organizationId: string | null;
  /** The same as `organizationId`. */
  readonly activeOrgId: string | null;
  /** The team that the caller acts in. */
  readonly teamId: string | null;
  /** Roles in that organization. */
  readonly roles: readonly RoleName[];
  /** The role on the platform. */
  readonly userRole: (typeof PLATFORM_ROLES)[number] | null;
  /** Scope of the caller's scope token; null for every other caller. */
  readonly scope: string | null;
  /** Identity from an authenticator of the project; null for a caller with an account. */
  readonly delegate: {
    /** Name of the authenticator in `auth.principals`. */
    readonly name: string;
    readonly variant: string;
    readonly subject: string;
  } | null;
  /** Id of the `sysadmin` who acts in this account's place; null: nobody does. */
  readonly impersonatedBy: string | null;
}

/** The bytes of files, before and after a row refers to them. */
export interface HandlerFiles {
  /**
   * Stores the bytes and returns the value for a file column. The value is valid in this call only. A file that no row refers
   * to is removed later. Throws if the bytes have the signature of another type.
   */
  readonly put: (
    body: Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>,
    options: PutOptions,
  ) => Promise<FileValue>;
  /** Opens a file that a row within reach of `db` (or of `unsafeDb`) refers to, or that this call has stored. */
  readonly get: (file: FileValue) => Promise<
    Pick<FileValue, "name" | "size" | "type"> & {
      readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
    }
  >;
  /**
   * Makes a URL of such a file. Whoever has the URL can read the file, even if the row changes. `expiresIn` is in seconds, at
   * most an hour. Default: five minutes.
   */
  readonly url: (
    file: FileValue,
    options?: { readonly expiresIn?: number },
  ) => Promise<string>;
}

export interface PutOptions {
  /** Name for people who save the file. */
  readonly name: string;
  /** Media type without parameters. */
  readonly type: string;
  /** Name of a table in the same tenant. Required if the project's tables with files have different tenants. */
  readonly table?: string;
}
