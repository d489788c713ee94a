/** `services.<name>`: each made when it is first asked for, once per call (definitions 6). */
import type { HandlerEnv } from "../../model/handler_env.ts";
import type { ServiceCode } from "../../surface/authored_code.ts";

interface ServiceMeans {
  readonly env: HandlerEnv;
  /** The caller's own: a service reaches nothing that its caller does not. */
  readonly db: unknown;
}

export function servicesOf(
  definitions: Readonly<Record<string, ServiceCode>>,
  means: ServiceMeans,
): Readonly<Record<string, unknown>> {
  const made = new Map<string, unknown>();
  const services: Record<string, unknown> = Object.create(null);
  for (const [name, definition] of Object.entries(definitions)) {
    Object.defineProperty(services, name, {
      enumerable: true,
      get() {
        if (!made.has(name)) made.set(name, make(definition, means));
        return made.get(name);
      },
    });
  }
  return Object.freeze(services);
}

function make(definition: ServiceCode, means: ServiceMeans): unknown {
  return Reflect.apply(definition.create, definition, [means]);
}
