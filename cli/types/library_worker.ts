/** Collects the declarations for the playground's editor in a thread: it answers any message with the library. */
/// <reference lib="deno.worker" />
import { editorLibrary } from "./editor_library.ts";

self.addEventListener("message", () => self.postMessage(editorLibrary()));
