/** All that the options of the account library depend on. */
import type { OidcProviderModel, ProjectModel } from "../model/mod.ts";
import type { MemberWatch, TokenWatch } from "../runtime/ports.ts";
import type { KeyCreation } from "./api_key_creation.ts";
import type { AccountsDependencies } from "./dependencies.ts";
import type { VersionedSecret } from "./encrypted_secrets.ts";

export interface LibraryInput
  extends
    Required<Omit<AccountsDependencies, "copy" | "passwords">>,
    Pick<AccountsDependencies, "passwords"> {
  /** Returns the watch over tokens; null while tokens are not in use. */
  readonly watch: () => TokenWatch | null;
  /** Returns what lets rows go of members; null: no row names any. */
  readonly members: () => MemberWatch | null;
  readonly project: ProjectModel;
  readonly secret: string;
  /** Secrets that may have encrypted stored values, the present one first. */
  readonly secrets: readonly VersionedSecret[];
  /** Returns true when the headers of a request have a valid session. */
  readonly isSignedIn: (headers: Headers) => Promise<boolean>;
  /** Work that the library began in the background. */
  readonly tasks: Set<Promise<void>>;
  /** The single OpenID Connect provider of this instance. */
  readonly oidc?: OidcProviderModel;
  /** The library's own creation of an API key, called from the server side. */
  readonly createKey: (key: KeyCreation) => Promise<Record<string, unknown>>;
}
