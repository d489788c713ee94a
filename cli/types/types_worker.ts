/** The thread in which `dev` checks types: one `TypeCheck` in, its diagnostics out. */
/// <reference lib="deno.worker" />
import { type TypeCheck, TypeChecker } from "./type_checker.ts";

const checker = new TypeChecker();

self.addEventListener("message", ({ data }: MessageEvent<TypeCheck>) => {
  self.postMessage(checker.check(data));
});
