/** Checks types for `dev` in a thread: it receives one `TypeCheck` and answers with its diagnostics. */
/// <reference lib="deno.worker" />
import { type TypeCheck, TypeChecker } from "./type_checker.ts";

const checker = new TypeChecker();

self.addEventListener("message", ({ data }: MessageEvent<TypeCheck>) => {
  self.postMessage(checker.check(data));
});
