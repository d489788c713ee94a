/** Allows the page's policy to start workers from these addresses: only from the page's own scripts. */
import { PATHS } from "../paths.ts";

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

declare global {
  /** Trusted Types of the browser; undefined in browsers without them. */
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

/** A policy of one name can be created only once. */
const policy = globalThis.trustedTypes?.createPolicy("language-worker", OWN) ?? OWN;

export function workerAddress(path: typeof PATHS.languageWorker | typeof PATHS.compiler): string {
  return policy.createScriptURL(path);
}
