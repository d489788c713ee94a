/** What a project does with the events that it receives (contract 6.2). */

export interface WebhookHandlerContext {
  /** `<provider>:<type>`. */
  readonly type: string;
  readonly data: unknown;
  readonly provider: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface WebhookHandler {
  /** An exact type, or `<provider>:*`. */
  readonly on: string;
  handle(context: WebhookHandlerContext): unknown;
}

/** Every handler of an event: those of its exact type first, then the wildcards, each in the order of registration. */
export function handlersFor(
  handlers: readonly WebhookHandler[],
  { type, provider }: Pick<WebhookHandlerContext, "type" | "provider">,
): readonly WebhookHandler[] {
  return [
    ...handlers.filter(({ on }) => on === type),
    ...handlers.filter(({ on }) => on === `${provider}:*`),
  ];
}
