/** Addresses that the page's policy lets become workers: its own scripts, and no other text. */
import { PATHS } from "../paths.ts";

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

declare global {
  /** Absent in browsers without Trusted Types. */
  var trustedTypes: {
    createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
  } | undefined;
}

const WORKERS: readonly string[] = [PATHS.languageWorker, PATHS.compiler];

const OWN: ScriptPolicy = {
  createScriptURL(path) {
    if (WORKERS.includes(path)) return path;
    throw new TypeError(`${path} is no worker of the page`);
  },
};

/** A policy of one name is made once. */
const policy = globalThis.trustedTypes?.createPolicy("language-worker", OWN) ?? OWN;

export function workerAddress(path: typeof PATHS.languageWorker | typeof PATHS.compiler): string {
  return policy.createScriptURL(path);
}
