/** Databases, files and the caller of a handler (contract 4.4, definitions 5). */
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { FileValue, HandlerMethod, PLATFORM_ROLES } from "../contract/mod.ts";
import type { ProjectSchema } from "./register.ts";
import type { RoleName } from "../definition_language/register.ts";

/** The project's tables behind the caller's tenant, owner and not-deleted predicates. */
export type ScopedDatabase = Pick<SqliteRemoteDatabase<ProjectSchema>, HandlerMethod>;

/** Scope that an unsafe action works in. */
export interface TargetScope {
  readonly organizationId?: string;
  readonly userId?: string;
  readonly teamId?: string;
}

/** Past the caller's own rows; only in actions and jobs that declare `unsafe`. */
export type UnsafeDatabase = ScopedDatabase & {
  /** The same tables behind an explicit scope. */
  scopeTo(scope: TargetScope): ScopedDatabase;
  /** The same tables behind the scope of each organization in turn; across tenants alone. */
  eachOrganization(): AsyncGenerator<ScopedDatabase, void, undefined>;
};

/** The caller. */
export interface ActionContext {
  /** The account. */
  readonly userId: string | null;
  /** The organization that the caller acts in. */
  readonly organizationId: string | null;
  /** The same as `organizationId`. */
  readonly activeOrgId: string | null;
  /** The team that the caller acts in. */
  readonly teamId: string | null;
  /** Roles in that organization. */
  readonly roles: readonly RoleName[];
  /** Role on the platform. */
  readonly userRole: (typeof PLATFORM_ROLES)[number] | null;
  /** Scope of the caller's scope token; null for everybody else. */
  readonly scope: string | null;
  /** The caller as an authenticator of the project identified them; null for everybody with an account. */
  readonly delegate: {
    /** Of `auth.principals`. */
    readonly name: string;
    readonly variant: string;
    readonly subject: string;
  } | null;
  /** Id of the `sysadmin` who acts in this account's place; null: nobody does. */
  readonly impersonatedBy: string | null;
}

/** Files of records: their bytes, before a row refers to them and after. */
export interface HandlerFiles {
  /**
   * Stores the bytes and gives what a file column of this very call may be set to. A file that no row refers to in the end is
   * collected. Throws for bytes that begin as those of another type.
   */
  readonly put: (
    body: Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>,
    options: PutOptions,
  ) => Promise<FileValue>;
  /** Opens a file that a row in the reach of `db` (or of `unsafeDb`) refers to, or that this call has put. */
  readonly get: (file: FileValue) => Promise<
    Pick<FileValue, "name" | "size" | "type"> & {
      readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
    }
  >;
  /**
   * An address of such a file, for whoever has it, whatever becomes of the row. `expiresIn`: seconds, at most an hour, five
   * minutes if left out.
   */
  readonly url: (
    file: FileValue,
    options?: { readonly expiresIn?: number },
  ) => Promise<string>;
}

export interface PutOptions {
  /** Shown to whoever saves the file. */
  readonly name: string;
  /** Media type without parameters. */
  readonly type: string;
  /** API name of a table of the same tenant; needed where tables with files have different ones. */
  readonly table?: string;
}
