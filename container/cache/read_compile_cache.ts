/** The container's cache of compiles, as its environment says. */
import type { CompileStore, ServicePorts } from "../../shared/service/mod.ts";
import { filesBelow, readText } from "../repository_files.ts";
import type { HostFiles } from "../worker_messages.ts";
import { CompileCache } from "./compile_cache.ts";
import { DiskCache } from "./disk_cache.ts";
import { sha256Hex } from "./sha256_hex.ts";

const MEBIBYTE = 1024 * 1024;
const MEMORY_MAX_BYTES = 64 * MEBIBYTE;
const DISK_MAX_BYTES = 512 * MEBIBYTE;

/** `COMPILE_CACHE_DIR` names a folder that outlives the process and may be shared; what it holds are authors' sources. */
export function readCompileCache(
  env: Pick<Deno.Env, "get">,
  host: HostFiles,
  { logger }: Pick<ServicePorts, "logger">,
): CompileStore {
  const folder = env.get("COMPILE_CACHE_DIR");
  if (!folder) {
    return new CompileCache({
      host,
      program: Promise.resolve(""),
      memoryMaxBytes: MEMORY_MAX_BYTES,
      disk: null,
    });
  }
  const onFault = (error: unknown) =>
    logger.log({ level: "error", message: "The compile cache cannot be used", error });
  return new CompileCache({
    host,
    program: programHash(),
    memoryMaxBytes: MEMORY_MAX_BYTES,
    disk: new DiskCache({ folder, maxBytes: DISK_MAX_BYTES, onFault }),
  });
}

/** Hash of everything that a compile's bytes follow from beside its input. */
function programHash(): Promise<string> {
  const folders = ["shared", "platform", "client", "container", "generated-templates"];
  const paths = [...folders.flatMap(filesBelow).toSorted(), "deno.json", "deno.lock"];
  return sha256Hex(JSON.stringify(paths.map((path) => [path, readText(path)])));
}
