/** The thread that gathers the declarations for the playground's editor: any message in, the library out. */
/// <reference lib="deno.worker" />
import { editorLibrary } from "./editor_library.ts";

self.addEventListener("message", () => self.postMessage(editorLibrary()));
