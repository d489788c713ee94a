/** Whatever the options of the account library are made from. */
import type { OidcProviderModel, ProjectModel } from "../model/mod.ts";
import type { TokenWatch } from "../runtime/ports.ts";
import type { KeyCreation } from "./api_key_creation.ts";
import type { AccountsDependencies } from "./dependencies.ts";
import type { VersionedSecret } from "./encrypted_secrets.ts";

export interface LibraryInput
  extends
    Required<Omit<AccountsDependencies, "copy" | "passwords">>,
    Pick<AccountsDependencies, "passwords"> {
  /** Null: nobody takes tokens yet. */
  readonly watch: () => TokenWatch | null;
  readonly project: ProjectModel;
  readonly secret: string;
  /** Those that may have encrypted something, the present one first. */
  readonly secrets: readonly VersionedSecret[];
  /** Whether these headers of a request have a session. */
  readonly isSignedIn: (headers: Headers) => Promise<boolean>;
  /** What the library began beside requests. */
  readonly tasks: Set<Promise<void>>;
  /** The one provider of OpenID Connect that this instance knows. */
  readonly oidc?: OidcProviderModel;
  /** The library's own creation of an API key, called as its server side. */
  readonly createKey: (key: KeyCreation) => Promise<Record<string, unknown>>;
}
