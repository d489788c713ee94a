/** Makes addresses of files' bytes, and the texts that confirm an upload to one (definitions 3). */
import { FILE_ADDRESS_PATH } from "../surface/mod.ts";
import type {
  AddressedUse,
  FileAddresses,
  FilePorts,
  PendingUpload,
  UnaddressedFiles,
} from "./file_ports.ts";
import type { Clock, Settings } from "./ports.ts";
import { signedClaims } from "./signed_claims.ts";
import { unreferredFiles } from "./unreferred_files.ts";

/**
 * Adds addresses and the bound on unreferred files to the file ports of a host. The addresses are the API's own where the store
 * has no server that callers can reach.
 */
export function filesWithAddresses(
  files: UnaddressedFiles,
  settings: Pick<Settings, "baseUrl" | "authSecret" | "authSecretPrevious">,
  clock: Clock,
): FilePorts {
  const { store } = files;
  const uses = signedClaims<AddressedUse>(settings, clock, "quickback-file-address");
  const uploads = signedClaims<PendingUpload>(settings, clock, "quickback-file-upload");
  const addresses: FileAddresses = {
    async presign(use, seconds) {
      if (store.presign) return await store.presign(use, seconds);
      const until = Math.floor(clock.now() / 1000) + seconds;
      const address = await uses.sign(use, use.method, until);
      return {
        url: settings.baseUrl + FILE_ADDRESS_PATH.replace(":id", address),
        headers: use.method === "PUT" ? { "content-type": use.type } : {},
      };
    },
    open: (method, address) => uses.open(address, method),
    signUpload: (upload, holder, until) => uploads.sign(upload, holder, Math.floor(until / 1000)),
    openUpload: (text, holder) => uploads.open(text, holder),
  };
  return { ...files, addresses, unreferred: unreferredFiles(store, clock) };
}
