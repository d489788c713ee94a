/** Messages between the container's threads. */
import type { CompileHost } from "../shared/compiler/mod.ts";
import type { CompileEvent, CompileOrder } from "../shared/service/mod.ts";
import type { BundledCompilation } from "./bundle/bundle_check.ts";

/** A compile host as data. It is the first message to every thread, so that all have the same files. */
export type HostFiles = Omit<CompileHost, "onProgress">;

export type WorkerOrder =
  /** With `checks` full compiles end with a bundle check. */
  | { readonly kind: "host"; readonly host: HostFiles; readonly checks: boolean }
  | ({ readonly kind: "compile" } & CompileOrder);

export type WorkerMessage =
  | { readonly kind: "event"; readonly event: CompileEvent }
  | { readonly kind: "end" }
  /** An error of this program, with its stack for the log. */
  | { readonly kind: "crash"; readonly stack: string };

export type BundleOrder =
  | { readonly kind: "host"; readonly host: HostFiles }
  | ({ readonly kind: "check" } & BundledCompilation);
